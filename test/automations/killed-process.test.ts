import { expect } from "chai";
import {
  Automation,
  AutomationRecord,
  AutomationRun,
  Batch,
  ChangeSubscription,
} from "../../core/storage/database/index.js";
import { QUEUE } from "../../core/queue/index.js";
import {
  addTestBase,
  listFiles,
  newAirtableCaller,
} from "../support/airtable-bases.js";
import {
  changes,
  createAutomation,
  fetchAutomation,
  waitForRuns,
} from "../support/automations.js";
import { until } from "../support/eventually.js";
import {
  airtableScopes,
  FakeAirtable,
} from "../support/fakes/fake-airtable.js";
import { useServer } from "../support/fakes/fake-server.js";
import { anyDatabase } from "../support/store.js";
import { waitForWriteBacks } from "../support/records.js";
import { useWorkers } from "../support/workers.js";

const never = () => new Promise<void>(() => undefined);

anyDatabase((_open, database) => {
  describe("automations whose worker is killed", () => {
    const { service, startWorker } = useWorkers(database);
    const start = () =>
      startWorker({ PLATEN_BASE_URL: "https://platen.example.com" });
    const fake = useServer(new FakeAirtable());

    it("make one batch for the due time, and have one webhook", async () => {
      const caller = await newAirtableCaller(service, fake);
      const { organizationId, templateId } = caller;
      fake.addToken(`pat.${organizationId}`, [
        ...airtableScopes,
        "webhook:manage",
      ]);
      const shop = addTestBase(fake, "Shop", 3);
      const create = (baseId: string, more = {}) =>
        createAutomation(caller, {
          platform: "airtable",
          connectionId: caller.connectionId,
          baseId,
          tableId: "Orders",
          attachmentField: "Documents",
          ...more,
        });
      const hooks = addTestBase(fake, "Hooks", 1);
      const { id } = await create(shop.id);
      const { id: onChanges } = await create(hooks.id, { when: changes });
      let lists = 0;
      fake.beforeList = () => {
        lists += 1;
        return never();
      };
      fake.webhooks.beforeReply = () =>
        fake.webhooks.all.length > 0 ? never() : Promise.resolve();
      // Due three weeks ago, and so at three times.
      const dueAt = new Date(Date.now() - 21 * 24 * 60 * 60_000);
      const { read, unitOfWork } = service.store;
      await unitOfWork.run(async (tx) => {
        await tx.update(Automation, { id }, { nextRunAt: dueAt });
        await service.container.resolve(QUEUE).enqueue(tx, [
          {
            kind: "automation",
            rowId: id,
            partitionKey: organizationId,
            runAt: dueAt,
          },
        ]);
      });
      const killed = await start();
      await until(
        "the records are listed and a webhook is created",
        () => lists > 0 && fake.webhooks.all.length === 1,
      );
      await killed.end("SIGKILL");
      const [run] = await read.findBy(AutomationRun, { automationId: id });
      expect(run).to.include({ status: "running", batchId: null });
      expect(await read.countBy(Batch, { templateId })).to.equal(0);

      fake.beforeList = () => undefined;
      fake.webhooks.beforeReply = () => Promise.resolve();
      await start();
      const ended = await waitForRuns(caller, id, 1);
      expect(ended).to.include({
        id: run?.id,
        status: "accepted",
        dueAt: dueAt.toISOString(),
        documentCount: 3,
      });
      await waitForWriteBacks(caller, ended.batchId ?? "");
      expect(await read.countBy(Batch, { templateId })).to.equal(1);
      expect(
        await read.countBy(AutomationRecord, { automationId: id }),
      ).to.equal(3);
      expect(listFiles(shop).map(({ length }) => length)).to.deep.equal([
        1, 1, 1,
      ]);

      await until("the automation knows its webhook", async () => {
        const { changes: state } = await fetchAutomation(caller, onChanges);
        return state?.via === "webhook";
      });
      const row = await read.findOneByOrFail(ChangeSubscription, {
        automationId: onChanges,
      });
      expect(fake.webhooks.all.map((one) => one.id)).to.deep.equal([
        row.remoteId,
      ]);
    });
  });
});
