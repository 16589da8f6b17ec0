import { createHash } from "node:crypto";
import { watch } from "node:fs";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import {
  BatchMerge,
  Document,
  SignatureRequest,
} from "../../core/storage/database/index.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useFakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { readPdf } from "../support/read-pdf.js";
import type { ServiceProcess } from "../support/service-process.js";
import { anyDatabase } from "../support/store.js";
import { useWorkers } from "../support/workers.js";

const isPart = (path: string) => /merge-[^/]*$/.test(path);
const schema = [{ id: "root", fields: [{ name: "name", type: "String" }] }];
const submitter = "Buyer";
const contract = {
  schema: [
    {
      ...schema[0],
      connection: {
        submitters: [{ role: submitter, email: "buyer@example.com" }],
      },
    },
  ],
  components: [
    { type: "text", text: "Order {{ root.name }}" },
    { type: "sign-field", field: "signature", name: "Sign", submitter },
  ],
};
const letter = {
  schema,
  components: [{ type: "text", text: "Letter {{ root.name }}" }],
};

anyDatabase((_open, database) => {
  describe("batches whose workers are killed", () => {
    const { service, startWorker } = useWorkers(database);
    const count = 12;
    const provider = useFakeDocuseal();

    /** Kills the worker when it has begun to write a merged file. */
    async function killWhileMerging(worker: ServiceProcess): Promise<void> {
      await new Promise<void>((resolve) => {
        const watcher = watch(
          service.dataFolder,
          { recursive: true },
          (_event, path) => {
            if (!path || !isPart(path)) return;
            worker.kill("SIGKILL");
            watcher.close();
            resolve();
          },
        );
      });
      await worker.ended;
    }

    const listParts = async () =>
      (await readdir(service.dataFolder, { recursive: true })).filter(isPart);

    it("are completed by other workers: each document once, each sent for signature once, one documents.completed, and one merged file", async () => {
      const caller = await newBatchCaller(service);
      const { credentials } = provider;
      const account = { provider: "docuseal", name: "Signing", credentials };
      const saved = await caller.post("/api/connections", account);
      const { id } = await reader(connectionSchema)(saved, 201);
      const first = await startWorker();
      const { batchId } = await sendBatch(caller, {
        templateId: await caller.publish({ definition: contract }),
        formats: ["pdf"],
        items: records(count),
        sendForSignature: true,
        esignConnection: id,
      });
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 2);
      await first.end("SIGKILL");

      const { batchId: mergedId } = await sendBatch(caller, {
        templateId: await caller.publish({ definition: letter }),
        formats: ["pdf"],
        items: records(count),
        merge: { formats: ["pdf"] },
      });
      await killWhileMerging(await startWorker());
      const { read } = service.store;
      expect(
        await read.findOneBy(BatchMerge, { batchId: mergedId }),
      ).to.include({ status: "pending", storageKey: null });
      // Files of this age belong to no process that still runs.
      for (const part of await listParts())
        await utimes(join(service.dataFolder, part), 0, 0);
      const third = await startWorker();

      const { documents, counts } = await batchWhen(caller, batchId);
      expect(counts.succeeded).to.equal(count);
      for (const { outputs } of documents) {
        const file = await fetch(outputs[0]?.url ?? "");
        const bytes = Buffer.from(await file.arrayBuffer());
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(outputs[0]?.checksum).to.equal(`sha256:${digest}`);
      }
      const events = await findEvents(service, batchId);
      const reported = events.map(({ data: payload }) => payload.documentId);
      expect(new Set(reported).size).to.equal(count + 1);
      expect(events).to.have.length(count + 1);
      expect(events.at(-1)?.type).to.equal("documents.completed");
      const rows = await read.findBy(Document, { batchId });
      const requests = await read.findBy(SignatureRequest, { batchId });
      expect(requests.map(({ documentId }) => documentId)).to.have.members(
        rows.map((row) => row.id),
      );
      expect(rows.filter((row) => row.lockToken !== null)).to.deep.equal([]);

      const { merged } = await batchWhen(
        caller,
        mergedId,
        (batch) => batch.merged?.status === "succeeded",
      );
      expect(merged?.pageCount).to.equal(count);
      const reply = await caller.get(`/api/batches/${mergedId}/merged`);
      const pages = await readPdf(new Uint8Array(await reply.arrayBuffer()));
      expect(pages.map(({ text }) => text)).to.deep.equal(
        pages.map((_, at) => `Letter No. ${at}${at + 1} / ${count}`),
      );

      await third.end("SIGKILL");
      await service.stop();
      await service.start();
      expect(await listParts()).to.deep.equal([]);
    });
  });
});
