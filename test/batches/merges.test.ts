import { expect } from "chai";
import { PDFDocument, PDFName, PDFStream } from "@cantoo/pdf-lib";
import { strFromU8, unzipSync } from "fflate";
import { before, describe, it } from "mocha";
import { getDocument, VerbosityLevel } from "unpdf/pdfjs";
import { BatchMerge, Document } from "../../core/storage/database/index.js";
import {
  type BatchReply,
  newBatchCaller,
  startBatch,
} from "../support/batches.js";
import { readError, refusal, type TestCaller } from "../support/caller.js";
import { readPdf } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

const letter = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "name", type: "String" },
        { name: "amount", type: "Number" },
      ],
    },
  ],
  pdf: { tagged: true, outline: true },
  fileName: "Letter to {{ root.name }}",
  components: [
    { type: "heading", level: 1, text: "Hello {{ root.name }}" },
    { type: "text", text: "Regards" },
  ],
};

const contents = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "count", type: "Number" },
        { name: "pageCount", type: "Number" },
        { name: "documents", type: "OneToManyLink", target: "documents" },
      ],
    },
    {
      id: "documents",
      fields: [
        { name: "name", type: "String" },
        { name: "page", type: "Number" },
      ],
    },
  ],
  components: [
    { type: "text", text: "All {{ root.count }} on {{ root.pageCount }}" },
    {
      type: "text",
      collection: { collectionId: "one", path: "root.documents" },
      text: "{{ one.name }}: {{ one.page }}",
    },
  ],
};

const names = ["Cid", "Ada", "Bob"];
const items = names.map((name, index) => ({
  data: { name, amount: [10, 9, 100][index] },
}));

function isMerged({ merged }: BatchReply): boolean {
  return merged !== null && merged.status !== "pending";
}

async function download(caller: TestCaller, batchId: string) {
  const response = await caller.get(`/api/batches/${batchId}/merged`);
  expect(response.status, await response.clone().text()).to.equal(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** The bookmarks with the page that each leads to, from 1, and those below. */
async function readBookmarks(bytes: Uint8Array) {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  const outline = await document.getOutline();
  const bookmarks = [];
  for (const { title, dest, items: below } of outline) {
    const place = Array.isArray(dest) ? dest[0] : null;
    const page = place === null ? 0 : (await document.getPageIndex(place)) + 1;
    bookmarks.push({ title, page, below: below.map((one) => one.title) });
  }
  await task.destroy();
  return bookmarks;
}

/** The roles of the tags of a page and of all tags inside them. */
async function readRoles(bytes: Uint8Array, number: number): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(bytes) });
  const document = await task.promise;
  const tree = await (await document.getPage(number)).getStructTree();
  await task.destroy();
  const list = (node: unknown): string[] => {
    if (typeof node !== "object" || node === null) return [];
    const role = "role" in node ? [String(node.role)] : [];
    const children =
      "children" in node && Array.isArray(node.children) ? node.children : [];
    return [...role, ...children.flatMap(list)];
  };
  return list(tree);
}

