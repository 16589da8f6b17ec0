import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { Template } from "../../core/storage/database/index.js";
import { connectionSchema } from "../../core/api/routes/connections.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { reader, requestsTo } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { startServiceProcess } from "../support/service-process.js";
import { SftpServer } from "../support/sftp-server.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase, publish } from "../support/store.js";

const count = 30;
const definition = {
  schema: [{ id: "root", fields: [{ name: "number", type: "String" }] }],
  components: [{ type: "text", text: "Invoice {{ root.number }}" }],
  fileName: "Invoice {{ root.number }}",
};
const readConnection = reader(connectionSchema);

anyDatabase((open, location) => {
  describe("a service that is killed while it writes files to a storage", () => {
    const folder = join(suiteFolder(), "data");
    let server: SftpServer;
    before(async () => {
      server = await SftpServer.start();
    });
    after(() => server.close());

    it("writes each file once, and leaves none in part", async function () {
      this.timeout(180_000);
      const database =
        location.kind === "mysql" ? location.url : `sqlite:${location.file}`;
      const env = {
        PLATEN_DATA: folder,
        PLATEN_DATABASE_URL: database,
        PLATEN_WORKER_LEASE: "1s",
        PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
      };
      const first = startServiceProcess(env);
      let url = await first.url;
      const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
      const caller = requestsTo(() => url, key);
      const store = await open();
      const { organizationId, createdById: userId } =
        await store.read.findOneByOrFail(Template, {});
      const owner = { organizationId, userId };
      const templateId = await publish(store, owner, { definition });
      const { port, user, hostKeyFingerprint } = server;
      const body = {
        delivery: "sftp",
        name: "Archive",
        credentials: {
          host: "127.0.0.1",
          port,
          user,
          password: "s3cret",
          hostKeyFingerprint,
        },
      };
      const response = await caller.post("/api/connections", body);
      const { id: connection } = await readConnection(response, 201);
      let isHeld = false;
      // Of a file that is under its temporary name then.
      server.beforeWrite = async (writes) => {
        if (isHeld || writes < count / 3) return;
        isHeld = true;
        await new Promise(() => undefined);
      };
      const items = Array.from({ length: count }, (_, number) => ({
        data: { number: `${number}` },
      }));
      const deliver = [{ connection, folder: "invoices" }];
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["html"],
        items,
        deliver,
      });
      await eventually(async () => isHeld);
      first.kill("SIGKILL");
      await first.ended;
      const parts = (await server.list()).filter(({ name }) =>
        name.endsWith(".part"),
      );
      expect(parts).to.not.deep.equal([]);
      url = await startServiceProcess(env).url;
      const { deliveries } = await batchWhen(
        caller,
        batchId,
        (batch) =>
          batch.status === "completed" && batch.deliveries?.pending === 0,
      );
      expect(deliveries).to.deep.equal({
        pending: 0,
        succeeded: count,
        failed: 0,
        unknown: 0,
      });
      const files = await server.list();
      expect(files.map(({ name }) => name).toSorted()).to.deep.equal(
        items
          .map(({ data: { number } }) => `invoices/Invoice ${number}.html`)
          .toSorted(),
      );
      for (const { bytes } of files)
        expect(bytes.toString()).to.include("Invoice").and.include("</html>");
    });
  });
});
