import { expect } from "chai";
import { describe, it } from "mocha";
import { mergeHtml, section } from "./emails.js";

describe("an email's html", () => {
  it("has no indentation outside of texts", () => {
    const html = mergeHtml([section([{ type: "text", text: "x" }])]);
    expect(html.split("</head>")[1]).not.to.match(/\n[ \t]+<|>[ \t]+\n/);
  });

  it("keeps the spaces of texts", () => {
    const words = "one  two\tthree";
    const html = mergeHtml(
      [section([{ type: "text", text: `${words} {{ root.x }}` }])],
      { x: words },
    );
    expect(html).to.include(`${words} ${words}`);
  });

  it("does not change preformatted text", () => {
    const code = "```\nif x:\n    y\n\n    z\n```";
    const html = mergeHtml([section([{ type: "markdown", value: code }])]);
    expect(html).to.include("if x:\n    y\n\n    z");
  });
});
