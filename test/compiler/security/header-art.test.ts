import { expect } from "chai";
import sharp from "sharp";
import { merged } from "../support.js";
import { getArt, readCss, readDocument, getSourceText } from "./audit.js";
import { payloads } from "./payloads.js";

// A header is printed as an SVG image, which is XML: one wrong character, and nothing of it is drawn.

const texts = [
  "{{ root.x }}",
  "{{ root.x | nl2br }}",
  "{{ root.x | markdown }}",
].map((text) => ({ type: "text", text, style: { color: "{{ root.x }}" } }));
const header = [
  ...texts,
  { type: "html", value: "<p title='{{ root.x }}'>{{ root.x }}<br><hr>" },
  { type: "image", src: "{{ root.x }}", alt: "{{ root.x }}" },
];

const controls = ["a\u0000\u0001\u0002\u001b\u0085b", "\ud800a\udfff\uffff"];
const entities = ["&nbsp;&copy;&#1;&#xd800;&bogus;", "a\n\nb\r\nc  \n* d"];

function artFor(x: string): string[] {
  const { html } = merged({ page: { header } }, { x });
  return readDocument(html)
    .filter(({ tagName }) => tagName === "style")
    .flatMap((element) => readCss(getSourceText(element), "stylesheet").urls)
    .flatMap((url) => getArt(url) ?? []);
}

describe("the image of a header", () => {
  const kinds = { ...payloads, "control characters": controls, entities };
  for (const [kind, values] of Object.entries(kinds))
    it(`is well-formed XML, whatever the data: ${kind}`, async () => {
      for (const x of values) {
        const art = artFor(x);
        expect(art, x).to.have.length(1);
        // librsvg refuses what is no XML.
        for (const svg of art) await sharp(Buffer.from(svg)).metadata();
      }
    });

  it("takes its page numbers only from the page", () => {
    const footer = [
      { type: "text", text: ["{{ root.x }}", { pageNumber: "page" }] },
    ];
    const { html } = merged({ page: { footer } }, { x: "\u0001\u0002" });
    expect(html.match(/counter\(pages?\)/g)).to.eql(["counter(page)"]);
    expect(html).to.contain('<footer class="band"><p>1</p></footer>');
  });
});
