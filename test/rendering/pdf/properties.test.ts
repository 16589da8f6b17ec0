import { expect } from "chai";
import { describe, it } from "mocha";
import { pdfFacts, ofPdf, usePdfs } from "../../support/read-pdf.js";

const setup = {
  title: "Invoice for {{ root.name }}",
  author: '{{ root.seller | default("Acme & Söhne") }}',
  subject: "{{ root.nothing }}",
  keywords: ["invoice", "{{ root.name }}", "{{ root.nothing }}"],
};

describe("the properties of a PDF", () => {
  const { pdf, rejection } = usePdfs();

  it("come from the template, with the record's data", async () => {
    const { info } = await pdfFacts(await pdf({ pdf: setup }));
    expect(info).to.include({
      Title: "Invoice for Ada",
      Author: "Acme & Söhne",
      Keywords: "invoice, Ada",
      Creator: "Platen",
    });
    expect(info).not.to.have.property("Subject");
  });

  it("come from the request, which overrides the template", async () => {
    const options = { title: "Rechnung", subject: "März", keywords: [] };
    const bytes = await pdf({ pdf: setup }, ofPdf(options));
    const { info } = await pdfFacts(bytes);
    expect(info).to.include({ Title: "Rechnung", Subject: "März" });
    expect(info).to.include({ Author: "Acme & Söhne" });
    expect(info["Keywords"] ?? "").to.equal("");
  });

  it("are rejected with the path when they are not text", async () => {
    expect(await rejection({}, ofPdf({ author: 5 }))).to.contain(
      "$.renderOptions.pdf.author",
    );
  });
});
