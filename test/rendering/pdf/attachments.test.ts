import { expect } from "chai";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
} from "@cantoo/pdf-lib";
import { describe, it } from "mocha";
import { pdfFacts, ofPdf, usePdfs } from "../../support/read-pdf.js";

const xml = "<rsm:CrossIndustryInvoice/>";
const invoice = {
  name: "factur-x.xml",
  mimeType: "text/xml",
  relationship: "Alternative",
  description: "Rechnung als Datensatz",
  base64: Buffer.from(xml).toString("base64"),
};

describe("files attached to a PDF", () => {
  const { pdf, rejection } = usePdfs();

  it("are in it with name, description and content", async () => {
    const bytes = await pdf({}, ofPdf({ attachments: [invoice] }));
    const { attachments, pages } = await pdfFacts(bytes);
    expect(attachments).to.eql([
      { name: "factur-x.xml", text: xml, description: invoice.description },
    ]);
    expect(pages).to.eql(["Hello Ada"]);
  });

  it("keep names with parentheses and other scripts, in the order of their names", async () => {
    const named = ["Ω (2).xml", "a(1.xml"].map((name) => ({
      ...invoice,
      name,
    }));
    const bytes = await pdf({}, ofPdf({ attachments: named }));
    const { attachments } = await pdfFacts(bytes);
    expect(attachments.map(({ name }) => name)).to.have.members([
      "Ω (2).xml",
      "a(1.xml",
    ]);
    const { catalog } = await PDFDocument.load(bytes);
    const tree = catalog
      .lookup(PDFName.of("Names"), PDFDict)
      .lookup(PDFName.of("EmbeddedFiles"), PDFDict)
      .lookup(PDFName.of("Names"), PDFArray);
    const keys = [0, 2].map((at) => tree.lookup(at, PDFHexString).decodeText());
    expect(keys).to.eql(["a(1.xml", "Ω (2).xml"]);
  });

  it("are the document's associated files, each with its relationship and kind", async () => {
    const bytes = await pdf({}, ofPdf({ attachments: [invoice] }));
    const { catalog, context } = await PDFDocument.load(bytes);
    const files = catalog.get(PDFName.of("AF"));
    const written = String(context.lookup(files));
    const [, file = ""] = /(\d+ \d+ R)/.exec(written) ?? [];
    const found = context
      .enumerateIndirectObjects()
      .find(([ref]) => ref.toString() === file)?.[1];
    expect(found).to.be.instanceOf(PDFDict);
    expect(String(found)).to.match(/\/AFRelationship \/Alternative/);
    expect(
      context
        .enumerateIndirectObjects()
        .some(([, object]) => String(object).includes("/Subtype /text#2Fxml")),
    ).to.equal(true);
  });

  it("are rejected with the path of the invalid value", async () => {
    for (const [change, named] of [
      [{ name: "../a.xml" }, "attachments[0]"],
      [{ mimeType: "xml" }, "attachments[0]"],
      [{ base64: "a b" }, "attachments[0]"],
      [{ relationship: "Friend" }, "attachments[0]"],
      [{ base64: undefined, asset: "none" }, "attachments[0]"],
    ] as const) {
      const attachments = [{ ...invoice, ...change }];
      expect(await rejection({}, ofPdf({ attachments }))).to.contain(named);
    }
  });
});
