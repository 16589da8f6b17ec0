import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { Batches, MergeWorker } from "../../core/batches/index.js";
import { RenderPipeline } from "../../core/documents/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import {
  type ErrorCode,
  type FileStore,
  formatError,
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
  newId,
  SignatureRequest,
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

const signedOutputs = ["pdf", "signed", "audit"].map((label) => ({
  ...output,
  label,
  storageKey: `${label}.pdf`,
}));

/** A PDF whose pages are so wide. */
async function makePdf(...widths: number[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (const width of widths) pdf.addPage([width, 100]);
  return pdf.save();
}

describe("the files of a batch and the worker that merges them", () => {
  const service = useService({ role: "serve" });
  let batches: Batches;
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
    batches = container.resolve(Batches);
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
      Pick<
        Document,
        | "status"
        | "error"
        | "outputs"
        | "expiresAt"
        | "fileName"
        | "completedAt"
      >
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
      {},
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
      pageCount: 3,
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
    expect(await readWidths(batchId)).to.eql([100, 107, 107]);
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
    stored.clear();
    await run(batchId);
    expect(stored).to.have.property("size", 0);
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

  const notReady =
    "The merged file of this batch is not ready yet. Wait until the batch's `merged.status` is succeeded.";
  const gone = "The merged file of this batch has expired.";
  for (const [what, change, code, message] of [
    ["waits for its batch", { status: "waiting" }, "conflict", notReady],
    ["is being made", { status: "pending" }, "conflict", notReady],
    [
      "failed",
      { status: "failed", error: "Why." },
      "conflict",
      "The documents of this batch could not be merged: Why.",
    ],
    ["has expired", { expiresAt: past }, "gone", gone],
    ["was deleted", { storageKey: null }, "gone", gone],
    ["is missing", { storageKey: "merged/none" }, "gone", gone],
    ["is there", {}, null, null],
    ["is kept without end", { expiresAt: null }, null, null],
  ] as const)
    it(`returns the file, or says why not, when it ${what}, and makes another where none is being made`, async () => {
      const { batchId, caller } = await complete([{}]);
      const { organizationId } = caller;
      await service.store.unitOfWork.run((tx) =>
        tx.update(
          BatchMerge,
          { batchId },
          {
            status: "succeeded",
            storageKey: "merged/1",
            expiresAt: later,
            ...change,
          },
        ),
      );
      open = async (key) => (key === "merged/1" ? Buffer.from("A") : null);
      const opened = batches.merged(organizationId, batchId);
      if (code)
        expect(await getRejection(opened)).to.include({ code, message });
      else expect(await text((await opened).stream)).to.equal("A");
      const again = batches.merge(organizationId, batchId, { order: "name" });
      if (message === notReady) {
        const error = await getRejection(again);
        expect(error).to.include({ code, message, retryAfterSeconds: 5 });
        return;
      }
      const { storageKey } = await read(batchId);
      await again;
      expect(calls).to.eql(storageKey === null ? [] : [`delete ${storageKey}`]);
      expect(await read(batchId)).to.deep.include({
        status: "waiting",
        storageKey: null,
        error: null,
        expiresAt: null,
        options: {
          order: "name",
          descending: false,
          bookmarks: true,
          pageNumbers: true,
        },
      });
    });

  it("returns no file that was never requested", async () => {
    const { batchId, caller } = await complete([{}]);
    await service.store.unitOfWork.run((tx) =>
      tx.delete(BatchMerge, { batchId }),
    );
    const opened = batches.merged(caller.organizationId, batchId);
    expect(await getRejection(opened)).to.include({
      code: "not_found",
      message: `This batch has no merged file. Request one with POST /api/batches/${batchId}/merged.`,
    });
  });

  it("refuses a batch without PDFs, and a cover that does not exist", async () => {
    const { batchId, caller } = await complete([{}]);
    const { organizationId } = caller;
    const merge = async (request: object) =>
      formatError(
        await getRejection(batches.merge(organizationId, batchId, request)),
      );
    expect(await merge({ cover })).to.equal(
      "The batch cannot be merged. $.merge.cover: There is no such template.",
    );
    await service.store.unitOfWork.run((tx) =>
      tx.update(Batch, { id: batchId }, { formats: ["html"] }),
    );
    expect(await merge({})).to.equal(
      "The batch cannot be merged. $.merge: requires the format pdf: add it to the batch's formats.",
    );
  });

  const list = async (caller: { organizationId: string }, batchId: string) => {
    const names: string[] = [];
    const { organizationId } = caller;
    for await (const entry of await batches.archive(organizationId, batchId)) {
      const { name, modifiedAt, content } = entry;
      names.push(`${name} ${modifiedAt.toISOString()} ${await text(content)}`);
    }
    return names;
  };

  it("returns the files that are ready under unique names, with the time at which they were", async () => {
    const { batchId, caller } = await complete(
      ["a", "A", "a (2)", "../b", null, "c", "c", "d"].map((fileName, at) => ({
        fileName,
        completedAt: new Date(Date.UTC(2026, 0, at + 1)),
        outputs: ["html", at === 7 ? "signed" : "pdf"].map((label) => ({
          ...output,
          label,
          storageKey: `${label}/${at}.${label}`,
        })),
        ...(at === 6 && { status: "failed" }),
        ...(at === 7 && { expiresAt: past }),
      })),
    );
    open = async (key) => (key === "html/1.html" ? null : Buffer.from(key));
    expect(await list(caller, batchId)).to.eql(
      [
        "a.html 01 html/0.html",
        "a.pdf 01 pdf/0.pdf",
        "A (2).pdf 02 pdf/1.pdf",
        "a (2).html 03 html/2.html",
        "a (2) (2).pdf 03 pdf/2.pdf",
        "b.html 04 html/3.html",
        "b.pdf 04 pdf/3.pdf",
        "document.html 05 html/4.html",
        "document.pdf 05 pdf/4.pdf",
        "c.html 06 html/5.html",
        "c.pdf 06 pdf/5.pdf",
        "d-signed.signed 08 signed/7.signed",
      ].map((line) => line.replace(/ (\d\d) /, " 2026-01-$1T00:00:00.000Z ")),
    );
  });

  it("closes the file that is being read when a download ends early", async () => {
    const { batchId, caller } = await complete([{}]);
    let last: Readable | undefined;
    for await (const { content } of await batches.archive(
      caller.organizationId,
      batchId,
    )) {
      expect(content.destroyed).to.equal(false);
      last = content;
      break;
    }
    expect(last?.destroyed).to.equal(true);
  });

  it("returns the signed files after the expiry of the others", async () => {
    const { batchId, caller, documents } = await complete([
      { expiresAt: past, outputs: signedOutputs },
    ]);
    const { organizationId, userId: createdById } = caller;
    await service.store.unitOfWork.run((tx) =>
      tx.insert(SignatureRequest, {
        id: newId(),
        organizationId,
        documentId: documents[0]?.id ?? "",
        batchId,
        connectionId: "",
        provider: "docuseal",
        status: "completed",
        title: "",
        submitters: [],
        boxes: [],
        warnings: [],
        lookups: 0,
        attempts: 0,
        createdById,
        createdAt: past,
        updatedAt: past,
      }),
    );
    open = async (key) => Buffer.from(key);
    expect(await list(caller, batchId)).to.have.length(2);
  });

  for (const [documents, change, code, message] of [
    [
      [{ status: "failed" }],
      {},
      "conflict",
      "No document of this batch succeeded, so there is nothing to download.",
    ],
    [
      [{ status: "failed" }],
      { status: "running" },
      "conflict",
      "No document of this batch is ready yet. Wait until the batch is completed.",
    ],
    [
      [{ expiresAt: past }, { expiresAt: past }],
      {},
      "gone",
      "The files of this batch have expired.",
    ],
    [[{ expiresAt: past }, {}, { expiresAt: past }], {}, null, ""],
  ] as const)
    it(`returns no archive because: ${message || "it does"}`, async () => {
      const { batchId, caller } = await complete(documents);
      await service.store.unitOfWork.run((tx) =>
        tx.update(Batch, { id: batchId }, { status: "completed", ...change }),
      );
      const listed = list(caller, batchId);
      if (code)
        expect(await getRejection(listed)).to.include({ code, message });
      else expect(await listed).to.have.length(1);
    });
});