describe("the merged file of a batch", () => {
  const service = useService();
  const start = async (body: object, template: object = {}) => {
    const what = { formats: ["pdf"], items, ...body };
    const batch = await startBatch(service, what, template);
    const path = `/api/batches/${batch.batchId}/merged`;
    return { ...batch, path, whenMerged: () => batch.when(isMerged) };
  };
  const publishContents = async (caller: TestCaller) =>
    publish(service.store, caller, { definition: contents });
  let letters: Awaited<ReturnType<typeof start>>;
  before(async () => {
    const wrong = { data: { constructor: 1 } };
    const all = { items: [wrong, ...items], merge: { formats: ["pdf"] } };
    letters = await start(all, { definition: letter });
  });

  it("has all documents that succeeded in order, with bookmarks, tags and page numbers, and names the others", async () => {
    const { caller, batchId, path, whenMerged } = letters;
    const { merged, documents } = await whenMerged();
    const bytes = await download(caller, batchId);
    const [wrong, first] = documents;
    const reason = wrong?.error;
    expect(merged).to.deep.equal({
      status: "succeeded",
      url: service.url + path,
      pageCount: 3,
      sizeBytes: bytes.length,
      leftOut: {
        count: 1,
        documents: [{ documentId: wrong?.id, batchIndex: 0, reason }],
      },
      error: null,
      expiresAt: first?.expiresAt,
    });
    const texts = (await readPdf(bytes)).map(({ text }) => text);
    expect(texts).to.deep.equal(
      names.map((name, at) => `Hello ${name}Regards${at + 1} / 3`),
    );
    expect(await readBookmarks(bytes)).to.deep.equal(
      names.map((name, at) => ({
        title: `Letter to ${name}`,
        page: at + 1,
        below: [`Hello ${name}`],
      })),
    );
    expect(await readRoles(bytes, 3)).to.include.members(["H1", "P"]);
  });

  it("is not visible to other organizations", async () => {
    const other = await newBatchCaller(service);
    for (const response of [
      other.get(letters.path),
      other.post(letters.path, {}),
    ])
      expect(await refusal(response)).to.equal("404 There is no such batch.");
  });

  it("is gone after the expiry of its documents", async () => {
    const { batchId, caller, path } = letters;
    await service.store.unitOfWork.run((tx) =>
      tx.update(BatchMerge, { batchId }, { expiresAt: new Date(0) }),
    );
    expect(await refusal(caller.get(path))).to.equal(
      "410 The merged file of this batch has expired.",
    );
  });

  it("is made on request: sorted by a field, with each document on an odd page after a cover with its page", async () => {
    const { batchId, caller, path, when, whenMerged } = await start(
      {},
      { definition: letter },
    );
    await when();
    const missing = await caller.get(path);
    expect(missing.status).to.equal(404);
    expect(await readError(missing)).to.equal(
      `This batch has no merged file. Request one with POST ${path}.`,
    );
    const response = await caller.post(path, {
      order: "root.amount",
      descending: true,
      cover: await publishContents(caller),
      separators: "blank",
      pageNumbers: false,
    });
    expect(response.status).to.equal(202);
    await whenMerged();
    const pages = await readPdf(await download(caller, batchId));
    expect(pages.map(({ text }) => text)).to.deep.equal([
      "All 3 on 7Letter to Bob: 3Letter to Cid: 5Letter to Ada: 7",
      "",
      "Hello BobRegards",
      "",
      "Hello CidRegards",
      "",
      "Hello AdaRegards",
    ]);
  });

  it("conforms to the standards of all its documents, and its cover does too", async () => {
    const renderOptions = { pdf: { conformance: ["pdf/a-2u", "pdf/ua-1"] } };
    const { batchId, caller, path, when, whenMerged } = await start(
      { renderOptions },
      { definition: letter },
    );
    await when();
    await caller.post(path, { cover: await publishContents(caller) });
    await whenMerged();
    const bytes = await download(caller, batchId);
    const { catalog } = await PDFDocument.load(bytes);
    const metadata = catalog.lookup(PDFName.of("Metadata"), PDFStream);
    const xmp = Buffer.from(metadata.getContents()).toString();
    expect(xmp).to.contain("<pdfaid:part>2</pdfaid:part>");
    expect(xmp).to.contain("<pdfaid:conformance>U</pdfaid:conformance>");
    expect(xmp).to.contain("<pdfuaid:part>1</pdfuaid:part>");
    expect(catalog.has(PDFName.of("OutputIntents"))).to.equal(true);
    expect(await readRoles(bytes, 1)).to.include("P");
  });

  it("fails with a reason when no document succeeded", async () => {
    const { caller, path, whenMerged } = await start({
      items: [{ data: { constructor: 1 } }],
      merge: {},
    });
    const error = "no document of this batch has a PDF that can be joined.";
    expect((await whenMerged()).merged).to.deep.equal({
      status: "failed",
      url: null,
      pageCount: null,
      sizeBytes: null,
      leftOut: { count: 0, documents: [] },
      error,
      expiresAt: null,
    });
    expect(await refusal(caller.get(path))).to.equal(
      `409 The documents of this batch could not be merged: ${error}`,
    );
  });

  it("is rejected for a batch without PDFs and for an unknown cover", async () => {
    const { caller, templateId } = letters;
    const cover = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";
    for (const [body, message] of [
      [
        { formats: ["html"], merge: {} },
        "$.merge: requires the format pdf: add it to the batch's formats.",
      ],
      [
        { formats: ["pdf"], merge: { cover } },
        "$.merge.cover: There is no such template.",
      ],
    ] as const) {
      const request = { templateId, items, ...body };
      const response = caller.post("/api/export/batch", request);
      expect(await refusal(response)).to.equal(
        `400 The batch cannot be merged. ${message}`,
      );
    }
  });
});

