import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  toHtmlOutput,
  toPrintableDocument,
  type PrintableDocument,
} from "../../core/documents/render/printable-document.js";
import type { PrintedPdf, Renderer } from "../../core/rendering/index.js";
import { merged, text } from "../compiler/support.js";
import {
  LONG_PAGE,
  longDocument,
  longTable,
} from "../support/large-documents.js";
import { placesOfNames, readPdf, textTops } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";
import { draw, failure, print as printBy, shoot } from "./jobs.js";

let renderer: Promise<Renderer> | undefined;

/** Prints in pieces of few pages. */
async function print(html: string, more: object = {}): Promise<PrintedPdf> {
  renderer ??= startRenderer({ piecePages: 4, maxPrintBytes: 5_000_000 });
  return printBy(html, more, await renderer);
}

function strips(count: number): string {
  const sheets = Array.from(
    { length: count },
    (_, index) => `<div>Strip ${index + 1} of ${count}</div>`,
  );
  const style =
    "@page { size: 560px 700px; margin: 0 } body { margin: 0 } div { height: 700px; overflow: hidden; break-after: page } div:last-child { break-after: auto }";
  return page(sheets.join(""), style);
}

/** Of each page, in no order: a running head may be drawn before or after the text. */
async function letters({ bytes }: PrintedPdf): Promise<string[]> {
  const pages = await readPdf(bytes);
  return pages.map(({ text: shown }) =>
    Array.from(shown.replaceAll(/\s/g, "")).toSorted().join(""),
  );
}

async function drawJoints({ bytes }: PrintedPdf): Promise<string[]> {
  const images = await draw(bytes, { scale: 0.25 });
  return images.map((image) => image.bytes.toString("base64"));
}

describe("a long document that is printed in pieces", () => {
  const html = longDocument(300);
  let whole: PrintedPdf;
  let joined: PrintedPdf;

  before(async () => {
    // Without its page, nothing is known of where it may be cut.
    whole = await print(html);
    joined = await print(html, { page: LONG_PAGE });
  });

  it("has the same content on each page as when it is printed whole", async () => {
    expect(joined.bytes.equals(whole.bytes)).to.equal(false);
    expect(joined.pages).to.equal(whole.pages);
    expect(joined.pages).to.be.above(18);
    expect(await letters(joined)).to.deep.equal(await letters(whole));
  });

  it("looks the same where pieces meet", async () => {
    const pictures = await drawJoints(joined);
    expect(pictures).to.have.lengthOf(whole.pages);
    expect(pictures.join()).to.equal((await drawJoints(whole)).join());
  });

  it("keeps its links and contains no marks of the split", async () => {
    const places = await placesOfNames(joined.bytes);
    expect(places).to.deep.equal(await placesOfNames(whole.bytes));
    expect(places).to.have.property("chapter-2").that.is.above(12);
  });

  it("gets the same overlay as when it is printed whole", async () => {
    const job = { page: LONG_PAGE, overlay: strips };
    const { bytes, pages } = await print(html, job);
    const texts = (await readPdf(bytes)).map(({ text: shown }) => shown);
    expect(pages).to.equal(whole.pages);
    expect(texts).to.have.lengthOf(pages);
    for (const [index, shown] of texts.entries())
      expect(shown).to.include(`Strip ${index + 1} of ${pages}`);
  });

  it("is scaled down as much as when it is printed whole, if it is too wide", async () => {
    const wide = '<p style="width: 700px; background: #fcc">Wide</p>';
    const widened = longDocument(200).replace("<p>The end.</p>", wide);
    const small = await print(widened, { page: LONG_PAGE });
    expect(small.overflow).to.deep.equal([
      { element: "body", text: "", widthPx: 700, roomPx: 480 },
    ]);
    expect(small.pages).to.equal((await print(widened)).pages);
  });

  const long = longDocument(200);
  const named = ["body", "head", "createElement", "documentElement"].map(
    (name) => `<img name="${name}">`,
  );
  for (const [kind, odd] of Object.entries({
    "element names like those of the split": long.replace(
      "<p>The end.</p>",
      `<p>${named.join("")}</p>`,
    ),
    "a single unbreakable element": long
      .replace("<main>", '<main style="break-inside: avoid"><div>')
      .replace("</main>", "</div></main>"),
    "a row of many pages": long.replace(
      "<td>250</td>",
      `<td>${"250<br>".repeat(400)}</td>`,
    ),
    "nothing but text": long.replaceAll(
      /<(?!\/?(html|head|style|body|meta|!))[^>]*>/g,
      " ",
    ),
  }))
    it(`has as many pages as if it were printed whole, with ${kind}`, async () => {
      const { pages } = await print(odd);
      expect((await print(odd, { page: LONG_PAGE })).pages).to.equal(pages);
    });

  it("past the limit is rejected with an error that names the setting", async () => {
    const error = await failure(print(longTable(90_000)));
    expect(error).to.have.property("code", "too_large");
    expect(error)
      .to.have.property("message")
      .that.includes("PLATEN_MAX_PRINT_BYTES");
    expect(await print(page("x"))).to.have.property("pages", 1);
  });
});

const NO_ASSETS = {
  byToken: new Map<string, string>(),
  addresses: new Map<string, string>(),
  videos: new Map<string, string>(),
  failed: [],
  changed: [],
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
  components: cells.map((cell) => ({ type: "table-cell", components: [cell] })),
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
        row(
          [
            text("Row {{ item.n }}", { style: { height: "10mm" } }),
            text("Words"),
          ],
          { collection: { collectionId: "item", path: "root.items" } },
        ),
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
    const items = Array.from({ length: 500 }, (_, n) => ({ n: n + 1 }));
    const { page: box, ...whole } = printable(LONG, { items });
    const html = `${whole.html}<!--${"x".repeat(300_000)}-->`;
    const together = await print(html, { ...whole, html });
    const pieces = await print(html, { ...whole, html, page: box });
    expect(pieces.bytes.equals(together.bytes)).to.equal(false);
    expect(pieces.pages).to.equal(together.pages).and.to.be.above(14);
    expect(await rows(pieces.bytes)).to.deep.equal(await rows(together.bytes));
    const [first, second] = await textTops(pieces.bytes, /^Row/);
    expect(first?.[0]).to.be.above(66);
    expect(second?.[0]).to.be.within(36, 50);
    const [one, two] = await readPdf(pieces.bytes);
    expect(one?.text).to.include("First header");
    expect(two?.text).to.include("Other header");
  });

  for (const name of ["invoice", "letter", "locale-ar-EG"])
    it(`leave the html output as it was on a screen where headers fit: ${name}`, async () => {
      const folder = new URL(`../golden/${name}/`, import.meta.url);
      const read = (file: string): object =>
        JSON.parse(readFileSync(new URL(file, folder), "utf8"));
      const document = printable(read("definition.json"), read("data.json"));
      const [paper, screen] = await Promise.all(
        [document.html, toHtmlOutput(document)].map((html) =>
          shoot(html, { widthPx: 1000 }),
        ),
      );
      expect(paper?.bytes.equals(screen?.bytes ?? Buffer.alloc(0))).to.equal(
        true,
      );
    });
});
