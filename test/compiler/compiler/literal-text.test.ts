import { renders, text } from "../support.js";

describe("literal text", () => {
  it("with delimiters of the template engine stays text", () => {
    const source = "a {% raw %} {# no #} {%- if x -%} { { }} %} #}";
    renders([text(source)], {}, `<p>${source}</p>`);
  });

  it("that ends in a brace does not swallow what follows", () => {
    const inline = ["{", "{{ root.a }}", "#", "}"];
    renders([{ type: "text", text: inline }], { a: 1 }, "<p>{1#}</p>");
  });

  it("an escaped opening is written as it is", () => {
    renders([text("\\{{ root.a }}")], { a: 1 }, "<p>{{ root.a }}</p>");
  });

  it("in data is never read as a template", () => {
    renders(
      [text("{{ root.a }}")],
      { a: "{{ 7 * 7 }}{% for x in y %}{{ x(0, s0) }}" },
      "<p>{{ 7 * 7 }}{% for x in y %}{{ x(0, s0) }}</p>",
    );
  });
});
