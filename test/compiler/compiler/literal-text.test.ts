import { renders, text } from "../support.js";

describe("literal text", () => {
  it("keeps delimiters of the template engine as text", () => {
    const source = "a {% raw %} {# no #} {%- if x -%} { { }} %} #}";
    renders([text(source)], {}, `<p>${source}</p>`);
  });

  it("that ends in a brace does not consume what follows", () => {
    const inline = ["{", "{{ root.a }}", "#", "}"];
    renders([{ type: "text", text: inline }], { a: 1 }, "<p>{1#}</p>");
  });

  it("contains an escaped opening delimiter as text", () => {
    renders([text("\\{{ root.a }}")], { a: 1 }, "<p>{{ root.a }}</p>");
  });

  it("in data is never parsed as a template", () => {
    renders(
      [text("{{ root.a }}")],
      { a: "{{ 7 * 7 }}{% for x in y %}{{ x(0, s0) }}" },
      "<p>{{ 7 * 7 }}{% for x in y %}{{ x(0, s0) }}</p>",
    );
  });
});
