import { inflateSync } from "node:zlib";
import { expect } from "chai";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFStream,
} from "@cantoo/pdf-lib";
import { exported } from "../../support/service.js";
import { ofPdf, pdfFacts, usePdfs } from "../../support/read-pdf.js";

// `npm run test:pdf` has a validator check what is asked for; here is what can be said without one.

const name = (text: string) => PDFName.of(text);

async function readMetadata(bytes: Uint8Array): Promise<string> {
  const { catalog } = await PDFDocument.load(bytes, { updateMetadata: false });
  const stream = catalog.lookup(name("Metadata"), PDFStream);
  return Buffer.from(stream.getContents()).toString();
}

/** The text of an element of the metadata. */
function read(xmp: string, element: string): string | undefined {
  return new RegExp(`<${element}>(?:<rdf:[^>]*>)*([^<]*)<`).exec(xmp)?.[1];
}

/** Operators that paint outside of all marked content of a page. */
async function listUnmarked(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes);
  const unmarked: string[] = [];
  for (const { node } of pdf.getPages()) {
    const contents = node.lookup(name("Contents"), PDFStream);
    const drawn = inflateSync(contents.getContents()).toString("latin1");
    let depth = 0;
    for (const [operator] of drawn.matchAll(
      /(?<![\w*/<])(?:BDC|BMC|EMC|f\*?|B\*?|S|Do|Tj|TJ)(?![\w*])/g,
    )) {
      if (operator.startsWith("B") && operator.endsWith("C")) depth += 1;
      else if (operator === "EMC") depth -= 1;
      else if (depth === 0) unmarked.push(operator);
    }
  }
  return unmarked;
}

/** The types of structure elements with those inside, such as `["H1", ["P"]]`. */
async function readTypes(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes);
  const types: string[] = [];
  const visit = (found: PDFObject | undefined) => {
    const element = pdf.context.lookup(found);
    if (element instanceof PDFArray)
      for (const kid of element.asArray()) visit(kid);
    if (!(element instanceof PDFDict)) return;
    const type = element.lookup(name("S"));
    if (type instanceof PDFName) types.push(type.decodeText());
    visit(element.get(name("K")));
  };
  visit(pdf.catalog.lookup(name("StructTreeRoot"), PDFDict).get(name("K")));
  return types;
}

const table = {
  page: { background: "#eee" },
  components: [
    { type: "heading", level: 3, text: "Begins with level 3" },
    { type: "heading", level: 6, text: "Skips two levels" },
    {
      type: "table",
      components: [
        {
          type: "table-row",
          header: true,
          components: ["A", "B", "C"].map((text) => ({
            type: "table-cell",
            text,
          })),
        },
        {
          type: "table-row",
          components: ["1", "", "3"].map((text) => ({
            type: "table-cell",
            text,
          })),
        },
        {
          type: "table-row",
          components: [{ type: "table-cell", text: "short" }],
        },
      ],
    },
  ],
};

