import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import {
  Document,
  DocumentText,
  Job,
  NumberSequence,
  openStore,
  OutboxEvent,
  SequenceNumber,
  UsageCounter,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import {
  FilesAndTexts,
  LocalFileStore,
} from "../../core/storage/files/index.js";
import { checkAll, type Evidence } from "../../scripts/chaos/checks.js";
import {
  ENDPOINTS,
  FlakyReceiver,
} from "../../scripts/chaos/flaky-receiver.js";
import { waitUntilDrained } from "../../scripts/chaos/drain.js";
import { numberedDefinition } from "../../scripts/chaos/numbers.js";
import { newBatchCaller, records, sendBatch } from "../support/batches.js";
import { silentLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

type Damage = (evidence: Evidence) => Promise<Partial<Evidence> | void>;

const write = (
  { store }: Evidence,
  work: Parameters<typeof store.unitOfWork.run>[0],
) => store.unitOfWork.run(work).then(() => undefined);

/** Each kind of loss, and how a run comes to have one. */
const damages: Record<string, Damage> = {
  "document not ended": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Document, { status: "rendering" })),
  "document not reported once": (evidence) =>
    write(evidence, (tx) =>
      tx.update(
        OutboxEvent,
        { type: "document.succeeded" },
        { type: "document.failed" },
      ),
    ),
  "document without its files": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Document, { outputs: [] })),
  "usage not counted once": (evidence) =>
    write(evidence, (tx) => tx.updateAll(UsageCounter, { amount: 4 })),
  "batch accepted twice": async () => ({ accepted: [] }),
  "delivery not ended": (evidence) =>
    write(evidence, (tx) =>
      tx.updateAll(WebhookDelivery, { status: "pending" }),
    ),
  "message lost": async () => ({ arrivals: [] }),
  "end of batch early": async ({ arrivals }) => ({
    arrivals: arrivals.toReversed(),
  }),
  "end of batch repeated": async ({ arrivals }) => ({
    arrivals: [...arrivals, ...arrivals.map((one) => ({ ...one, id: "2" }))],
  }),
  "file damaged": async ({ files }) => {
    for await (const key of files.keys("outputs"))
      await files.put(key, Buffer.from("another text"));
  },
  "file missing": async ({ files }) => {
    for await (const key of files.keys("outputs")) await files.delete(key);
  },
  "orphaned file": async ({ files }) =>
    void (await files.put("outputs/ab/nobodys.txt", Buffer.from("text"))),
  "job locked": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Job, { lockToken: "token" })),
  "job left": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Job, { kind: "document" })),
  "number missing": (evidence) =>
    write(evidence, (tx) => tx.updateAll(NumberSequence, { nextValue: 9 })),
  "number left open": (evidence) =>
    write(evidence, (tx) =>
      tx.updateAll(SequenceNumber, { confirmedAt: null }),
    ),
  "number given twice": (evidence) =>
    write(evidence, (tx) =>
      tx.updateAll(Document, {
        metadata: { platen: { numbers: { chaos: "N-000001" } } },
      }),
    ),
  "number of another document": (evidence) =>
    write(evidence, (tx) =>
      tx.updateAll(SequenceNumber, { documentId: "doc_other" }),
    ),
  "number printed wrongly": (evidence) =>
    write(evidence, (tx) =>
      tx.updateAll(DocumentText, { content: deflateRawSync("N-000009") }),
    ),
  "test with a number": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Document, { isTest: true })),
  "number answered twice": async () => ({ printed: ["N-000001", "N-000001"] }),
  "answered number not recorded": async () => ({ printed: ["N-000009"] }),
};

const timeoutMs = 30_000;
const { outbound } = parseConfig({
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.2/32",
});

describe("the checks of a chaos run", () => {
  const run = chaosEvidence();
  const copies: string[] = [];

  /** What the run left, once more, to be damaged. */
  const copy = async () => {
    const folder = `${run.folder}-${copies.length}`;
    copies.push(folder);
    await cp(run.folder, folder, { recursive: true });
    const file = join(folder, "platen.sqlite");
    const database = { kind: "sqlite", file } as const;
    const store = await openStore({ database, migrate: false, log: silentLog });
    const files = new FilesAndTexts(
      new LocalFileStore(join(folder, "files")),
      store,
    );
    return { ...run.facts, store, files };
  };
  const kindsAfter = async (damage: Damage) => {
    const evidence = await copy();
    const changed = await damage(evidence);
    const losses = await checkAll({ ...evidence, ...changed });
    await evidence.store.close();
    return losses.map(({ kind }) => kind);
  };
  before(() => run.finish());
  after(async () => {
    for (const folder of copies) await rm(folder, { recursive: true });
  });

  it("report nothing when nothing was lost", async () => {
    expect(await kindsAfter(async () => undefined)).to.deep.equal([]);
  });

  for (const [kind, damage] of Object.entries(damages))
    it(`report ${kind}`, async () => {
      expect(await kindsAfter(damage)).to.include(kind);
    });
});

/** A small batch that goes well, with its webhooks, and what it leaves in the folder of its service. */
function chaosEvidence() {
  const receiver = new FlakyReceiver(1);
  after(() => receiver.close());
  const service = useService({ config: { outbound } });
  const facts: Omit<Evidence, "store" | "files"> = {
    accepted: [],
    arrivals: receiver.arrivals,
    endpoints: { steady: "", flaky: "", leaving: "" },
    printed: [],
  };
  return {
    folder: service.dataFolder,
    facts,
    /** Resolves when all is done and the service has ended. */
    async finish(): Promise<void> {
      await receiver.listen();
      receiver.acceptAll();
      const caller = await newBatchCaller(service);
      const ids = new Map<string, string>();
      for (const name of ENDPOINTS) {
        const url = receiver.getUrl(name);
        const response = await caller.post("/api/webhooks", { url });
        const { id }: { id: string } = JSON.parse(await response.text());
        ids.set(name, id);
      }
      const getId = (name: string) => ids.get(name) ?? "";
      const [steady, flaky, leaving] = ENDPOINTS.map(getId);
      Object.assign(facts.endpoints, { steady, flaky, leaving });
      const templateId = await publish(service.store, caller, {
        definition: numberedDefinition,
      });
      const formats = ["html", "pdf"];
      const body = { templateId, formats, items: records(3) };
      facts.accepted = [await sendBatch(caller, body)];
      const left = await waitUntilDrained(service.store, timeoutMs);
      if (left !== null) throw new Error(`not done in time: ${left}`);
      await service.stop();
    },
  };
}
