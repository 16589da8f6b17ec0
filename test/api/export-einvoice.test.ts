import { expect } from "chai";
import { before, describe, it } from "mocha";
import { SaxesParser } from "saxes";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { readError, type TestCaller } from "../support/caller.js";
import { einvoiceDefinition, INVOICE } from "../support/einvoices.js";
import { pdfFacts } from "../support/read-pdf.js";
import { exported, useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

async function fetchBytes(url: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
}

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
  const service = useService();
  let caller: TestCaller;
  let facturX: string;
  let xrechnung: string;

  before(async () => {
    caller = await newBatchCaller(service);
    facturX = await publish(service.store, caller, {
      name: "Rechnung",
      definition: einvoiceDefinition("factur-x-en16931"),
    });
    xrechnung = await publish(service.store, caller, {
      definition: einvoiceDefinition("xrechnung-ubl"),
    });
  });

  it("returns a link to the electronic invoice", async () => {
    const { result, document } = await exported(caller, {
      templateId: xrechnung,
      formats: ["xml"],
      data: INVOICE,
    });
    expect(result.xml).to.include({ mimeType: "application/xml" });
    expect(document.outputs.map(({ label }) => label)).to.deep.equal(["xml"]);
    const xml = (await fetchBytes(result.xml?.url)).toString();
    expect(texts(xml, "cbc:PayableAmount")).to.deep.equal(["6404.20"]);
    expect(texts(xml, "cbc:BuyerReference")).to.deep.equal([
      "04011000-12345-34",
    ]);
    expect(texts(xml, "cbc:RegistrationName")).to.deep.equal([
      "Lindvey & Söhne GmbH",
      "Meridian Coffee Roasters KG",
    ]);
  });

  it("is what a PDF with a Factur-X profile contains", async () => {
    const { result } = await exported(caller, {
      templateId: facturX,
      formats: ["pdf", "xml"],
      data: INVOICE,
    });
    const { attachments } = await pdfFacts(await fetchBytes(result.pdf?.url));
    const xml = (await fetchBytes(result.xml?.url)).toString();
    expect(attachments).to.deep.equal([
      { name: "factur-x.xml", text: xml, description: "Factur-X invoice" },
    ]);
  });

  it("declares the profile in the metadata of the PDF", async () => {
    const { result } = await exported(caller, {
      templateId: facturX,
      formats: ["pdf"],
      data: INVOICE,
    });
    const pdf = (await fetchBytes(result.pdf?.url)).toString("latin1");
    expect(pdf)
      .to.contain("<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>")
      .and.contain("<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>")
      .and.contain("<pdfaid:part>3</pdfaid:part>");
  });

  it("is refused with options that its PDF does not allow, which says that the PDF contains the e-invoice", async () => {
    const file = {
      name: "Factur-X.xml",
      mimeType: "text/xml",
      base64: Buffer.from("<a/>").toString("base64"),
    };
    for (const [pdf, path, reason] of [
      [
        { conformance: "pdf/a-2b" },
        "$.renderOptions.pdf.conformance",
        "The PDF contains its e-invoice, and has to be a PDF/A-3.",
      ],
      [
        { password: { user: "a long password" } },
        "$.renderOptions.pdf.password",
        "The PDF contains its e-invoice, and has to be a PDF/A-3.",
      ],
      [
        { attachments: [file] },
        "$.renderOptions.pdf.attachments[0].name",
        "The e-invoice in the PDF has the name Factur-X.xml.",
      ],
    ] as const) {
      const response = await caller.post("/api/export", {
        templateId: facturX,
        formats: ["pdf"],
        data: INVOICE,
        renderOptions: { pdf },
      });
      expect(response.status).to.equal(400);
      expect(await readError(response))
        .to.contain(path)
        .and.contain(reason);
    }
  });

  it("is refused in a template whose PDF cannot contain it", async () => {
    for (const [profile, status] of [
      ["factur-x-basic", 400],
      ["xrechnung-cii", 201],
    ] as const) {
      const response = await caller.post("/api/templates", {
        name: "Archived invoice",
        templateType: "document",
        definition: {
          ...einvoiceDefinition(profile),
          pdf: { conformance: ["pdf/a-2b", "pdf/ua-1"] },
        },
      });
      expect(response.status, profile).to.equal(status);
      if (status === 400)
        expect(await readError(response))
          .to.contain("$.pdf.conformance")
          .and.contain("Use pdf/a-3b, or leave it out.");
    }
    const unknown = await caller.post("/api/templates", {
      name: "Unknown",
      templateType: "document",
      definition: {
        ...einvoiceDefinition("factur-x-basic"),
        einvoice: { profile: "zugferd", map: {} },
      },
    });
    expect(await readError(unknown)).to.contain("$.einvoice.profile");
  });

  it("is not part of a PDF with the profile XRechnung", async () => {
    const { result } = await exported(caller, {
      templateId: xrechnung,
      formats: ["pdf"],
      data: { number: "a record without an e-invoice" },
    });
    const { attachments } = await pdfFacts(await fetchBytes(result.pdf?.url));
    expect(attachments).to.deep.equal([]);
  });

  for (const formats of [["xml"], ["pdf"]])
    it(`answers 400 with every broken rule before ${formats[0]} is made`, async () => {
      const response = await caller.post("/api/export", {
        templateId: facturX,
        formats,
        data: {
          ...INVOICE,
          number: "",
          buyer: { ...INVOICE.buyer, country: "" },
        },
      });
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.equal(
        "The e-invoice was not made because the record breaks 2 rules. " +
          "$.data.number: The invoice has no number (BR-02). Fill `number`, such as RE-2026-001; " +
          "$.data.buyer.country: The buyer has no country (BR-11). Fill `buyer.country`, a code of two letters such as DE.",
      );
    });

  it("answers 400 for a template that has none", async () => {
    const templateId = await publish(service.store, caller, { definition });
    const response = await caller.post("/api/export", {
      templateId,
      formats: ["xml"],
      data: { name: "Ada" },
    });
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.contain(
      "The template has no e-invoice",
    );
  });

  it("fails only the items of a batch that break rules", async () => {
    const { batchId } = await sendBatch(caller, {
      templateId: facturX,
      formats: ["pdf", "xml"],
      items: [{ data: INVOICE }, { data: { ...INVOICE, lines: [] } }],
    });
    const { documents, counts } = await batchWhen(caller, batchId);
    expect(counts).to.include({ succeeded: 1, failed: 1 });
    expect(documents[0]?.outputs.map(({ label }) => label)).to.deep.equal([
      "pdf",
      "xml",
    ]);
    expect(documents[1]?.error).to.contain("has no lines (BR-16)");
  });
});
