import { readFileSync } from "node:fs";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFString,
} from "@cantoo/pdf-lib";
import { expect } from "chai";
import { definition } from "../../support/store.js";
import { ofPdf, pdfFacts, usePdfs } from "../../support/read-pdf.js";

const dot =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The components of documents, by what they show. */
const documents: Record<string, object[]> = JSON.parse(
  readFileSync(new URL("structures.json", import.meta.url), "utf8"),
);

/** ISO 32000-1, 14.8.4. */
const standard =
  /^(Document|Part|Art|Sect|Div|BlockQuote|Caption|TOCI?|Index|NonStruct|Private|P|H[1-6]?|L|LI|Lbl|LBody|Table|T[RHD]|THead|TBody|TFoot|Span|Quote|Note|Reference|BibEntry|Code|Link|Annot|Ruby|R[BTP]|Warichu|W[TP]|Figure|Formula|Form)$/;

interface Tree {
  type: string;
  /** The text that is read for it. */
  alt: string | undefined;
  kids: Tree[];
}

const name = (text: string) => PDFName.of(text);

/** The structure tree, and the types that a role map maps. */
async function readTree(
  bytes: Uint8Array,
): Promise<{ tree: Tree[]; roles: Record<string, string> }> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const root = pdf.catalog.lookup(name("StructTreeRoot"), PDFDict);
  const map = root.lookupMaybe(name("RoleMap"), PDFDict)?.entries() ?? [];
  const roles = map.map(([from, to]) => [
    from.decodeText(),
    to instanceof PDFName ? to.decodeText() : "",
  ]);
  return { tree: readKids(root), roles: Object.fromEntries(roles) };
}

function readKids(element: PDFDict): Tree[] {
  const kids = element.lookup(name("K"));
  const list = kids instanceof PDFArray ? kids.asArray() : [kids];
  return list.flatMap((kid) => readKid(element, kid));
}

/** Every element must name the element that contains it. */
function readKid(parent: PDFDict, kid: PDFObject | undefined): Tree[] {
  const element = parent.context.lookup(kid);
  if (!(element instanceof PDFDict)) return [];
  const type = element.lookup(name("S"));
  if (!(type instanceof PDFName)) return [];
  expect(element.lookup(name("P"))).to.equal(parent);
  const alt = element.lookupMaybe(name("Alt"), PDFString, PDFHexString);
  const kids = readKids(element);
  return [{ type: type.decodeText(), alt: alt?.decodeText(), kids }];
}

function flatten(trees: readonly Tree[]): Tree[] {
  return trees.flatMap((tree) => [tree, ...flatten(tree.kids)]);
}

async function readLinkTexts(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  return pdf.getPages().flatMap((page) =>
    (page.node.Annots()?.asArray() ?? []).map((ref) => {
      const link = pdf.context.lookup(ref, PDFDict);
      return (
        link.lookupMaybe(name("Contents"), PDFHexString)?.decodeText() ?? ""
      );
    }),
  );
}

describe("the structure tree of a tagged PDF", () => {
  const { pdf } = usePdfs();
  const print = (components: object[], options: object = { tagged: true }) =>
    pdf({ ...definition, locale: "en-US", components }, ofPdf(options));

  const readRoles = async (title: string) =>
    (await readTree(await print(documents[title] ?? []))).roles;

  for (const [title, components] of Object.entries(documents))
    it(`has types that PDF 1.7 knows or that are mapped to them, and list items with a label and a body: ${title}`, async () => {
      const { tree, roles } = await readTree(await print(components));
      const all = flatten(tree);
      const types = all.map(({ type }) => roles[type] ?? type);
      expect(types).to.include("Document");
      for (const type of types) expect(type).to.match(standard);
      const items = all.filter(({ type }) => type === "LI");
      if (/list|markdown/.test(title)) expect(items).not.to.deep.equal([]);
      for (const { kids } of items)
        expect(kids.map(({ type }) => type).join(" ")).to.match(
          /^(Lbl )?LBody$/,
        );
    });

  it("has a text for every figure, also in figure elements with a caption", async () => {
    const value =
      `<figure><img src="${dot}" alt="A dot"><figcaption>Dot</figcaption></figure>` +
      "<figure><pre>code</pre><figcaption>Code</figcaption></figure>";
    const { tree } = await readTree(await print([{ type: "html", value }]));
    const all = flatten(tree);
    const figures = all.filter(({ type }) => type === "Figure");
    expect(figures.map(({ alt }) => alt)).to.deep.equal(["A dot"]);
    expect(all.filter(({ type }) => type === "Caption")).to.have.length(2);
  });

  it("maps bold and emphasized text to Span, and nothing when every type is a standard one", async () => {
    expect(await readRoles("markdown")).to.include({
      Strong: "Span",
      Em: "Span",
    });
    expect(await readRoles("headings")).to.deep.equal({});
  });

  it("says for each link where it leads", async () => {
    const bytes = await print(documents["links and images"] ?? []);
    expect(new Set(await readLinkTexts(bytes))).to.deep.equal(
      new Set(["https://example.com/pay", "https://example.com/%C3%A9"]),
    );
  });

  it("is complete in a PDF with bookmarks alone, with a password, and between joined PDFs", async () => {
    const components = documents["markdown"] ?? [];
    const other = await print([{ type: "text", text: "Terms" }]);
    const joined = { base64: other.toString("base64") };
    for (const options of [
      { outline: true },
      { tagged: true, author: "Ada", before: [joined], after: [joined] },
    ]) {
      const { roles } = await readTree(await print(components, options));
      expect(roles).to.include({ Strong: "Span" });
    }
    const password = { user: "u", owner: "o" };
    const locked = await print(components, { tagged: true, password });
    const facts = await pdfFacts(locked, "u");
    expect(facts.roles).to.include("LBody");
  });

  it("keeps the text in its order", async () => {
    const { pages } = await pdfFacts(await print(documents["markdown"] ?? []));
    expect(pages.join("")).to.match(/Title.*bold.*code.*quote.*The note/s);
  });
});
