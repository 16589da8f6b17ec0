import { expect } from "chai";
import type { RenderOptions } from "../../../core/definition/index.js";
import { merged, rejects } from "../support.js";

function pageRule(page: object, renderOptions: RenderOptions = {}): string {
  const { html } = merged({ page }, {}, { renderOptions });
  return /@page\{(size:[^}]*)\}/.exec(html)?.[1] ?? "";
}

describe("the paper", () => {
  it("is portrait A4 with margins unless the definition says otherwise", () => {
    expect(pageRule({})).to.equal(
      "size:210mm 297mm;margin:75.591px 68.031px 75.591px 68.031px",
    );
  });

  it("has every supported size, rotated for landscape", () => {
    const sizes = {
      A3: "297mm 420mm",
      A5: "148mm 210mm",
      Letter: "8.5in 11in",
      Legal: "8.5in 14in",
      Tabloid: "11in 17in",
    };
    for (const [size, css] of Object.entries(sizes))
      expect(pageRule({ size })).to.include(`size:${css};`);
    expect(pageRule({ landscape: true })).to.include("size:297mm 210mm;");
    const custom = { size: "Custom", width: "4in", height: "150mm" };
    expect(pageRule(custom)).to.include("size:4in 150mm;");
  });

  it("has one margin for all sides or one for each", () => {
    expect(pageRule({ margin: "1in" })).to.include(
      "margin:96px 96px 96px 96px",
    );
    expect(pageRule({ margin: { top: "0", left: "10px" } })).to.include(
      "margin:0px 68.031px 75.591px 10px",
    );
  });

  it("reserves the height that a header requests", () => {
    const header = { height: "40mm", components: [{ type: "divider" }] };
    expect(pageRule({ header })).to.include("margin:151.181px");
    expect(pageRule({ header, margin: "50mm" })).to.include("margin:188.976px");
  });

  it("can be overridden by a request, for that request only", () => {
    const document = merged(
      { page: { size: "A4" } },
      {},
      {
        renderOptions: {
          size: "A5",
          landscape: true,
          margin: { top: "5mm" },
          scale: 0.5,
        },
      },
    );
    expect(Math.round(document.page.widthPx)).to.equal(794);
    expect(document.html).to.include("size:210mm 148mm;margin:18.898px");
    expect(document.html).to.include("main{zoom:0.5}");
  });

  it("is rejected without space between its margins, and for a custom size without width and height", () => {
    rejects({ page: { margin: "150mm" } }, "$.page.margin", "leave no space");
    rejects(
      { page: { size: "Custom" } },
      "$.page.size",
      "needs a width and a height",
    );
    rejects({ page: { width: "10mm" } }, "$.page.width", "has a fixed width");
    expect(() =>
      merged({}, {}, { renderOptions: { margin: "200mm" } }),
    ).to.throw("leave no space");
  });
});
