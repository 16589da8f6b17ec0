import { expect } from "chai";
import {
  compileTemplate,
  inlineAssets,
  overlayHtml,
} from "../../core/compiler/index.js";
import { checkDefinition } from "../../core/definition/index.js";
import { readDocFile } from "../support/doc-blocks.js";
import { readPdf } from "../support/read-pdf.js";
import { draw, print as printHtml, readPixels } from "./jobs.js";

const PAGE = "docs/how-to/write-templates-in-html.md";

/** Prints markup; the data is that of the definition's sample. */
async function print(definition: object, isTest = false): Promise<Buffer> {
  const checked = checkDefinition({ schema: [], ...definition }, "document");
  expect(checked.problems).to.eql([]);
  if (!checked.definition) throw new Error("no definition and no problem");
  const merged = compileTemplate(checked.definition, "document").merge(
    checked.definition.sample ?? {},
    { isTest, now: new Date("2026-03-14T09:26:53Z") },
  );
  const { overlay } = merged;
  const { bytes } = await printHtml(
    inlineAssets(merged, new Map()),
    overlay ? { overlay: (pages: number) => overlayHtml(overlay, pages) } : {},
  );
  return bytes;
}

/** The share of the first page's pixels that are red, as the mark of tests is. */
async function measureRed(pdf: Buffer): Promise<number> {
  const [image] = await draw(pdf, { pages: "1", scale: 0.25 });
  const { data } = await readPixels(image?.bytes);
  let red = 0;
  for (let at = 0; at < data.length; at += 3)
    if (Number(data[at]) - Number(data[at + 1]) > 30) red += 1;
  return red / (data.length / 3);
}

describe("an HTML template", () => {
  it("prints the invoice of the documentation with its groups, totals and page numbers", async () => {
    const { definition } = JSON.parse(readDocFile(PAGE, "template.json"));
    const html = readDocFile(PAGE, "invoice.html");
    const css = readDocFile(PAGE, "invoice.css");
    const components = [{ type: "markup", html, css }];
    const pages = await readPdf(await print({ ...definition, components }));
    expect(pages).to.have.length(1);
    const text = pages[0]?.text.replaceAll(/\s+/g, " ");
    expect(text).to.include("Design").and.to.include("€6,720.00");
    expect(text).to.include("€12,185.60").and.to.include("Page 1 of 1");
    expect(text).not.to.include("Training");
  });

  it("takes its paper from @page", async () => {
    const css = "@page { size: 100mm 50mm; margin: 5mm }";
    const components = [{ type: "markup", html: "<p>a</p>", css }];
    const [page] = await readPdf(await print({ components }));
    expect(page?.widthPt).to.be.closeTo((100 / 25.4) * 72, 1);
    expect(page?.heightPt).to.be.closeTo((50 / 25.4) * 72, 1);
  });

  it("keeps its style sheet from other components and the mark of tests", async () => {
    const plain = { components: [{ type: "markup", html: "<p>a</p>" }] };
    const usual = await measureRed(await print(plain, true));
    expect(usual).to.be.greaterThan(0.01);
    const html =
      '<header data-page><div class="cover">b</div><i data-page-number></i></header><div class="cover">a</div>';
    for (const css of [
      "* , *::before { display: none !important; visibility: hidden !important; opacity: 0 !important }",
      "html, body, :root, .sheet, .watermark, main ~ *, body > * { display: none !important }",
      ".cover { position: fixed; inset: -500mm; z-index: 2147483647; background: white }",
      ":scope { position: fixed; inset: 0; z-index: 999; background: white; isolation: auto }",
      "@scope (:root) { .watermark { display: none !important } }",
      "@scope (.sheet) { .watermark { display: none !important } }",
      "@media print { .watermark { display: none !important } } @layer a { .watermark { opacity: 0 !important } }",
      "div { & ~ .watermark, .watermark & , :root & { display: none } } :root .watermark { display: none }",
    ]) {
      const pdf = await print(
        { components: [{ type: "markup", html, css }] },
        true,
      );
      expect(await measureRed(pdf), css).to.be.greaterThan(usual * 0.9);
    }
  });
});
