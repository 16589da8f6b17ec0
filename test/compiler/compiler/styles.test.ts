import { expect } from "chai";
import { merged, rejects, renders, text } from "../support.js";

describe("styles", () => {
  it("are written to the element in their original order", () => {
    renders(
      [text("a", { style: { color: "#123", "font-family": '"Inter"' } })],
      {},
      '<p style="color:#123;font-family:&quot;Inter&quot;">a</p>',
    );
  });

  it("write a named style as a class of the document", () => {
    const definition = {
      components: [text("a", { class: "muted small" })],
      styles: { muted: { color: "#666" }, small: { "font-size": "8pt" } },
    };
    renders(definition, {}, '<p class="c-muted c-small">a</p>');
    expect(merged(definition).html).to.include(".c-muted{color:#666}");
  });

  it("write a named style that contains data inline, before the component's own style", () => {
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

  it("keep data inside its declaration", () => {
    const component = text("a", { style: { color: "{{ root.c }}" } });
    for (const c of ["red;x:y", "url(//x)", '"}</style>', "expression(1)"]) {
      const { html } = merged([component], { c });
      expect(html).to.match(/<main><p style="color:[\w/]*">a<\/p><\/main>/);
    }
  });

  it("reject properties that are not on the list", () => {
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

  it("reject a value that ends its declaration or loads something", () => {
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
