import { expect } from "chai";
import { merged } from "../support.js";

/** The style sheet of a document, or those in the images of its headers and footers. */
function rules(html: string, part: "document" | "headers"): string {
  const pattern =
    part === "document"
      ? /<style>([^]*?)<\/style>/g
      : /%3Cstyle%3E([^]*?)%3C\/style%3E/g;
  return [...html.matchAll(pattern)].map(([, css]) => css).join("\n");
}

const text = { type: "text", text: ["x"] };

describe("the style sheet of a document", () => {
  it("has the rules of its elements and classes, and no others", () => {
    const { html } = merged({
      styles: { big: { "font-size": "20pt" }, unused: { color: "red" } },
      components: [
        { ...text, class: "big" },
        { type: "list", components: [{ type: "list-item", text: ["x"] }] },
      ],
    });
    const css = rules(html, "document");
    expect(css).to.include("p{margin:").and.include("li::marker{");
    expect(css).to.include(".c-big{font-size:20pt}");
    expect(css).not.to.match(
      /\.sign-field|\.button|\.code svg|blockquote|c-unused/,
    );
  });

  it("has the rules of all elements where Markdown may contain them", () => {
    const { html } = merged([{ type: "markdown", value: "x" }]);
    const css = rules(html, "document");
    expect(css).to.include("blockquote{").and.include("table{");
    expect(css).not.to.include(".sign-field");
  });

  it("has the rules of components that only appear under a condition", () => {
    const { html } = merged([
      {
        ...text,
        condition: {
          combinator: "and",
          rules: [{ field: "none", operator: "notNull" }],
          else: [{ type: "button", text: ["x"], href: "https://a.example" }],
        },
      },
    ]);
    expect(rules(html, "document")).to.include(".button{");
  });

  it("has all rules where markup may have any class", () => {
    const { html } = merged({
      styles: { unused: { color: "red" } },
      components: [text, { type: "markup", html: "<i class='{{ x }}'>x</i>" }],
    });
    const css = rules(html, "document");
    expect(css).to.include(".button{").and.include(".c-unused{");
  });

  it("has the rules of its headers, and each header only its own", () => {
    const { html } = merged({
      page: { header: [{ type: "divider" }] },
      components: [{ type: "list", components: [] }],
    });
    expect(rules(html, "document"))
      .to.match(/^hr\{/m)
      .and.match(/^ul,ol\{/m);
    const header = rules(html, "headers");
    expect(header).to.include("%0Ahr{").and.not.include("ul,ol{");
  });
});
