import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { LocalFileStore } from "../../core/storage/files/index.js";
import {
  Document,
  Job,
  openStore,
  OutboxEvent,
  UsageCounter,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import { checkAll } from "../../scripts/chaos/check/check-all.js";
import type { Evidence } from "../../scripts/chaos/check/evidence.js";
import { chaosEvidence } from "../support/chaos-evidence.js";
import { silentLog } from "../support/store-log.js";

type Damage = (evidence: Evidence) => Promise<Partial<Evidence> | void>;

const write = (
  { store }: Evidence,
  work: Parameters<typeof store.unitOfWork.run>[0],
) => store.unitOfWork.run(work).then(() => undefined);

/** Each kind of loss, and how a run comes to have one. */
const damages: Record<string, Damage> = {
  "document not ended": (evidence) =>
    write(evidence, (tx) => tx.updateAll(Document, { status: "rendering" })),
  "document not told once": (evidence) =>
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
};

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
    const files = new LocalFileStore(join(folder, "files"));
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

  it("find nothing where nothing is lost", async () => {
    expect(await kindsAfter(async () => undefined)).to.deep.equal([]);
  });

  for (const [kind, damage] of Object.entries(damages))
    it(`find: ${kind}`, async () => {
      expect(await kindsAfter(damage)).to.include(kind);
    });
});
