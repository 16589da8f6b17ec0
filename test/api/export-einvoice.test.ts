import { expect } from "chai";
import { SaxesParser } from "saxes";
import { download, useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { refusal } from "../support/caller.js";
import { einvoiceDefinition, INVOICE } from "../support/einvoices.js";
import { pdfFacts } from "../support/read-pdf.js";
import { listCells } from "../support/rows.js";

/** The texts of the elements with this name, in their order. */
function texts(xml: string, name: string): string[] {
  const found: string[] = [];
  let isInside = false;
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    isInside = tag.name === name;
  });
  parser.on("text", (text) => {
    if (isInside) found.push(text);
    isInside = false;
  });
  parser.write(xml).close();
  return found;
}

describe("the format xml", () => {
  const api = useApi({ plan: "premium" });
  let facturX: string;
  let xrechnung: string;
  const publishInvoice = (profile: "factur-x-en16931" | "xrechnung-ubl") =>
    api.caller.publish({ definition: einvoiceDefinition(profile) });

  before(async () => {
    facturX = await publishInvoice("factur-x-en16931");
    xrechnung = await publishInvoice("xrechnung-ubl");
  });

  it("returns a link to the electronic invoice", async () => {
    const { result, document } = await api.render({
      templateId: xrechnung,
      formats: ["xml"],
      data: INVOICE,
    });
    expect(result.xml).to.include({ mimeType: "application/xml" });
    expect(document.outputs.map(({ label }) => label)).to.deep.equal(["xml"]);
    const xml = (await download(result.xml?.url)).toString();
    for (const [name, expected] of [
      ["cbc:PayableAmount", ["6404.20"]],
      ["cbc:BuyerReference", ["04011000-12345-34"]],
      [
        "cbc:RegistrationName",
        ["Lindvey & Söhne GmbH", "Meridian Coffee Roasters KG"],
      ],
    ] as const)
      expect(texts(xml, name)).to.deep.equal(expected);
  });

  it("is what a PDF with a Factur-X profile contains, which declares the profile", async () => {
    const { result } = await api.render({
      templateId: facturX,
      formats: ["pdf", "xml"],
      data: INVOICE,
    });
    const pdf = await download(result.pdf?.url);
    const text = (await download(result.xml?.url)).toString();
    expect((await pdfFacts(pdf)).attachments).to.deep.equal([
      { name: "factur-x.xml", text, description: "Factur-X invoice" },
    ]);
    const xmp = pdf.toString("latin1");
    expect(xmp).to.contain("<pdfaid:part>3</pdfaid:part>");
    const entries = xmp.matchAll(
      /<(?:fx:|pdfa\w+:(?:schema|namespaceURI|name|description)>)([^<]*)</g,
    );
    expect([...entries].map(([, entry]) => entry)).to.deep.equal(
      listCells(`
      DocumentFileName>factur-x.xml | DocumentType>INVOICE | Version>1.0 | ConformanceLevel>EN 16931
      Factur-X PDFA Extension Schema | urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0# | DocumentFileName
      The name of the embedded XML document | DocumentType | The type of the hybrid document | Version
      The version of the standard of the XML document | ConformanceLevel | The conformance level of the XML document
    `),
    );
  });

  it("is not part of a PDF with the profile XRechnung", async () => {
    const { result } = await api.render({
      templateId: xrechnung,
      formats: ["pdf"],
      data: { number: "a record without an e-invoice" },
    });
    const { attachments } = await pdfFacts(await download(result.pdf?.url));
    expect(attachments).to.deep.equal([]);
  });

  const file = {
    name: "Factur-X.xml",
    mimeType: "text/xml",
    base64: Buffer.from("<a/>").toString("base64"),
  };
  for (const [pdf, error] of [
    [
      { conformance: "pdf/a-2b" },
      "conformance: attachments cannot be combined with pdf/a-2b; use pdf/a-3b, which allows attached files of any type. The PDF contains its e-invoice, and has to be a PDF/A-3.",
    ],
    [
      { password: { user: "a long password" } },
      "password: password cannot be combined with pdf/a-3b, since an archival PDF must not be encrypted; leave one of them out. The PDF contains its e-invoice, and has to be a PDF/A-3.",
    ],
    [
      { attachments: [file] },
      "attachments[0].name: The e-invoice in the PDF has the name Factur-X.xml. Choose another name, or leave out the file: the PDF contains the e-invoice by itself.",
    ],
  ] as const)
    it(`is refused with options that its PDF does not allow: ${Object.keys(pdf).join()}`, async () => {
      expect(
        await api.refused({
          templateId: facturX,
          formats: ["pdf"],
          data: INVOICE,
          renderOptions: { pdf },
        }),
      ).to.equal(`400 The PDF cannot be made. $.renderOptions.pdf.${error}`);
    });

  const postTemplate = (more: object) =>
    api.caller.post("/api/templates", {
      name: "Archived invoice",
      definition: { ...einvoiceDefinition("factur-x-basic"), ...more },
    });

  it("is refused in a template whose PDF cannot contain it, and with an unknown profile", async () => {
    const pdf = { conformance: ["pdf/a-2b", "pdf/ua-1"] };
    expect(await refusal(postTemplate({ pdf })))
      .to.match(/^400 .*\$\.pdf\.conformance/)
      .and.contain("Use pdf/a-3b, or leave it out.");
    const other = einvoiceDefinition("xrechnung-cii");
    expect((await postTemplate({ ...other, pdf })).status).to.equal(201);
    expect(
      await refusal(
        postTemplate({ einvoice: { profile: "zugferd", map: {} } }),
      ),
    ).to.contain("$.einvoice.profile");
  });

  for (const formats of [["xml"], ["pdf"]])
    it(`answers 400 with every broken rule before ${formats[0]} is made`, async () => {
      const buyer = { ...INVOICE.buyer, country: "" };
      const data = { ...INVOICE, number: "", buyer };
      expect(
        await api.refused({ templateId: facturX, formats, data }),
      ).to.equal(
        "400 The e-invoice was not made because the record breaks 2 rules. " +
          "$.data.number: The invoice has no number (BR-02). Fill `number`, such as RE-2026-001; " +
          "$.data.buyer.country: The buyer has no country (BR-11). Fill `buyer.country`, a code of two letters such as DE.",
      );
    });

  it("answers 400 for a template that has none", async () => {
    expect(await api.refused({ formats: ["xml"] })).to.match(
      /^400 .*The template has no e-invoice/,
    );
  });

  it("fails only the items of a batch that break rules", async () => {
    const { batchId } = await sendBatch(api.caller, {
      templateId: facturX,
      formats: ["pdf", "xml"],
      items: [{ data: INVOICE }, { data: { ...INVOICE, lines: [] } }],
    });
    const { documents, counts } = await batchWhen(api.caller, batchId);
    expect(counts).to.include({ succeeded: 1, failed: 1 });
    expect(documents[0]?.outputs.map(({ label }) => label)).to.deep.equal([
      "pdf",
      "xml",
    ]);
    expect(documents[1]?.error).to.contain("has no lines (BR-16)");
  });
});
