import { expect } from "chai";
import { merged, rejects, renders, text } from "../support.js";

describe("styles", () => {
  it("stand in the element, in the order in which they are written", () => {
    renders(
      [text("a", { style: { color: "#123", "font-family": '"Inter"' } })],
      {},
      '<p style="color:#123;font-family:&quot;Inter&quot;">a</p>',
    );
  });

  it("a named style is a class of the document", () => {
    const definition = {
      components: [text("a", { class: "muted small" })],
      styles: { muted: { color: "#666" }, small: { "font-size": "8pt" } },
    };
    renders(definition, {}, '<p class="c-muted c-small">a</p>');
    expect(merged(definition).html).to.include(".c-muted{color:#666}");
  });

  it("a named style with data in it is written in place, before the own style", () => {
    renders(
      {
        components: [text("a", { class: "brand", style: { color: "red" } })],
        styles: {
          brand: { "background-color": "{{ root.brand }}", color: "blue" },
        },
      },
      { brand: "#0af" },
      '<p style="background-color:#0af;color:red">a</p>',
    );
  });

  it("data cannot leave the declaration that it stands in", () => {
    const component = text("a", { style: { color: "{{ root.c }}" } });
    for (const c of ["red;x:y", "url(//x)", '"}</style>', "expression(1)"]) {
      const { html } = merged([component], { c });
      expect(html).to.match(/<main><p style="color:[\w/]*">a<\/p><\/main>/);
    }
  });

  it("refuses what is not on the list", () => {
    rejects(
      [text("a", { style: { position: "fixed" } })],
      "$.components[0].style.position",
      "Unknown property",
    );
    rejects(
      [text("a", { style: { colour: "red" } })],
      "$.components[0].style.colour",
      'Did you mean "color"',
    );
    rejects(
      [text("a", { class: "mutd" })],
      "$.components[0].class",
      "$.styles has no style",
    );
  });

  it("refuses a value that ends its declaration or loads something", () => {
    for (const color of [
      "red;top:0",
      "url(x)",
      "red}",
      "/**/",
      "red !important",
      "image-set('x')",
    ])
      rejects(
        [text("a", { style: { color } })],
        "$.components[0].style.color",
        "not a valid style value",
      );
  });
});
