import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
} from "@cantoo/pdf-lib";
import { expect } from "chai";
import {
  type MergeSettings,
  PdfMerger,
} from "../../../core/rendering/pdf/merge-pdfs.js";
import { readPdf, usePdf } from "../../support/read-pdf.js";

const settings: MergeSettings = {
  bookmarks: true,
  pageNumbers: false,
  startsOnOddPage: false,
  title: "All",
};

/** A tagged page with a link to a named place, a field, and a tag of its own type with an id. */
async function createPdf(role: string, turn = 0): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const { context, catalog } = pdf;
  const page = pdf.addPage([200, 100]);
  page.drawText("Text");
  if (turn > 0) page.node.set(PDFName.of("Rotate"), context.obj(turn));
  page.node.set(PDFName.of("StructParents"), context.obj(0));
  const link = context.register(
    context.obj({
      Type: "Annot",
      Subtype: "Link",
      Rect: [0, 0, 10, 10],
      Dest: PDFString.of("end"),
      StructParent: 1,
    }),
  );
  page.node.set(PDFName.of("Annots"), context.obj([link]));
  const names = context.obj({
    Names: [PDFString.of("end"), [page.ref, "Fit"]],
  });
  catalog.set(PDFName.of("Names"), context.obj({ Dests: names }));
  const root = context.nextRef();
  const element = context.register(
    context.obj({
      Type: "StructElem",
      S: "Own",
      P: root,
      Pg: page.ref,
      K: 0,
      ID: PDFString.of("one"),
      A: { O: "Table", Headers: [PDFString.of("one")] },
    }),
  );
  const parents = context.obj({ Nums: [0, [element], 1, element] });
  context.assign(
    root,
    context.obj({
      Type: "StructTreeRoot",
      K: [element],
      RoleMap: { Own: role },
      ParentTree: parents,
      IDTree: { Names: [PDFString.of("one"), element] },
    }),
  );
  catalog.set(PDFName.of("StructTreeRoot"), root);
  catalog.set(PDFName.of("Lang"), PDFString.of(role === "P" ? "en" : "de"));
  pdf.getForm().createTextField("name").addToPage(page);
  return pdf.save();
}

async function countFonts(bytes: Uint8Array): Promise<number> {
  const { context } = await PDFDocument.load(bytes);
  const objects = context.enumerateIndirectObjects();
  return objects.filter(
    ([, object]) =>
      object instanceof PDFDict &&
      object.get(PDFName.of("Type")) === PDFName.of("Font"),
  ).length;
}

describe("merging PDFs", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "platen-test-merge-"));
  });
  after(() => rm(folder, { recursive: true }));

  async function merge(
    parts: readonly Uint8Array[],
    changed: Partial<MergeSettings> = {},
  ): Promise<Uint8Array> {
    const path = join(folder, "merged.pdf");
    const file = openSync(path, "w");
    const merger = new PdfMerger(file, { ...settings, ...changed });
    for (const [index, bytes] of parts.entries())
      await merger.add({ bytes, title: `No. ${index}` });
    merger.end();
    closeSync(file);
    return readFileSync(path);
  }

  it("keeps named places, ids, types of tags and fields of documents apart", async () => {
    const bytes = await merge([await createPdf("P"), await createPdf("H1")]);
    const pdf = await PDFDocument.load(bytes);
    const root = pdf.catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
    const roles = root.lookup(PDFName.of("RoleMap"), PDFDict);
    expect(roles.values().map(String)).to.have.members(["/P", "/H1"]);
    const top = root.lookup(PDFName.of("K"), PDFDict);
    const tags = top.lookup(PDFName.of("K"), PDFArray);
    const elements = [0, 1].map((at) => tags.lookup(at, PDFDict));
    const meanings = elements.map((element) =>
      roles.get(element.lookup(PDFName.of("S"), PDFName))?.toString(),
    );
    expect(meanings).to.deep.equal(["/P", "/H1"]);
    const languages = elements.map((element) =>
      element.lookup(PDFName.of("Lang"), PDFString).decodeText(),
    );
    expect(languages).to.deep.equal(["en", "de"]);
    const ids = elements.map((element) =>
      element.lookup(PDFName.of("ID"), PDFHexString).decodeText(),
    );
    expect(new Set(ids).size).to.equal(2);
    const headers = elements.map((element) =>
      element
        .lookup(PDFName.of("A"), PDFDict)
        .lookup(PDFName.of("Headers"), PDFArray)
        .lookup(0, PDFHexString)
        .decodeText(),
    );
    expect(headers).to.deep.equal(ids);
    const keys = pdf
      .getPages()
      .map(({ node }) => node.get(PDFName.of("StructParents"))?.toString());
    expect(keys).to.deep.equal(["0", "2"]);
    const fields = pdf
      .getForm()
      .getFields()
      .map((field) => field.getName());
    expect(fields).to.deep.equal(["1-name", "2-name"]);
  });

  it("leads each link to its own document's place", async () => {
    const bytes = await merge([await createPdf("P"), await createPdf("P")]);
    const pages = await usePdf(bytes, (document) =>
      Promise.all(
        [1, 2].map(async (number) => {
          const page = await document.getPage(number);
          const annotations = await page.getAnnotations();
          const link = annotations.find(({ subtype }) => subtype === "Link");
          const place = await document.getDestination(String(link?.dest));
          return (await document.getPageIndex(place?.[0])) + 1;
        }),
      ),
    );
    expect(pages).to.deep.equal([1, 2]);
  });

  it("writes equal images and fonts once", async () => {
    const one = await createPdf("P");
    const two = await merge([one, one]);
    const twenty = await merge(Array.from({ length: 20 }, () => one));
    expect(await countFonts(twenty)).to.equal(await countFonts(two));
  });

  it("numbers rotated pages and keeps hundreds of pages in their order", async () => {
    const turned = await createPdf("P", 90);
    const bytes = await merge(
      Array.from({ length: 300 }, () => turned),
      { pageNumbers: true },
    );
    const pages = await readPdf(bytes);
    expect(pages).to.have.length(300);
    expect(pages[276]?.text).to.include("277 / 300");
  });

  it("rejects a damaged and an encrypted PDF and goes on with others", async () => {
    const path = join(folder, "rest.pdf");
    const file = openSync(path, "w");
    const merger = new PdfMerger(file, settings);
    const good = await createPdf("P");
    const secret = await PDFDocument.create();
    secret.addPage();
    secret.encrypt({ userPassword: "a", ownerPassword: "b" });
    const bad = [Buffer.from("no PDF"), await secret.save()];
    const outcomes: string[] = [];
    for (const bytes of [...bad, good])
      outcomes.push(
        await merger.add({ bytes, title: "x" }).then(
          () => "added",
          () => "rejected",
        ),
      );
    merger.end();
    closeSync(file);
    expect(outcomes).to.deep.equal(["rejected", "rejected", "added"]);
    const pdf = await PDFDocument.load(readFileSync(path));
    expect(pdf.getPageCount()).to.equal(1);
  });
});
