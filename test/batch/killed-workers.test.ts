import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Document } from "../../core/store/index.js";
import { batchWhen, eventsOf, records, sendBatch } from "../support/batches.js";
import { requestsTo } from "../support/caller.js";
import { type PartProcess, startPart } from "../support/part-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { eachDatabase } from "../support/store.js";

const count = 12;

eachDatabase((open, location) => {
  describe("a batch whose workers are killed", () => {
    const folder = join(suiteFolder(), "data");
    const database =
      location.kind === "mysql" ? location.url : `sqlite:${location.file}`;
    const env = {
      PLATEN_DATA: folder,
      PLATEN_DATABASE_URL: database,
      PLATEN_WORKER_LEASE: "1s",
    };

    it("is completed by others: each document once, and one documents.completed", async function () {
      this.timeout(180_000);
      const server = startPart("serve", env);
      const { url } = await server.ready;
      const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
      const request = await readFile(join(folder, "demo-invoice.json"), "utf8");
      const { templateId, data } = JSON.parse(request);
      const caller = requestsTo(() => url, key);
      const worker = (): PartProcess =>
        startPart("worker", { ...env, PLATEN_BASE_URL: url });
      const [first, second] = [worker(), worker()];
      await Promise.all([first.ready, second.ready]);
      const items = records(count).map((item) => ({ ...item, data }));
      const body = { templateId, formats: ["pdf"], items };
      const { batchId } = await sendBatch(caller, body);
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 2);
      first.kill("SIGKILL");
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 4);
      second.kill("SIGKILL");
      await Promise.all([first.ended, second.ended]);
      await worker().ready;

      const { documents, counts } = await batchWhen(caller, batchId);
      expect(counts.succeeded).to.equal(count);
      for (const { outputs } of documents) {
        const file = await fetch(outputs[0]?.url ?? "");
        const bytes = Buffer.from(await file.arrayBuffer());
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(outputs[0]?.checksum).to.equal(`sha256:${digest}`);
      }
      const store = await open();
      const events = await eventsOf({ store }, batchId);
      const told = events.map(({ data: payload }) => payload.documentId);
      expect(new Set(told).size).to.equal(count + 1);
      expect(events).to.have.length(count + 1);
      expect(events.at(-1)?.type).to.equal("documents.completed");
      const rows = await store.read.findBy(Document, { batchId });
      expect(rows.filter((row) => row.lockToken !== null)).to.deep.equal([]);
    });
  });
});
