import { expect } from "chai";
import { merged, rejects, text } from "../support.js";

describe("styles", () => {
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