describe("a PDF that conforms to a standard", () => {
  const { caller, pdf } = usePdfs();

  it("names the standard, and its metadata and properties are the same", async () => {
    const bytes = await pdf(
      { pdf: { conformance: "pdf/a-2u", author: "Ada & Söhne" } },
      ofPdf({ title: "<Report>", keywords: ["one", "two"] }),
    );
    const xmp = await readMetadata(bytes);
    const { info } = await pdfFacts(bytes);
    expect(read(xmp, "pdfaid:part")).to.equal("2");
    expect(read(xmp, "pdfaid:conformance")).to.equal("U");
    expect(read(xmp, "dc:title")).to.equal("&lt;Report&gt;");
    expect(read(xmp, "dc:creator")).to.equal("Ada &amp; Söhne");
    expect(read(xmp, "pdf:Keywords")).to.equal(info["Keywords"]);
    expect(read(xmp, "pdf:Producer")).to.equal(info["Producer"]);
    expect(read(xmp, "xmp:CreateDate")?.replace(/\D/g, "")).to.equal(
      String(info["CreationDate"]).slice(2, 16),
    );
  });

  it("has an identifier and, for archives, the color space of its colors", async () => {
    const bytes = await pdf({}, ofPdf({ conformance: "pdf/a-3b" }));
    const { catalog, context } = await PDFDocument.load(bytes);
    expect(context.trailerInfo.ID).to.be.instanceOf(PDFArray);
    const profile = catalog
      .lookup(name("OutputIntents"), PDFArray)
      .lookup(0, PDFDict)
      .lookup(name("DestOutputProfile"), PDFStream);
    const icc = inflateSync(profile.getContents());
    expect(icc.readUInt32BE(0)).to.equal(icc.length);
    expect(icc.toString("latin1", 12, 20)).to.equal("mntrRGB ");
    expect(icc.toString("latin1", 36, 40)).to.equal("acsp");
  });

  it("is the request's choice before the template's, and none with an empty list", async () => {
    const template = { pdf: { conformance: ["pdf/a-2b"] } };
    const other = await pdf(template, ofPdf({ conformance: ["pdf/a-3u"] }));
    expect(read(await readMetadata(other), "pdfaid:part")).to.equal("3");
    const none = await pdf(template, ofPdf({ conformance: [] }));
    expect(none.includes("pdfaid")).to.equal(false);
  });

  it("is tagged and has bookmarks where the standard requires tags", async () => {
    for (const conformance of [
      "pdf/ua-1",
      "pdf/a-2a",
      ["pdf/a-3b", "pdf/ua-1"],
    ]) {
      const bytes = await pdf(table, ofPdf({ conformance }));
      const { isTagged, bookmarks } = await pdfFacts(bytes);
      expect(isTagged, String(conformance)).to.equal(true);
      expect(bookmarks).to.have.length(2);
    }
    const plain = await pdf(table, ofPdf({ conformance: "pdf/a-3u" }));
    expect((await pdfFacts(plain)).isTagged).to.equal(false);
  });

  it("has a structure and a language also when nothing in it has a text", async () => {
    const dot =
      "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E";
    for (const components of [[], [{ type: "image", src: dot, alt: "" }]]) {
      const bytes = await pdf(
        { components, locale: "de-DE" },
        ofPdf({ conformance: ["pdf/a-2a", "pdf/ua-1"] }),
      );
      expect((await pdfFacts(bytes)).isTagged).to.equal(true);
      expect(await readTypes(bytes)).to.deep.equal(["Document"]);
      expect(read(await readMetadata(bytes), "dc:language")).to.equal("de-DE");
      if (components.length > 0)
        expect(await listUnmarked(bytes)).to.deep.equal([]);
    }
  });

  it("says of all its content whether it is an artifact", async () => {
    const page = {
      background: "#eee",
      watermark: "Draft",
      header: [{ type: "text", text: "Header" }],
      footer: [{ type: "page-number" }],
    };
    const template = { ...table, page };
    const tagged = await pdf(template, ofPdf({ tagged: true }));
    expect(await listUnmarked(tagged)).to.not.eql([]);
    const accessible = await pdf(template, ofPdf({ conformance: "pdf/ua-1" }));
    expect(await listUnmarked(accessible)).to.eql([]);
  });

  it("has headings that skip no level, and rows of the same length", async () => {
    const types = await readTypes(
      await pdf(table, ofPdf({ conformance: "pdf/ua-1" })),
    );
    expect(types.filter((type) => /^H\d$/.test(type))).to.eql(["H1", "H2"]);
    const rows = types
      .filter((type) => ["TR", "TH", "TD"].includes(type))
      .join(" ");
    expect(rows).to.equal("TR TH TH TH TR TD TD TD TR TD TD TD");
  });

  it("puts empty cells in the columns of their headers", async () => {
    const bytes = await pdf(table, ofPdf({ conformance: "pdf/ua-1" }));
    const { context } = await PDFDocument.load(bytes);
    const rows = context.enumerateIndirectObjects().flatMap(([, one]) => {
      const isRow =
        one instanceof PDFDict && one.lookup(name("S")) === name("TR");
      return isRow ? [one.lookup(name("K"), PDFArray)] : [];
    });
    const isEmpty = rows.map((kids) =>
      kids.asArray().map((kid) => {
        const own = context.lookup(kid, PDFDict).lookup(name("K"));
        return own instanceof PDFArray && own.size() === 0;
      }),
    );
    expect(isEmpty).to.deep.include([false, true, false]);
    expect(isEmpty).to.deep.include([false, true, true]);
  });

  it("does not have the lines of tables in its structure", async () => {
    const bytes = await pdf(table, ofPdf({ conformance: "pdf/ua-1" }));
    const { context } = await PDFDocument.load(bytes);
    const own = context.enumerateIndirectObjects().flatMap(([, one]) => {
      if (!(one instanceof PDFDict)) return [];
      const type = one.lookup(name("S"));
      const isTable = type === name("Table") || type === name("TR");
      const kids = one.lookup(name("K"));
      return isTable && kids instanceof PDFArray ? kids.asArray() : [];
    });
    expect(own).to.not.eql([]);
    expect(own.filter((kid) => kid instanceof PDFNumber)).to.eql([]);
  });

  it("reports images without a text for PDF/UA, and for nothing else", async () => {
    const source = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
    const components = [undefined, "", "A logo"].map((alt) => ({
      type: "image",
      src: source,
      ...(alt !== undefined && { alt }),
    }));
    const templateId = await caller().publish({
      definition: {
        schema: [],
        components: [
          ...components,
          { type: "html", value: `<img src="${source}">` },
          { type: "html", value: `<img src="${source}" alt="">` },
        ],
      },
    });
    const report = async (conformance: string) => {
      const { document } = await exported(caller(), {
        templateId,
        formats: ["pdf"],
        data: {},
        ...ofPdf({ conformance }),
      });
      return document.metadata;
    };
    expect(await report("pdf/ua-1"))
      .to.have.nested.property("platen.report.imagesWithoutText")
      .that.eql(["$.components[0]", "$.components[3]"]);
    expect(await report("pdf/a-2a"))
      .to.have.nested.property("platen.report.imagesWithoutText")
      .that.eql([]);
  });
});
