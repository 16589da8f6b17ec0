import { expect } from "chai";
import type { Renderer } from "../../core/rendering/index.js";
import { LONG_PAGE, longDocument } from "../support/large-documents.js";
import { ample, startRenderer } from "../support/renderer.js";

const long = longDocument(500);
const named = ["body", "head", "createElement", "documentElement"].map(
  (name) => `<img name="${name}">`,
);
const odd = {
  "with element names like those of the split": long.replace(
    "<p>The end.</p>",
    `<p>${named.join("")}</p>`,
  ),
  "with a single unbreakable element": long
    .replace("<main>", '<main style="break-inside: avoid"><div>')
    .replace("</main>", "</div></main>"),
  "with a row of many pages": long.replace(
    "<td>250</td>",
    `<td>${"250<br>".repeat(400)}</td>`,
  ),
  "with nothing but text": long.replaceAll(
    /<(?!\/?(html|head|style|body|meta|!))[^>]*>/g,
    " ",
  ),
};

describe("a long document", () => {
  let renderer: Renderer;

  before(async () => {
    renderer = await startRenderer({ piecePages: 5 });
  });

  for (const [kind, html] of Object.entries(odd))
    it(`${kind} has as many pages as if it were printed whole`, async () => {
      const whole = await renderer.pdf({ html, deadline: ample() });
      const job = { html, page: LONG_PAGE, deadline: ample() };
      expect((await renderer.pdf(job)).pages).to.equal(whole.pages);
    });
});
