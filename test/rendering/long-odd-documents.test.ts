import { expect } from "chai";
import type { Renderer } from "../../core/rendering/index.js";
import { LONG_PAGE, longDocument } from "../support/large-documents.js";
import { ample, startRenderer } from "../support/renderer.js";

const long = longDocument(500);
const named = ["body", "head", "createElement", "documentElement"].map(
  (name) => `<img name="${name}">`,
);
const odd = {
  "whose elements have the names of what is used to cut it": long.replace(
    "<p>The end.</p>",
    `<p>${named.join("")}</p>`,
  ),
  "that is one element and cannot be cut": long
    .replace("<main>", '<main style="break-inside: avoid"><div>')
    .replace("</main>", "</div></main>"),
  "that has one row of many pages": long.replace(
    "<td>250</td>",
    `<td>${"250<br>".repeat(400)}</td>`,
  ),
  "that is nothing but text": long.replaceAll(
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
