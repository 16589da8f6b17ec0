import { expect } from "chai";
import { accepted, merged, text } from "../support.js";
import { compileTemplate } from "../../../core/compiler/index.js";

// Read again after a browser has drawn them: what no eye sees between two braces, a reader of PDFs leaves out.

const tag = "{{x;type=signature;role=Buyer}}";
const entities = "&#123;&#x7b;x;type=signature&lcub;}&rbrace;";

/** Every place of a document in which a record's text is shown. */
const everywhere = {
  fileName: "{{ root.a }}",
  pdf: { title: "{{ root.a }}", author: "{{ root.a }}" },
  page: {
    watermark: "{{ root.a }}",
    header: [text("{{ root.a }}")],
    footer: [text(["{{ root.a }} ", { pageNumber: "page" }])],
  },
  components: [
    text("{{ root.a }}"),
    text("{{ root.open }}{{ root.open }}x{{ root.shut }}{{ root.shut }}"),
    text(["{", { text: "{{ root.open }}", marks: ["bold"] }]),
    text("{{ root.hidden }}"),
    text("{{ root.a | markdown }}"),
    { type: "markdown", value: "{{ root.entities }} `{{ root.a }}`" },
    { type: "html", value: "{<b>{{ root.open }}</b>x}{{ root.shut }}" },
    { type: "image", src: "nothing", alt: "{{ root.a }}" },
    {
      type: "table",
      components: [
        {
          type: "table-row",
          components: [{ type: "table-cell", text: "{{ root.a }}" }],
        },
      ],
    },
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
      value: "{{ root.a }}",
      showText: true,
    },
  ],
};

const record = {
  a: tag,
  open: "{",
  shut: "}",
  hidden: "{\u00ad{\u2060x}\u034f}",
  entities,
  rows: [{ name: tag, n: 1 }],
};

/** What a document shows, images and style sheets included. */
function render(options: object): string {
  const { html, fileName, title, pdf, assets } = merged(
    everywhere,
    record,
    options,
  );
  const words = [html, fileName, title, pdf.author, ...assets.map(getAlt)];
  return decodeURIComponent(
    unpacked(words.join("\n")).replaceAll(/%(?![\dA-F]{2})/g, "%25"),
  );
}

function getAlt({ alt }: { alt: string }): string {
  return alt;
}

function unpacked(html: string): string {
  return html.replaceAll(
    /data:image\/svg\+xml;base64,([\w+/=]+)/g,
    (_, packed: string) => Buffer.from(packed, "base64").toString(),
  );
}

function getSourceText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
}

describe("field tags in data", () => {
  it("are escaped wherever a document for signature shows them", () => {
    const found = getSourceText(render({ signingNonce: "n" }));
    expect(found).to.include("type=signature");
    expect(found).not.to.include("{{");
  });

  it("remain unchanged in any other document", () => {
    expect(getSourceText(render({}))).to.include(tag);
  });

  it("leave a template's own braces and link URLs unchanged", () => {
    const { html } = merged(
      [
        text("\\{{mine;type=date}}"),
        text([
          "a",
          { text: "b", marks: [{ link: "https://a.b/?q={{ root.a }}" }] },
        ]),
      ],
      { a: "{{x}}" },
      { signingNonce: "n" },
    );
    expect(html).to.include("<p>{{mine;type=date}}</p>");
    expect(html).to.include('href="https://a.b/?q=%7B%7Bx%7D%7D"');
  });

  it("do not change the value of a code", () => {
    const program = compileTemplate(
      accepted([{ type: "qrcode", value: "{{ root.a }}" }]),
      "document",
    );
    const options = { isTest: false, now: new Date() };
    const drawn = (more: object) =>
      program.merge({ a: tag }, { ...options, ...more }).html;
    expect(drawn({ signingNonce: "n" })).to.equal(drawn({}));
  });
});
