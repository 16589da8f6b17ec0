import { expect } from "chai";
import { PDFDocument, PDFName, PDFStream } from "@cantoo/pdf-lib";
import { getDocument, VerbosityLevel } from "unpdf/pdfjs";
import { type BatchReply, startBatch } from "../support/batches.js";
import { refusal, type TestCaller } from "../support/caller.js";
import { readPdf } from "../support/read-pdf.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const letter = {
  schema: toSchema({ root: "name String, amount Number" }),
  pdf: { tagged: true, outline: true },
  fileName: "Letter to {{ root.name }}",
  components: [
    { type: "heading", level: 1, text: "Hello {{ root.name }}" },
    { type: "text", text: "Regards" },
  ],
};

const contents = {
  schema: toSchema({
    root: "count Number, pageCount Number, documents OneToManyLink documents",
    documents: "name String, page Number",
  }),
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

  it("is made on request: sorted by a field, with each document on an odd page after a cover with its page", async () => {
    const renderOptions = { pdf: { conformance: ["pdf/a-2u", "pdf/ua-1"] } };
    const { batchId, caller, path, when, whenMerged } = await start(
      { renderOptions },
      { definition: letter },
    );
    await when();
    expect(await refusal(caller.get(path))).to.equal(
      `404 This batch has no merged file. Request one with POST ${path}.`,
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
    const bytes = await download(caller, batchId);
    const pages = await readPdf(bytes);
    expect(pages.map(({ text }) => text)).to.deep.equal([
      "All 3 on 7Letter to Bob: 3Letter to Cid: 5Letter to Ada: 7",
      "",
      "Hello BobRegards",
      "",
      "Hello CidRegards",
      "",
      "Hello AdaRegards",
    ]);
    // The file and its cover conform to the standards of the documents.
    const { catalog } = await PDFDocument.load(bytes);
    const metadata = catalog.lookup(PDFName.of("Metadata"), PDFStream);
    const xmp = Buffer.from(metadata.getContents()).toString();
    expect(xmp).to.contain("<pdfaid:part>2</pdfaid:part>");
    expect(xmp).to.contain("<pdfaid:conformance>U</pdfaid:conformance>");
    expect(xmp).to.contain("<pdfuaid:part>1</pdfuaid:part>");
    expect(catalog.has(PDFName.of("OutputIntents"))).to.equal(true);
    expect(await readRoles(bytes, 1)).to.include("P");
  });
});
