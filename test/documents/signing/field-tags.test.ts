import { PDFiumLibrary } from "@hyzyla/pdfium";
import { expect } from "chai";
import { pdfText } from "../../support/read-pdf.js";
import {
  signField,
  useDocumentsToSign,
} from "../../support/signing-documents.js";

const tag = "{{x;type=signature;role=Buyer}}";
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text y="20">${tag}</text><text y="39"><![CDATA[{]]>{y}}</text></svg>`;

/** Everything that shows what a record brings; `\{{mine}}` is the template's own. */
const template = {
  page: {
    header: [{ type: "text", text: "{{ root.a }}" }],
    footer: [
      { type: "page-number", format: "{page}" },
      { type: "text", text: ["{{ root.a }} ", { pageNumber: "page" }] },
    ],
    watermark: { text: "{{ root.a }}", fontSize: "9pt" },
  },
  components: [
    { type: "text", text: "\\{{mine}}" },
    { type: "text", text: "{{ root.a }}" },
    { type: "text", text: "{{ root.open }}{{ root.open }}z}}" },
    { type: "markdown", value: "{{ root.a }} **{**{b}}" },
    { type: "html", value: "<i>{</i>{{ root.open }}c}} {{ root.soft }}" },
    { type: "html", value: "{{ root.narrow }}" },
    { type: "image", src: "{{ root.svg }}" },
    { type: "image", src: "https://localhost/none.png", alt: "{{ root.a }}" },
    {
      type: "chart",
      chart: "bar",
      data: "root.rows",
      label: "name",
      series: [{ field: "n" }],
    },
    {
      type: "barcode",
      symbology: "code128",
      value: "{{ root.open }}{{ root.open }}d}}",
      showText: true,
    },
    signField("Signature"),
  ],
};

const data = {
  a: tag,
  open: "{",
  soft: "{\u00ad{e}\u2060}",
  svg: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
  narrow: `<p style="width:1px">{{n}}</p>`,
  rows: [{ name: tag, n: 1 }],
};

/** As PDFium reads it, which providers use. */
async function textByPdfium(pdf: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const texts = Array.from({ length: document.getPageCount() }, (_none, at) =>
    document.getPage(at).getText(),
  );
  document.destroy();
  library.destroy();
  return texts.join("\n");
}

describe("field tags in a record", () => {
  const { sent } = useDocumentsToSign();
  let pdf: Buffer;
  before(async () => {
    ({
      pdf: { bytes: pdf },
    } = await sent(template, { data }));
  });

  for (const [reader, read] of [
    ["PDFium", textByPdfium],
    ["PDF.js", pdfText],
  ] as const)
    it(`are not found by ${reader}`, async () => {
      const found = await read(pdf);
      expect(found.match(/type=signature/g)?.length).to.equal(8);
      expect(found.match(/\{\{[^{}]*\}\}|\{\{|\}\}/g)).to.eql(["{{mine}}"]);
    });
});
