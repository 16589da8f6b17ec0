import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
import {
  Document,
  SignatureRequest,
  Template,
} from "../../core/storage/database/index.js";
import {
  batchWhen,
  findEvents,
  records,
  sendBatch,
} from "../support/batches.js";
import { requestsTo, reader } from "../support/caller.js";
import { FakeDocuseal } from "../support/fakes/fake-docuseal.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { eachDatabase, publish } from "../support/store.js";

const count = 12;
const savedConnection = reader(connectionSchema);

const connection = {
  submitters: [{ role: "Buyer", email: "buyer@example.com" }],
};
const definition = {
  schema: [{ id: "root", fields: [], connection }],
  components: [
    { type: "text", text: "Order {{ root.name }}" },
    {
      type: "sign-field",
      field: "signature",
      name: "Signature",
      submitter: "Buyer",
    },
  ],
};

eachDatabase((open, location) => {
  describe("a batch whose workers are killed", () => {
    const folder = join(suiteFolder(), "data");
    const database =
      location.kind === "mysql" ? location.url : `sqlite:${location.file}`;
    const env = {
      PLATEN_DATA: folder,
      PLATEN_DATABASE_URL: database,
      PLATEN_WORKER_LEASE: "1s",
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    };
    let provider: FakeDocuseal;
    before(async () => {
      provider = await FakeDocuseal.start();
    });
    after(() => provider.server.close());

    it("is completed by other workers: each document once, each sent for signature once, and one documents.completed", async function () {
      this.timeout(180_000);
      const server = startServiceProcess(env, "serve");
      const url = await server.url;
      const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
      const caller = requestsTo(() => url, key);
      const store = await open();
      const { organizationId, createdById: userId } =
        await store.read.findOneByOrFail(Template, {});
      const owner = { organizationId, userId };
      const templateId = await publish(store, owner, { definition });
      const { credentials } = provider;
      const account = { provider: "docuseal", name: "Signing", credentials };
      const saved = await caller.post("/api/connections", account);
      const { id: esignConnection } = await savedConnection(saved, 201);
      const signing = { sendForSignature: true, esignConnection };
      const worker = (): ServiceProcess =>
        startServiceProcess({ ...env, PLATEN_BASE_URL: url }, "worker");
      const [first, second] = [worker(), worker()];
      await Promise.all([first.url, second.url]);
      const items = records(count);
      const what = { templateId, formats: ["pdf"], items };
      const body = { ...what, ...signing };
      const { batchId } = await sendBatch(caller, body);
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 2);
      first.kill("SIGKILL");
      await batchWhen(caller, batchId, ({ counts }) => counts.succeeded >= 4);
      second.kill("SIGKILL");
      await Promise.all([first.ended, second.ended]);
      await worker().url;

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
        rows.map(({ id }) => id),
      );
      expect(rows.filter((row) => row.lockToken !== null)).to.deep.equal([]);
    });
  });
});
