import { expect } from "chai";
import { IsNull, Not } from "typeorm";
import { operator } from "../../../core/accounts/index.js";
import { Job } from "../../../core/storage/database/index.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import {
  addFile,
  addTestBase,
  listFiles,
  newAirtableCaller,
  sendBase,
} from "../../support/airtable-bases.js";
import { until } from "../../support/eventually.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import { useServer } from "../../support/fakes/fake-server.js";
import { sendRecords, waitForWriteBacks } from "../../support/records.js";
import { anyDatabase } from "../../support/store.js";
import { useWorkers } from "../../support/workers.js";

const never = () => new Promise<void>(() => undefined);

anyDatabase((_open, database) => {
  describe("a process that is killed while it writes back", () => {
    const { service, startWorker } = useWorkers(database);
    const airtable = useServer(new FakeAirtable());
    const google = useServer(new FakeGoogle());

    /** Ends the leases of a process that was killed, as time does. */
    const endLeases = () =>
      service.store.unitOfWork.run((tx) =>
        tx.update(
          Job,
          { kind: "write-back", lockToken: Not(IsNull()) },
          { readyAt: new Date(0) },
        ),
      );

    it("has the files that it had not begun written by another one at once, each once", async () => {
      const caller = await newAirtableCaller(service, airtable);
      const base = addTestBase(airtable, "Shop", 24);
      const hanging = new Set<string>();
      airtable.beforeUpload = (_base, recordId) => {
        if (hanging.size >= 4) return undefined;
        hanging.add(recordId);
        return never();
      };
      const first = await startWorker();
      await sendBase(caller, base);
      await until("four uploads hang", () => hanging.size === 4);
      await first.end("SIGKILL");
      await startWorker();
      // The four are tried again when the lease of their jobs ends.
      const counts = () => listFiles(base).map(({ length }) => length);
      await until(
        "all others are written",
        () => counts().filter((count) => count === 1).length >= 20,
      );
      expect(Math.max(...counts())).to.equal(1);
    });

    it("leaves one file in each cell of Airtable and one link in each cell of Google Sheets when it has written to many and no answer came", async () => {
      // Airtable reads the files of a service that it can reach.
      const baseUrl = "https://platen.example.com";
      airtable.files.toReachable = (address) =>
        address.replace(baseUrl, service.url);
      const start = () => startWorker({ PLATEN_BASE_URL: baseUrl });
      const caller = await newAirtableCaller(service, airtable);
      const base = addTestBase(airtable, "Store", 24);
      for (const id of base.recordIds) addFile(airtable, base, id, "old.pdf");
      const user = "anna@example.com";
      const rowIds = base.recordIds.map((_, at) => `${at + 1}`);
      const { id: spreadsheetId, sheets } = google.addSpreadsheet(
        "Store",
        [user],
        {
          Orders: [
            ["ID", "Name", "Documents"],
            ...rowIds.map((id) => [Number(id), `Order ${id}`]),
          ],
        },
      );
      const { id: googleId } = await service.container
        .resolve(ConnectionService)
        .create(
          caller,
          {
            platform: "google-sheets",
            name: "Sheets",
            credentials: {
              clientId: "client",
              clientSecret: "very-secret",
              refreshToken: google.accounts.addUser(user),
              endpointUrl: google.url,
              fileColumns: ["Documents"],
            },
          },
          operator,
        );
      const isReplaced = () =>
        listFiles(base).some((names) => !names.includes("old.pdf"));
      /** Leaves changes without an answer. @returns once each platform has such a change */
      const holdChanges = (isHeld = () => true): Promise<unknown> => {
        const held = new Set<object>();
        for (const fake of [airtable, google])
          fake.beforeReply = () => {
            if (fake === airtable && !isHeld()) return undefined;
            held.add(fake);
            return never();
          };
        return until("changes are not answered", () => held.size === 2);
      };
      let held = holdChanges();
      const first = await start();
      const airtableBatch = await sendBase(caller, base, {
        overwriteExisting: true,
      });
      const googleBatch = await sendRecords(
        caller,
        rowIds,
        {
          connectionId: googleId,
          baseId: spreadsheetId,
          tableId: "Orders",
          attachmentField: "Documents",
        },
        "google-sheets",
      );
      await held;
      await first.end("SIGKILL");
      expect(isReplaced(), "an earlier file is removed").to.equal(false);
      await endLeases();
      held = holdChanges(isReplaced);
      const second = await start();
      await held;
      await second.end("SIGKILL");
      await endLeases();
      airtable.beforeReply = () => undefined;
      google.beforeReply = () => undefined;
      await start();
      for (const { batchId } of [airtableBatch, googleBatch])
        await waitForWriteBacks(caller, batchId);

      expect(listFiles(base)).to.deep.equal(
        base.recordIds.map((_, at) => [`Store ${at}.html`]),
      );
      const cells = sheets[0]?.values(2, rowIds.length + 1);
      expect(
        cells?.map((row) => String(row[2]).replace(/^.*#/, "")),
      ).to.deep.equal(rowIds.map((id) => encodeURI(`Order ${id}.html`)));
      expect(google.drive.files.size).to.equal(rowIds.length);
    });
  });
});
