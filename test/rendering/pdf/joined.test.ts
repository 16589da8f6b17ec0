import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { addAsset } from "../../support/assets.js";
import { pdfFacts, ofPdf, usePdfs } from "../../support/read-pdf.js";

/** A PDF with a page for each text. */
async function pdfWith(...texts: string[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage().drawText(text, { font });
  return Buffer.from(await document.save());
}

const sent = (bytes: Buffer) => ({ base64: bytes.toString("base64") });

describe("PDFs joined to a PDF", () => {
  const { service, caller, pdf, rejection } = usePdfs();
  const stored = async (owner: TestCaller, bytes: Buffer) => {
    const { id } = await addAsset(service, owner, "terms.pdf", bytes);
    return { asset: id };
  };

  it("come before and after its pages, in the requested order", async () => {
    const options = {
      before: [sent(await pdfWith("cover")), sent(await pdfWith("a", "b"))],
      after: [sent(await pdfWith("end"))],
    };
    const { pages } = await pdfFacts(await pdf({}, ofPdf(options)));
    expect(pages).to.eql(["cover", "a", "b", "Hello Ada", "end"]);
  });

  it("are stored ones when the template names them, or others by the request", async () => {
    const terms = await stored(caller(), await pdfWith("terms"));
    const template = { pdf: { after: [terms] } };
    const { pages } = await pdfFacts(await pdf(template));
    expect(pages).to.eql(["Hello Ada", "terms"]);
    const without = await pdf(template, ofPdf({ after: [] }));
    expect((await pdfFacts(without)).pages).to.eql(["Hello Ada"]);
  });

  it("do not change the document's tags and bookmarks", async () => {
    const components = [{ type: "heading", level: 1, text: "One" }];
    const tagged = await pdf({ components }, ofPdf({ outline: true }));
    const bytes = await pdf(
      { components },
      ofPdf({ outline: true, before: [sent(tagged)] }),
    );
    const { bookmarks, roles, pages } = await pdfFacts(bytes);
    expect(pages).to.eql(["One", "One"]);
    expect(bookmarks).to.eql(["One"]);
    expect(roles, "of the page before").not.to.include("H1");
  });

  it("are rejected when they are not PDFs, encrypted, or another organization's", async () => {
    const locked = await pdf({}, ofPdf({ password: { user: "u" } }));
    const foreign = await stored(
      await newCaller(service),
      await pdfWith("foreign"),
    );
    for (const [wrong, why] of [
      [sent(Buffer.from("no pdf")), "not a readable PDF"],
      [sent(locked), "encrypted"],
      [foreign, "no such stored pdf"],
      [{ asset: "none" }, "no such stored pdf"],
    ] as const) {
      const error = await rejection({}, ofPdf({ after: [wrong] }));
      expect(error).to.contain("$.renderOptions.pdf.after[0]");
      expect(error).to.contain(why);
    }
  });
});
