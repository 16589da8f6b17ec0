import { createHash } from "node:crypto";
import { watch } from "node:fs";
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
import {
  BatchMerge,
  type DatabaseLocation,
  Document,
  SignatureRequest,
  type Store,
  Template,
} from "../../core/storage/database/index.js";
import {
  batchWhen,
  findEvents,
  records,
  sendBatch,
} from "../support/batches.js";
import { reader, requestsTo } from "../support/caller.js";
import { FakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { readPdf } from "../support/read-pdf.js";
import { startServiceProcess } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase, eachDatabase, publish } from "../support/store.js";

function environment(folder: string, location: DatabaseLocation) {
  return {
    PLATEN_DATA: folder,
    PLATEN_DATABASE_URL:
      location.kind === "mysql" ? location.url : `sqlite:${location.file}`,
    PLATEN_WORKER_LEASE: "1s",
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  };
}

/** A template of the demo organization, and requests with its key. */
async function publishInDemo(
  store: Store,
  folder: string,
  url: () => string,
  definition: object,
) {
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  const demo = await store.read.findOneByOrFail(Template, {});
  const { organizationId, createdById: userId } = demo;
  const owner = { organizationId, userId };
  const templateId = await publish(store, owner, { definition });
  return { caller: requestsTo(url, key.trim()), templateId };
}

eachDatabase((open, location) => {
  describe("a batch whose workers are killed", () => {
    const folder = join(suiteFolder(), "data");
    const env = environment(folder, location);
    const count = 12;
    let provider: FakeDocuseal;
    before(async () => {
      provider = await FakeDocuseal.start();
    });
    after(() => provider.server.close());

    it("is completed by other workers: each document once, each sent for signature once, and one documents.completed", async () => {
      const url = await startServiceProcess(env, "serve").url;
      const store = await open();
      const submitter = "Buyer";
      const submitters = [{ role: submitter, email: "buyer@example.com" }];
      const { caller, templateId } = await publishInDemo(
        store,
        folder,
        () => url,
        {
          schema: [{ id: "root", fields: [], connection: { submitters } }],
          components: [
            { type: "text", text: "Order {{ root.name }}" },
            { type: "sign-field", field: "signature", name: "Sign", submitter },
          ],
        },
      );
      const { credentials } = provider;
      const account = { provider: "docuseal", name: "Signing", credentials };
      const saved = await caller.post("/api/connections", account);
      const { id } = await reader(connectionSchema)(saved, 201);
      const startWorker = async () => {
        const workerEnv = { ...env, PLATEN_BASE_URL: url };
        const worker = startServiceProcess(workerEnv, "worker");
        await worker.url;
        return worker;
      };
      const [first, second] = [await startWorker(), await startWorker()];
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["pdf"],
        items: records(count),
        sendForSignature: true,
        esignConnection: id,
      });
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 2);
      first.kill("SIGKILL");
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 4);
      second.kill("SIGKILL");
      await Promise.all([first.ended, second.ended]);
      await startWorker();

      const { documents, counts } = await batchWhen(caller, batchId);
      expect(counts.succeeded).to.equal(count);
      for (const { outputs } of documents) {
        const file = await fetch(outputs[0]?.url ?? "");
        const bytes = Buffer.from(await file.arrayBuffer());
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(outputs[0]?.checksum).to.equal(`sha256:${digest}`);
      }
      const events = await findEvents({ store }, batchId);
      const reported = events.map(({ data: payload }) => payload.documentId);
      expect(new Set(reported).size).to.equal(count + 1);
      expect(events).to.have.length(count + 1);
      expect(events.at(-1)?.type).to.equal("documents.completed");
      const rows = await store.read.findBy(Document, { batchId });
      const requests = await store.read.findBy(SignatureRequest, { batchId });
      expect(requests.map(({ documentId }) => documentId)).to.have.members(
        rows.map((row) => row.id),
      );
      expect(rows.filter((row) => row.lockToken !== null)).to.deep.equal([]);
    });
  });
});

const isPart = (path: string) => /merge-[^/]*$/.test(path);

anyDatabase((open, location) => {
  describe("a service that is killed while it writes a merged file", () => {
    const folder = join(suiteFolder(), "data");
    const count = 20;

    it("makes the file once it runs again, and leaves no part of the first attempt", async () => {
      const env = environment(folder, location);
      const first = startServiceProcess(env);
      let url = await first.url;
      const store = await open();
      const { caller, templateId } = await publishInDemo(
        store,
        folder,
        () => url,
        {
          schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
          components: [{ type: "text", text: "Letter {{ root.name }}" }],
        },
      );
      const isBegun = new Promise<void>((resolve) => {
        const watcher = watch(folder, { recursive: true }, (_event, path) => {
          if (!path || !isPart(path)) return;
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
      const listParts = async () =>
        (await readdir(folder, { recursive: true })).filter(isPart);
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
