import { expect } from "chai";
import { describe, it } from "mocha";
import { darkRules } from "../../../core/compiler/email/dark-mode.js";
import { text } from "../support.js";
import { mergeHtml, section } from "./emails.js";

/** The dark rule of a declaration, such as `color:#000`. */
function ruleFor(declaration: string): string {
  return (
    /\{([^{}]*)!important\}/.exec(
      darkRules(`<p style="${declaration}">`),
    )?.[1] ?? ""
  );
}

/** From 0 to 255, of all three parts together. */
function brightness(declaration: string): number {
  const hex = /#(\w{6})/.exec(ruleFor(declaration))?.[1] ?? "";
  const [red = 0, green = 0, blue = 0] = (hex.match(/../g) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  return (red + green + blue) / 3;
}

describe("an email in a mail program with a dark mode", () => {
  it("has dark backgrounds and light texts, and says that it is made for both", () => {
    const html = mergeHtml({ components: [section([text("Hello")])] });
    expect(html).to.include('<meta name="color-scheme" content="light dark">');
    expect(html).to.include("@media (prefers-color-scheme:dark){");
    expect(brightness("background-color:#ffffff")).to.be.below(40);
    expect(brightness("background:#f5f6f8")).to.be.below(48);
    expect(brightness("color:#1b2230")).to.be.above(190);
    expect(brightness("border-bottom:1px solid #e3e7ed")).to.be.below(90);
  });

  it("keeps colors of medium lightness and light texts", () => {
    for (const declaration of [
      "background-color:#2563eb",
      "color:#ffffff",
      "color:white",
      "color:inherit",
      "background:transparent",
    ])
      expect(ruleFor(declaration), declaration).to.equal("");
  });

  it("sets dark buttons apart from the dark page", () => {
    expect(brightness("background-color:#1b2230")).to.be.above(
      brightness("background-color:#ffffff") + 20,
    );
  });

  it("keeps the hue of a light background", () => {
    const hex = /#(\w{6})/.exec(ruleFor("background-color:#fde68a"))?.[1] ?? "";
    const [red = 0, , blue = 0] = (hex.match(/../g) ?? []).map((part) =>
      Number.parseInt(part, 16),
    );
    expect(red).to.be.above(blue);
  });

  it("does not take the beginning of a color for the color", () => {
    const rules = darkRules(
      '<p style="margin:0;color:#123;padding:0"><p style="color:#123456">',
    );
    expect(rules)
      .to.include('[style*=";color:#123;"]{')
      .and.to.include('[style="color:#123456"]{');
  });

  it("keeps texts over a picture as they are", () => {
    const html = '<td background="x.png"><p style="color:#111111">';
    expect(darkRules(html)).to.include(
      '[background] [style="color:#111111"]{color:#111111!important}',
    );
  });

  it("writes no rule for a color from data that is none", () => {
    const style = { color: "{{ root.color }}" };
    const html = mergeHtml(
      { components: [text("a", { style })] },
      { color: "#111}*{x:y" },
    );
    expect(html).not.to.include("#111}*");
    expect(darkRules('<p style="color:#111}*{x:y">')).to.equal("");
  });

  it("keeps its colors with the dark mode off", () => {
    const html = mergeHtml({
      email: { subject: "", darkMode: "off" },
      components: [text("a")],
    });
    expect(html).to.include('content="light only"');
    expect(html).not.to.include("prefers-color-scheme");
  });
});