describe("a batch that is not completed", () => {
  const service = useService({ role: "serve" });

  it("refuses everything that needs its documents", async () => {
    const body = { formats: ["pdf"], items, merge: {} };
    const { batchId, caller } = await startBatch(service, body);
    const base = `/api/batches/${batchId}`;
    const notReady =
      "409 The merged file of this batch is not ready yet. Wait until the batch's `merged.status` is succeeded.";
    const merged = await caller.get(`${base}/merged`);
    expect(merged.headers.get("retry-after")).to.equal("5");
    for (const [response, message] of [
      [merged, notReady],
      [caller.post(`${base}/merged`, {}), notReady],
      [
        caller.get(`${base}/archive`),
        "409 No document of this batch is ready yet. Wait until the batch is completed.",
      ],
      [
        caller.post(`${base}/retry`, {}),
        "409 This batch is not completed yet. Wait until it is, or cancel it.",
      ],
    ] as const)
      expect(await refusal(response)).to.equal(message);
  });
});

describe("the archive of a batch", () => {
  const service = useService();
  const downloadArchive = async (data: object[], template?: object) => {
    const { batchId, caller, when } = await startBatch(
      service,
      { formats: ["html", "mjml"], items: data.map((one) => ({ data: one })) },
      template,
    );
    await when();
    return caller.get(`/api/batches/${batchId}/archive`);
  };

  it("contains every file under a unique name", async () => {
    const response = await downloadArchive(
      ["Ada", "ADA", "../Bob"].map((name) => ({ name })),
      { definition: { ...definition, fileName: "Letter to {{ root.name }}" } },
    );
    expect(response.headers.get("content-type")).to.equal("application/zip");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).to.deep.equal([
      "Letter to Ada.html",
      "Letter to Ada.mjml",
      "Letter to ADA (2).html",
      "Letter to ADA (2).mjml",
      "Letter to ..-Bob.html",
      "Letter to ..-Bob.mjml",
    ]);
    const second = files["Letter to ADA (2).html"] ?? new Uint8Array();
    expect(strFromU8(second)).to.contain("Hello ADA");
  });

  it("is gone after the expiry of its files", async () => {
    const { batchId, caller, when } = await startBatch(service);
    await when();
    await service.store.unitOfWork.run((tx) =>
      tx.update(Document, { batchId }, { expiresAt: new Date(0) }),
    );
    expect(
      await refusal(caller.get(`/api/batches/${batchId}/archive`)),
    ).to.equal("410 The files of this batch have expired.");
  });

  it("is rejected with 409 while it would be empty", async () => {
    expect(await refusal(downloadArchive([{ constructor: 1 }]))).to.equal(
      "409 No document of this batch succeeded, so there is nothing to download.",
    );
  });
});
