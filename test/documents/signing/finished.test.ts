import { PDFDict, PDFDocument, PDFName, PDFRef } from "@cantoo/pdf-lib";
import { expect } from "chai";
import { pdfFacts, getLinks, readPdf } from "../../support/read-pdf.js";
import { replies } from "../../support/caller.js";
import {
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";

const marks = [{ link: "https://example.com/terms" }];
const components = [
  { type: "heading", text: "Contract" },
  { type: "text", text: ["Mind the ", { text: "terms", marks }, "."] },
  signField("Signature"),
  signField("Date", { field: "date" }),
];

/** What a structure refers to and what is not there. */
async function danglingIn(bytes: Uint8Array): Promise<string[]> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const kept = new Set(context.enumerateIndirectObjects().map(([ref]) => ref));
  const dangling: string[] = [];
  const look = (value: unknown): void => {
    if (value instanceof PDFRef && !kept.has(value))
      dangling.push(value.toString());
    if (value instanceof PDFDict)
      for (const [, one] of value.entries()) look(one);
  };
  for (const [, object] of context.enumerateIndirectObjects()) {
    look(object);
    if (!(object instanceof PDFDict)) continue;
    const kids = object.lookup(PDFName.of("K"));
    if (kids && "asArray" in kids && typeof kids.asArray === "function")
      for (const kid of kids.asArray()) look(kid);
  }
  return dangling;
}

describe("a PDF for signature", () => {
  const { sent, signing, request, caller } = useDocumentsToSign();

  for (const tagged of [false, true])
    it(`contains its own links and no others, ${tagged ? "tagged" : "untagged"}`, async () => {
      const renderOptions = { pdf: { tagged } };
      const { pdf, boxes } = await sent({ components }, { renderOptions });
      const { bytes } = pdf;
      expect(boxes).to.have.length(2);
      expect(await getLinks(bytes)).to.eql(["https://example.com/terms"]);
      const { isTagged, roles } = await pdfFacts(bytes);
      expect(isTagged).to.equal(tagged);
      expect(roles.filter((role) => role === "Link")).to.have.length(
        tagged ? 1 : 0,
      );
      expect(await danglingIn(bytes)).to.eql([]);
      expect((await readPdf(bytes))[0]?.text).to.include("Signature");
    });

  it("contains the joined pages, with its fields on the right pages", async () => {
    const other = await PDFDocument.create();
    other.addPage([300, 300]);
    other.addPage([400, 200]);
    const joined = [
      { base64: Buffer.from(await other.save()).toString("base64") },
    ];
    const attachments = [
      { name: "{{a}}.txt", base64: "eA==", mimeType: "text/plain" },
    ];
    const pdfOptions = { before: joined, after: joined, attachments };
    const { pdf, boxes, pages } = await sent(
      { components },
      { renderOptions: { pdf: pdfOptions } },
    );
    const { bytes } = pdf;
    expect(await readPdf(bytes)).to.have.length(5);
    expect(pages).to.equal(5);
    expect(boxes.map(({ page }) => page)).to.eql([3, 3]);
    const [file] = (await pdfFacts(bytes)).attachments;
    expect(file?.name).to.match(/^.?\{.\{a\}.\}\.txt$/);
  });

  it("is created and stored even when it was not requested, and the html contains no field markers", async () => {
    const body = await request({ components }, { formats: ["html"] });
    const response = await caller().post("/api/export", body);
    const { htmlDocument, ...answer } = await readAnswer(response);
    expect(Object.keys(answer)).to.eql(["signature"]);
    expect(htmlDocument)
      .to.include("sign-field")
      .and.not.include("esign.invalid");
    expect(signing.documents.at(-1)?.pdf.label).to.equal("pdf");
  });
});

async function readAnswer(response: Response) {
  const { html, ...rest } = await replies.exported(response);
  return { htmlDocument: html?.htmlDocument, ...rest };
}
