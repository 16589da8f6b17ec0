import { expect } from "chai";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import { Delivery } from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { until } from "../support/eventually.js";
import { useMailServer } from "../support/mail-server.js";
import { toSchema } from "../support/schema.js";
import { useSftpServer } from "../support/sftp-server.js";
import { anyDatabase } from "../support/store.js";
import { useWorkers } from "../support/workers.js";

const count = 30;
const held = "person7@x.example";
const definition = {
  schema: toSchema({ root: "email String, number String" }),
  components: [{ type: "text", text: "Invoice {{ root.number }}" }],
  fileName: "Invoice {{ root.number }}",
};
const items = Array.from({ length: count }, (_, number) => ({
  data: { email: `person${number}@x.example`, number: `${number}` },
}));

anyDatabase((_open, database) => {
  describe("a process that is killed while it delivers", () => {
    const mailServer = useMailServer();
    const { service, startWorker } = useWorkers(database, () => ({
      PLATEN_SMTP_URL: mailServer.url,
      PLATEN_MAIL_FROM: "shop@example.com",
    }));
    const getStorage = useSftpServer();

    it("sends each mail once, of which the one whose answer was lost is unknown, and writes each file once and whole", async () => {
      const caller = await newBatchCaller(service);
      const storage = getStorage();
      const { id: connection } = await reader(connectionSchema)(
        await caller.post("/api/connections", {
          delivery: "sftp",
          name: "Archive",
          credentials: storage.credentials,
        }),
        201,
      );
      mailServer.replies.set(held, ["hold"]);
      let isHeld = false;
      // Of a file that is under its temporary name then.
      storage.beforeWrite = async (writes) => {
        if (isHeld || writes < count / 3) return;
        isHeld = true;
        await new Promise(() => undefined);
      };
      const killed = await startWorker();
      const { batchId } = await sendBatch(caller, {
        templateId: await caller.publish({ definition }),
        formats: ["html"],
        items,
        deliver: [
          { to: "{{ root.email }}" },
          { connection, folder: "invoices" },
        ],
      });
      await until(
        "a mail and a file wait for their answers",
        () => isHeld && mailServer.mails.some(({ to }) => to.includes(held)),
      );
      await killed.end("SIGKILL");
      const parts = (await storage.list()).filter(({ name }) =>
        name.endsWith(".part"),
      );
      expect(parts).to.not.deep.equal([]);
      await startWorker();
      await batchWhen(
        caller,
        batchId,
        (batch) =>
          batch.status === "completed" && batch.deliveries?.pending === 0,
      );

      const rows = await service.store.read.findBy(Delivery, { batchId });
      const files = rows.filter(({ connectionId }) => connectionId);
      expect(files.map(({ status }) => status)).to.deep.equal(
        files.map(() => "succeeded"),
      );
      const stored = await storage.list();
      expect(stored.map(({ name }) => name).toSorted()).to.deep.equal(
        items
          .map(({ data }) => `invoices/Invoice ${data.number}.html`)
          .toSorted(),
      );
      for (const { bytes } of stored)
        expect(bytes.toString()).to.include("Invoice").and.include("</html>");

      const addresses = mailServer.mails.flatMap(({ to }) => to);
      expect(new Set(addresses).size).to.equal(addresses.length);
      const mails = rows.filter((row) => !files.includes(row));
      expect(mails).to.have.length(count);
      const statuses = new Map(
        mails.map(({ status, target }) => [Object(target).to, status]),
      );
      expect(statuses.get(held)).to.equal("unknown");
      // A mail that has not come is one whose sending had begun, and nobody can know.
      for (const [to, status] of statuses)
        expect(status).to.be.oneOf(
          addresses.includes(to) ? ["succeeded", "unknown"] : ["unknown"],
        );
    });
  });
});
