import { expect } from "chai";
import { describe, it } from "mocha";
import { darkRules } from "../../../core/compiler/email/dark-mode.js";
import { text } from "../support.js";
import { mergeHtml, section } from "./emails.js";

/** The dark rule of a declaration, such as `color:#000`; empty when it stays. */
function ruleFor(declaration: string): string {
  return (
    /\{([^{}]*)!important\}/.exec(
      darkRules(`<p style="${declaration}">`),
    )?.[1] ?? ""
  );
}

/** What colors become as text, background and border; empty where they stay. Computed with the library culori. */
const COLORS: readonly [
  color: string,
  text: string,
  background: string,
  border: string,
][] = [
  ["#000000", "#e8e8e8", "#424242", "#5d5d5d"],
  ["#111111", "#d6d6d6", "#3e3e3e", "#5d5d5d"],
  ["#1b2230", "#c8cfdd", "#363c47", "#585e69"],
  ["#123", "#c2d2e2", "#313d4a", "#525f6d"],
  ["#123456", "#b1cce9", "#253c54", "#48607a"],
  ["#2563eb", "#7fb1ff", "", ""],
  ["#465063", "#b6bece", "", ""],
  ["#667080", "#acb4c0", "", ""],
  ["#8a93a0", "", "#333840", "#535961"],
  ["#a0a6b0", "", "#35383e", "#50545a"],
  ["#c9ced6", "", "#33363a", "#46494e"],
  ["#e3e7ed", "", "#242629", "#414346"],
  ["#f5f6f8", "", "#1d1d1e", "#3f3f40"],
  ["#ffffff", "", "#181818", "#3d3d3d"],
  ["#fde68a", "", "#332500", "#504200"],
  ["#dc2626", "#ff877a", "", ""],
  ["#0a7", "", "#004729", "#056a49"],
  ["#ff00ff", "", "#6d006f", "#900091"],
  ["#00ff00", "", "#004600", "#005e00"],
  ["#ffff00", "", "#261f00", "#474300"],
  ["#0000ff", "#72b3ff", "", ""],
  ["#080808", "#dadada", "#3f3f3f", "#5d5d5d"],
  ["rgb(200,10,300)", "", "#5e007f", "#861baa"],
];

const DECLARATIONS: readonly [written: string, dark: string][] = [
  ["color:white", ""],
  ["color:BLACK", "color:#e8e8e8"],
  ["color:rgb(17,17,17)", "color:#d6d6d6"],
  ["color:rgb( 17 , 17 , 17 )", "color:#d6d6d6"],
  ["color:#11111", ""],
  ["color:#1111111", ""],
  ["color:inherit", ""],
  ["color:blackish", ""],
  ["background:transparent", ""],
  ["background:#fff url(x.png)", "background:#181818 url(x.png)"],
  ["border:1px solid #fff", "border:1px solid #3d3d3d"],
  ["border-color:#fff #2563eb #000", "border-color:#3d3d3d #2563eb #5d5d5d"],
  ...["top", "right", "bottom", "left"].flatMap((side): [string, string][] => [
    [`border-${side}:1px solid #fff`, `border-${side}:1px solid #3d3d3d`],
    [`border-${side}-color:#fff`, `border-${side}-color:#3d3d3d`],
  ]),
  ["border-width:1px", ""],
  ["text-decoration-color:#000", ""],
  // What could end a rule, or a selector.
  ["color:#111}*{x:y", ""],
  ["color:#111\\", ""],
  ["color:#111\n", ""],
];

/** What the page says of color schemes. */
const schemes = (darkMode: string) =>
  mergeHtml({
    email: { subject: "", darkMode },
    components: [section([text("a")])],
  }).match(/<meta name="[a-z-]*color-scheme[^>]*>|prefers-color-scheme/g);

describe("an email in a mail program with a dark mode", () => {
  for (const [color, ...dark] of COLORS)
    it(`has for ${color} the color that fits: ${dark.join(", ")}`, () => {
      const properties = ["color", "background-color", "border-top-color"];
      expect(
        properties.map((property) =>
          ruleFor(`${property}:${color}`).replace(`${property}:`, ""),
        ),
      ).to.deep.equal(dark);
    });

  for (const [written, dark] of DECLARATIONS)
    it(`has ${dark || "the same"} for ${JSON.stringify(written)}`, () => {
      expect(ruleFor(written)).to.equal(dark);
    });

  it("selects each declaration at its place in the attribute, with one rule for all places", () => {
    const html = [
      "color:#123",
      "color:#123;margin:0",
      "margin:0;color:#123;padding:0",
      "margin:0;color:#123",
      "margin:0;color:#123456",
      "color:#123",
    ].map((style) => `<p style="${style}">`);
    expect(darkRules(html.join("\n"))).to.equal(
      "@media (prefers-color-scheme:dark){\n" +
        '[style="color:#123"],[style^="color:#123;"],[style*=";color:#123;"],[style$=";color:#123"]{color:#c2d2e2!important}\n' +
        '[style$=";color:#123456"]{color:#b1cce9!important}\n}\n',
    );
    expect(darkRules('<p style="color:#ffffff">')).to.equal("");
  });

  it("keeps texts over a picture as they are", () => {
    const html =
      '<td background="x.png" style="background:#fff"><p style="color:#111111"><b style="margin:0;color:#111111">';
    expect(darkRules(html)).to.equal(
      "@media (prefers-color-scheme:dark){\n" +
        '[style="background:#fff"]{background:#181818!important}\n' +
        '[style="color:#111111"],[style$=";color:#111111"]{color:#d6d6d6!important}\n' +
        '[background] [style="color:#111111"],[background] [style$=";color:#111111"]{color:#111111!important}\n}\n',
    );
  });

  it("writes no rule for a color from data that is none", () => {
    const style = { color: "{{ root.color }}" };
    const html = mergeHtml(
      { components: [text("a", { style })] },
      { color: "#111}*{x:y" },
    );
    expect(html).not.to.include("#111}*");
  });

  it("says that it is made for both, or for light programs alone with the dark mode off", () => {
    expect(schemes("auto")).to.deep.equal([
      '<meta name="color-scheme" content="light dark">',
      '<meta name="supported-color-schemes" content="light dark">',
      "prefers-color-scheme",
    ]);
    expect(schemes("off")).to.deep.equal([
      '<meta name="color-scheme" content="light only">',
      '<meta name="supported-color-schemes" content="light">',
    ]);
  });
});
