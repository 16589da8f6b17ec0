import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { MergeWorker } from "../../core/batches/index.js";
import { RenderPipeline } from "../../core/documents/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import {
  type ErrorCode,
  type FileStore,
  PlatenError,
} from "../../core/plugin-api/index.js";
import {
  type JobOutcome,
  type PoisonHandler,
  QUEUE,
  type RunningJob,
} from "../../core/queue/index.js";
import {
  Batch,
  BatchMerge,
  Document,
} from "../../core/storage/database/index.js";
import { containerWith, startBatch } from "../support/batches.js";
import { getRejection } from "../support/store.js";
import { useService } from "../support/service.js";

const past = new Date(0);
const output = {
  label: "pdf",
  url: "",
  mimeType: "application/pdf",
  sizeBytes: 1,
  checksum: "",
};
const later = new Date("2099-01-01T00:00:00Z");

/** A PDF whose pages are so wide. */
async function makePdf(...widths: number[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (const width of widths) pdf.addPage([width, 100]);
  return pdf.save();
}

describe("the worker that merges batches", () => {
  const service = useService({ role: "serve" });
  let work: (job: RunningJob) => Promise<JobOutcome>;
  let endPoison: PoisonHandler;
  const queued: unknown[] = [];
  const sweeps: Record<string, () => Promise<void>> = {};
  const intervals: Record<string, number> = {};
  /** What the queue and the file store were asked to do. */
  const calls: unknown[] = [];
  const stored = new Map<string, Uint8Array>();
  const covers: unknown[] = [];
  let open: (key: string) => Promise<Uint8Array | null>;
  let coverPages: number[] = [];

  const renderPart: RenderPipeline["renderPart"] = async ({ data }) => {
    covers.push(data);
    const pages = coverPages.shift() ?? 1;
    return { bytes: await makePdf(...Array(pages).fill(50)), pages };
  };

  before(() => {
    const files: Partial<FileStore> = {
      open: async (key) => {
        const bytes = await open(key);
        const stream = bytes && Readable.from([Buffer.from(bytes)]);
        return stream && { sizeBytes: bytes.length, stream };
      },
      put: async (key, body) => {
        stored.set(key, body instanceof Readable ? await buffer(body) : body);
        return { sizeBytes: stored.get(key)!.length, checksum: "" };
      },
      delete: async (key) => void calls.push(`delete ${key}`),
      async *keys(folder) {
        calls.push(`keys of ${folder}`);
        yield* [...stored.keys(), "merged/aa/notes.txt"];
      },
      deleteIfOlder: async (key) => {
        calls.push(`delete if old ${key}`);
        return true;
      },
    };
    const container = containerWith(service, [
      [FILE_STORE, files],
      [RenderPipeline, { renderPart }],
      [
        QUEUE,
        {
          work: (
            kind: string,
            ...more: [object, typeof work, PoisonHandler]
          ) => {
            queued.push(kind, more[0]);
            [, work, endPoison] = more;
          },
          every: (name: string, ms: number, run: () => Promise<void>) => {
            intervals[name] = ms;
            sweeps[name] = run;
          },
          enqueue: async (_tx: unknown, jobs: object[]) =>
            void calls.push(...jobs),
          nudge: (kind: string) => calls.push(`nudge ${kind}`),
        },
      ],
    ]);
    container.resolve(MergeWorker).register();
  });

  it("merges one batch at a time, and looks for batches and old files at intervals", () => {
    expect(queued).to.eql([
      "batch-merge",
      { concurrency: 1, maxInterruptions: 3 },
    ]);
    expect(intervals).to.eql({
      "batch-merge": 2000,
      "batch-merge-files": 3_600_000,
    });
  });

  beforeEach(() => {
    calls.length = 0;
    covers.length = 0;
    stored.clear();
    open = async (key) => makePdf(100 + Number(key.split("/")[1]));
  });

  /** A completed batch, whose documents have succeeded but for these changes; its file is to be made. */
  async function complete(
    documents: readonly Partial<
      Pick<Document, "status" | "error" | "outputs" | "expiresAt">
    >[],
    options: object = {},
    data: readonly object[] = [],
  ) {
    const accepted = await startBatch(service, {
      formats: ["pdf"],
      items: documents.map((_, at) => ({ data: data[at] ?? {} })),
      merge: {},
    });
    const { batchId } = accepted;
    await service.store.unitOfWork.run(async (tx) => {
      await tx.update(Batch, { id: batchId }, { status: "completed" });
      for (const [at, change] of documents.entries())
        await tx.update(
          Document,
          { batchId, batchIndex: at },
          {
            status: "succeeded",
            fileName: `Letter ${at}`,
            expiresAt: later,
            outputs: [{ ...output, storageKey: `outputs/${at}` }],
            ...change,
          },
        );
      const row = await tx.findOneByOrFail(BatchMerge, { batchId });
      const merged = {
        status: "pending",
        options: { ...row.options, ...options },
      } as const;
      await tx.update(BatchMerge, { batchId }, merged);
    });
    return accepted;
  }

  const read = async (batchId: string) => {
    const { read: rows } = service.store;
    return rows.findOneByOrFail(BatchMerge, { batchId });
  };
  const run = (
    rowId: string,
    { attempt = 1, signal = new AbortController().signal } = {},
    finish = () => Promise.resolve(),
  ) => work({ rowId, attempt, signal, complete: finish });
  const readWidths = async (batchId: string) => {
    const { storageKey } = await read(batchId);
    const pdf = await PDFDocument.load(stored.get(storageKey ?? "") ?? "");
    return pdf.getPages().map((page) => page.getWidth());
  };

  it("stores the file with what it has and what is missing in it, and why", async () => {
    const { batchId, documents } = await complete([
      {},
      { status: "failed", error: "No name." },
      { status: "expired", error: null },
      { outputs: [] },
      { expiresAt: past },
      {},
      {},
      { expiresAt: new Date("2098-01-01T00:00:00Z") },
    ]);
    open = async (key) => {
      if (key === "outputs/5") return null;
      if (key === "outputs/6") return Buffer.from("%PDF-1.7 damaged");
      return makePdf(key === "outputs/0" ? 100 : 107);
    };
    await run(batchId);
    const row = await read(batchId);
    expect(row).to.deep.include({
      status: "succeeded",
      error: null,
      pageCount: 2,
      expiresAt: new Date("2098-01-01T00:00:00Z"),
      leftOut: {
        count: 6,
        documents: [
          "No name.",
          "expired",
          "It has no PDF.",
          "Its files have expired.",
          "Its files have expired.",
          "Its PDF is damaged or encrypted.",
        ].map((reason, at) => ({
          documentId: documents[at + 1]?.id,
          batchIndex: at + 1,
          reason,
        })),
      },
    });
    const key = row.storageKey ?? "";
    expect(key).to.match(
      new RegExp(`^merged/(..)/${batchId}\\.\\1[0-9a-f]{30}\\.pdf$`),
    );
    expect(row.sizeBytes).to.equal(stored.get(key)?.length);
    expect(await readWidths(batchId)).to.eql([100, 107]);
  });

  it("names at most a hundred documents that are missing in the file", async () => {
    const missing = Array.from({ length: 101 }, () => ({ outputs: [] }));
    const { batchId } = await complete([{}, ...missing]);
    await run(batchId);
    const { leftOut } = await read(batchId);
    expect(leftOut?.count).to.equal(101);
    expect(leftOut?.documents.map(({ batchIndex }) => batchIndex)).to.eql(
      missing.map((_, at) => at + 1).slice(0, 100),
    );
  });

  it("sorts by the request or a field, numbers by their size, what lacks it last, also in reverse", async () => {
    const data = [
      { name: "Cid", amount: 10, to: { city: "Ulm" } },
      { name: "Dan", request: 1 },
      { name: "Ada", amount: 9, to: { city: "Bonn" }, request: 2 },
      { name: "Bob", amount: 100, to: "Bonn" },
      { name: "Eve", amount: "12", to: { city: "ULM" } },
    ];
    for (const [options, expected] of [
      [{}, "Cid Dan Ada Bob Eve"],
      [{ descending: true }, "Eve Bob Ada Dan Cid"],
      [{ order: "root.amount" }, "Ada Cid Eve Bob Dan"],
      [{ order: "amount", descending: true }, "Bob Eve Cid Ada Dan"],
      [{ order: "request" }, "Cid Dan Ada Bob Eve"],
      [{ order: "root.request" }, "Dan Ada Cid Bob Eve"],
      [{ order: "root.to.city" }, "Ada Cid Eve Dan Bob"],
    ] as const) {
      const none = data.map(() => ({}));
      const { batchId } = await complete(none, options, data);
      const names: unknown[] = [];
      open = async (key) => {
        names.push(data[Number(key.split("/")[1])]?.name);
        return null;
      };
      await run(batchId);
      expect(names.join(" "), JSON.stringify(options)).to.equal(expected);
    }
  });

  const cover = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";
  for (const [what, options, pages, expected] of [
    ["of one page", {}, [1], [[2, 3]]],
    [
      "of two pages",
      {},
      [2, 2],
      [
        [2, 3],
        [3, 4],
      ],
    ],
    [
      "whose length never settles",
      {},
      [2, 3, 2],
      [
        [2, 3],
        [3, 4],
        [4, 5],
      ],
    ],
    [
      "before documents that begin on odd pages",
      { separators: "blank" },
      [2, 2],
      [
        [3, 5],
        [3, 5],
      ],
    ],
  ] as const)
    it(`prints a cover ${what} until its page numbers are right, at most three times`, async () => {
      const { batchId } = await complete([{}, {}], { ...options, cover });
      coverPages = [...pages];
      await run(batchId);
      const { createdAt } = await service.store.read.findOneByOrFail(Batch, {
        id: batchId,
      });
      expect(covers).to.eql(
        expected.map((numbers) => ({
          batchId,
          title: "Letter",
          createdAt: createdAt.toISOString(),
          count: 2,
          pageCount: numbers[1],
          documents: numbers.map((page, at) => ({
            name: `Letter ${at}`,
            page,
            pages: 1,
          })),
        })),
      );
      const [first] = await readWidths(batchId);
      expect(first).to.equal(50);
    });

  const fault = "An unexpected fault.";
  for (const [code, attempt, error] of [
    ["conflict", 1, "Why."],
    ["invalid_request", 1, "Why."],
    ["merge_failed", 1, "Why."],
    ["not_found", 1, "Why."],
    ["too_large", 1, "Why."],
    ["unavailable", 1, null],
    ["unavailable", 2, null],
    ["unavailable", 3, "Why."],
    [null, 2, null],
    [null, 3, fault],
  ] as const satisfies [ErrorCode | null, number, string | null][])
    it(`${error ? "fails" : "tries again"} after ${code ?? "a fault"} at attempt ${attempt}`, async () => {
      const { batchId } = await complete([{}]);
      const thrown = code ? new PlatenError(code, "Why.") : new Error("Why.");
      open = () => Promise.reject(thrown);
      const outcome = run(batchId, { attempt });
      if (error) await outcome;
      else expect(await getRejection(outcome)).to.equal(thrown);
      expect(await read(batchId)).to.include({
        status: error ? "failed" : "pending",
        error,
      });
    });

  it("fails a batch of which no document can be joined, and one whose processes ended", async () => {
    const empty = await complete([{ outputs: [] }]);
    await run(empty.batchId);
    expect(await read(empty.batchId)).to.deep.include({
      status: "failed",
      error: "no document of this batch has a PDF that can be joined.",
      leftOut: null,
    });
    const poison = await complete([{}]);
    await endPoison(poison.batchId, 3);
    expect(await read(poison.batchId)).to.include({
      status: "failed",
      error: "the process that merged them ended 3 times.",
    });
  });

  it("leaves a batch as it is when the service ends, another worker has it, or its file is made", async () => {
    const { batchId } = await complete([{}]);
    const signal = AbortSignal.abort(new Error("End."));
    const aborted = run(batchId, { attempt: 3, signal });
    expect(await getRejection(aborted)).to.have.property("message", "End.");
    const lost = run(batchId, {}, () => Promise.reject(new Error("Lost.")));
    expect(await getRejection(lost)).to.have.property("message", "Lost.");
    expect(await read(batchId)).to.include({ status: "pending", error: null });
    await run(batchId);
    const done = await read(batchId);
    await run(batchId);
    await endPoison(batchId, 3);
    expect(await read(batchId)).to.eql(done);
  });

  it("makes the files of completed batches alone, once", async () => {
    const ready = await complete([{}]);
    const running = await complete([{}]);
    await service.store.unitOfWork.run(async (tx) => {
      await tx.update(BatchMerge, { status: "waiting" }, { status: "failed" });
      for (const { batchId } of [ready, running])
        await tx.update(BatchMerge, { batchId }, { status: "waiting" });
      await tx.update(Batch, { id: running.batchId }, { status: "running" });
    });
    const job = {
      kind: "batch-merge",
      rowId: ready.batchId,
      partitionKey: ready.caller.organizationId,
    };
    for (const _ of "ab") {
      await sweeps["batch-merge"]?.();
      expect(calls).to.eql([job, "nudge batch-merge"]);
    }
    expect((await read(ready.batchId)).status).to.equal("pending");
    expect((await read(running.batchId)).status).to.equal("waiting");
  });

  it("deletes files that have expired or that no batch has", async () => {
    const [old, fresh] = [await complete([{}]), await complete([{}])];
    const keys = [old, fresh, fresh].map(({ batchId }, at) => {
      const random = `${at}`.repeat(32);
      return `merged/${at}${at}/${batchId}.${random}.pdf`;
    });
    for (const key of keys) stored.set(key, Buffer.from(""));
    await service.store.unitOfWork.run(async (tx) => {
      for (const [at, { batchId }] of [old, fresh].entries())
        await tx.update(
          BatchMerge,
          { batchId },
          {
            status: "succeeded",
            storageKey: keys[at] ?? "",
            expiresAt: at === 0 ? past : later,
          },
        );
    });
    await sweeps["batch-merge-files"]?.();
    stored.delete(keys[0] ?? "");
    await sweeps["batch-merge-files"]?.();
    expect(calls).to.eql([
      `delete ${keys[0]}`,
      "keys of merged",
      `delete if old ${keys[0]}`,
      `delete if old ${keys[2]}`,
      "keys of merged",
      `delete if old ${keys[2]}`,
    ]);
    expect((await read(old.batchId)).storageKey).to.equal(null);
    expect((await read(fresh.batchId)).storageKey).to.equal(keys[1]);
  });
});
