import { watch } from "node:fs";
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { BatchMerge, Template } from "../../core/storage/database/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { requestsTo } from "../support/caller.js";
import { readPdf } from "../support/read-pdf.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase, publish } from "../support/store.js";

const count = 40;
const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  components: [{ type: "text", text: "Letter {{ root.name }}" }],
};

anyDatabase((open, location) => {
  describe("a service that is killed while it writes a merged file", () => {
    const folder = join(suiteFolder(), "data");

    it("makes the file once it runs again, and leaves no part of the first attempt", async function () {
      this.timeout(300_000);
      const env = {
        PLATEN_DATA: folder,
        PLATEN_DATABASE_URL:
          location.kind === "mysql" ? location.url : `sqlite:${location.file}`,
        PLATEN_WORKER_LEASE: "1s",
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
      const listParts = async () =>
        (await readdir(folder, { recursive: true })).filter((path) =>
          /merge-[^/]*$/.test(path),
        );
      const isBegun = new Promise<void>((resolve) => {
        const watcher = watch(folder, { recursive: true }, (_event, path) => {
          if (!path || !/merge-[^/]*$/.test(path)) return;
          first.kill("SIGKILL");
          watcher.close();
          resolve();
        });
      });
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["pdf"],
        items: Array.from({ length: count }, (_, at) => ({
          data: { name: `${at}` },
        })),
        merge: { formats: ["pdf"] },
      });
      await isBegun;
      await first.ended;
      expect(await store.read.findOneBy(BatchMerge, { batchId })).to.include({
        status: "pending",
        storageKey: null,
      });
      // Files of this age belong to no process that still runs.
      for (const part of await listParts())
        await utimes(join(folder, part), 0, 0);
      url = await startServiceProcess(env).url;
      const { merged } = await batchWhen(
        caller,
        batchId,
        (batch) => batch.merged?.status === "succeeded",
      );
      expect(merged?.pageCount).to.equal(count);
      const reply = await caller.get(`/api/batches/${batchId}/merged`);
      const pages = await readPdf(new Uint8Array(await reply.arrayBuffer()));
      expect(pages.map(({ text }) => text)).to.deep.equal(
        pages.map((_, at) => `Letter ${at}${at + 1} / ${count}`),
      );
      expect(await listParts()).to.deep.equal([]);
    });
  });
});
