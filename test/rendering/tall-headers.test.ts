import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  toHtmlOutput,
  toPrintableDocument,
  type PrintableDocument,
} from "../../core/documents/outputs.js";
import { merged, text } from "../compiler/support.js";
import { readPdf, textTops } from "../support/read-pdf.js";
import { ample, sharedRenderer, startRenderer } from "../support/renderer.js";

const NO_ASSETS = {
  byToken: new Map<string, string>(),
  addresses: new Map<string, string>(),
  videos: new Map<string, string>(),
  failed: [],
};

function printable(definition: object, data: object): PrintableDocument {
  return toPrintableDocument(
    merged(definition, data),
    NO_ASSETS,
    [],
    { owner: "owner", deadline: ample() },
    async (headerHeights) => merged(definition, data, { headerHeights }),
  );
}

const spacer = (height: string) => ({ type: "spacer", height });
const row = (cells: object[], more: object = {}) => ({
  type: "table-row",
  components: cells.map((cell) => ({
    type: "table-cell",
    components: [cell],
  })),
  ...more,
});
const LONG = {
  page: {
    firstHeader: [text("First header"), spacer("60mm")],
    header: [text("Other header"), spacer("30mm")],
    firstFooter: [spacer("40mm")],
    footer: [{ type: "page-number", format: "Page {page} of {pages}" }],
  },
  components: [
    {
      type: "table",
      components: [
        row([text("Name"), text("Words")], { header: true }),
        row([text("Row {{ item.n }}"), text("word ".repeat(60))], {
          collection: { collectionId: "item", path: "root.items" },
        }),
      ],
    },
  ],
};

async function rows(bytes: Buffer): Promise<number[][]> {
  const pages = await textTops(bytes, /^Row/);
  return pages.map((tops) => tops.map((top) => Math.round(top)));
}

describe("headers that are taller than their margins", () => {
  it("push the body of a long document that is printed in pieces as if it were printed whole", async () => {
    const items = Array.from({ length: 800 }, (_, n) => ({ n: n + 1 }));
    const renderer = await startRenderer({ piecePages: 8 });
    const { page, ...whole } = printable(LONG, { items });
    const together = await renderer.pdf({ ...whole, deadline: ample() });
    const pieces = await renderer.pdf({ ...whole, page, deadline: ample() });
    expect(pieces.bytes.equals(together.bytes)).to.equal(false);
    expect(pieces.pages).to.equal(together.pages).and.to.be.above(40);
    expect(await rows(pieces.bytes)).to.deep.equal(await rows(together.bytes));
    const [first, second] = await textTops(pieces.bytes, /^Row/);
    expect(first?.[0]).to.be.above(66);
    expect(second?.[0]).to.be.within(36, 50);
    const [one, two] = await readPdf(pieces.bytes);
    expect(one?.text).to.include("First header");
    expect(two?.text).to.include("Other header");
  });

  it("leave the html output of documents whose headers fit as it was on a screen", async () => {
    const renderer = await sharedRenderer();
    for (const name of ["invoice", "letter", "locale-ar-EG"]) {
      const read = (file: string): object =>
        JSON.parse(
          readFileSync(
            new URL(`../golden/${name}/${file}`, import.meta.url),
            "utf8",
          ),
        );
      const document = printable(read("definition.json"), read("data.json"));
      const [before, after] = await Promise.all(
        [document.html, toHtmlOutput(document)].map((html) =>
          renderer.screenshot({
            html,
            widthPx: 1000,
            type: "png",
            scale: 1,
            deadline: ample(),
          }),
        ),
      );
      expect(before?.bytes.equals(after?.bytes ?? Buffer.alloc(0))).to.equal(
        true,
        name,
      );
    }
  });
});
