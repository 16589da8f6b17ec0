import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Delivery, Template } from "../../core/storage/database/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { requestsTo } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { useMailServer } from "../support/mail-server.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase, publish } from "../support/store.js";

const count = 30;
const held = "person7@x.example";
const definition = {
  schema: [{ id: "root", fields: [{ name: "email", type: "String" }] }],
  components: [{ type: "text", text: "Hello {{ root.email }}" }],
};

anyDatabase((open, location) => {
  describe("a service that is killed while it sends mails", () => {
    const server = useMailServer();
    const folder = join(suiteFolder(), "data");

    it("sends each mail once, and reports the one whose answer was lost as unknown", async function () {
      this.timeout(180_000);
      const database =
        location.kind === "mysql" ? location.url : `sqlite:${location.file}`;
      const env = {
        PLATEN_DATA: folder,
        PLATEN_DATABASE_URL: database,
        PLATEN_WORKER_LEASE: "1s",
        PLATEN_SMTP_URL: server.url,
        PLATEN_MAIL_FROM: "shop@example.com",
      };
      server.replies.set(held, ["hold"]);
      const first = startServiceProcess(env);
      let url = await first.url;
      const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
      const caller = requestsTo(() => url, key);
      const store = await open();
      const { organizationId, createdById: userId } =
        await store.read.findOneByOrFail(Template, {});
      const owner = { organizationId, userId };
      const templateId = await publish(store, owner, { definition });
      const items = Array.from({ length: count }, (_, index) => ({
        data: { email: `person${index}@x.example` },
      }));
      const deliver = [{ to: "{{ root.email }}" }];
      const body = { templateId, formats: ["html"], items, deliver };
      const { batchId } = await sendBatch(caller, body);
      await eventually(async () =>
        server.mails.some(({ to }) => to.includes(held)),
      );
      first.kill("SIGKILL");
      await first.ended;
      url = await startServiceProcess(env).url;
      const { deliveries } = await batchWhen(
        caller,
        batchId,
        (batch) =>
          batch.status === "completed" && batch.deliveries?.pending === 0,
      );
      expect(deliveries).to.include({ pending: 0, failed: 0 });
      const addresses = server.mails.flatMap(({ to }) => to);
      expect(new Set(addresses).size).to.equal(addresses.length);
      const rows = await store.read.findBy(Delivery, { batchId });
      expect(rows).to.have.length(count);
      const lost = rows.filter(({ status }) => status === "unknown");
      const { target } =
        lost.find(({ target: one }) => Object(one).to === held) ?? {};
      expect(target).to.include({ to: held });
      // A mail that has not come is one whose sending had begun, and nobody can know.
      const missing = rows.filter(
        (row) => !addresses.includes(Object(row.target).to),
      );
      for (const { status } of missing) expect(status).to.equal("unknown");
    });
  });
});
