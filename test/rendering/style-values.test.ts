import { createRequire } from "node:module";
import { expect } from "chai";
import type { DSNode } from "css-tree";
import { z } from "zod";
import { STYLE_PROPERTIES } from "../../core/definition/schema/known-values.js";
import { checkStyleValue } from "../../core/definition/schema/style-values.js";
import { useBrowser } from "../support/studio.js";

type Syntaxes = Record<
  "properties" | "types",
  Record<string, { syntax: DSNode | null }>
>;

const csstree: { lexer: Syntaxes } = createRequire(import.meta.url)("css-tree");
const { lexer } = csstree;

/** The keywords of syntaxes. */
function listKeywords(syntaxes: readonly (DSNode | null)[]): Set<string> {
  const found = new Set<string>();
  const visit = (node: DSNode | null): void => {
    if (node?.type === "Keyword" && !/[()]/.test(node.name))
      found.add(node.name);
    if (node?.type === "Group") node.terms.forEach(visit);
    if (node?.type === "Multiplier") visit(node.term);
  };
  syntaxes.forEach(visit);
  return found;
}

const VALUES =
  `0|1|2|-1|1.5|100|12px|-12px|.5em|1e2px|12pt|1cm|10mm|1in|2rem|1ch|10vw|50%|-50%|12|12 px|12pxx|1,5|12px 4px|1px 2px 3px 4px|
1px 2px 3px 4px 5px|auto 1fr|1fr 2fr|repeat(3, 1fr)|minmax(10px, 1fr) 2fr|calc(1px + 2px)|min(1px, 2px)|#fff|#ffff|#1a2b3c|#1a2b3c80|#ggg|fff|
rgb(1,2,3)|rgb(1 2 3 / 50%)|rgba(1,2,3,.5)|rgb(1,2)|rgb(from red r g b)|hsl(120deg 50% 50% / .5)|hsla(120,50%,50%,.3)|hwb(120 10% 10%)|
lab(50% 20 30)|oklch(.5 .1 120)|RED|Red|blurple|transparent|currentColor|CanvasText|1px solid red|solid 1px red|1px solid blurple|1 solid red|
2px dashed #ccc|thin dotted|1px wavy red|1px solid red, 2px solid blue|linear-gradient(red, blue)|linear-gradient(to right, red 10%, blue 20%)|
radial-gradient(circle at center, red, blue)|linear-gradient(red)|1px 1px red|2px 2px 4px rgba(0,0,0,.5)|inset 0 0 1px red|
0 0 0 1px red, 0 1px 2px blue|rotate(45deg)|rotate(45)|scale(1.5, 2)|translate(1px, 2%)|rotate(45deg) scale(2)|left top|top left|
right 10px bottom 5px|red center / cover no-repeat|16/9|16 / 9|550|1001|12px Inter|italic bold 12px/1.5 Inter, sans-serif|12px|'Inter'|
Source Serif 4|"Inter", Arial|tabular-nums lining-nums|"tnum" 1, "ss01"|underline dotted red|underline overline|line-through 2px|span 2|
1 / 3|1 / -1|row wrap|1 1 0|0 0 50%|"→ "|safe center|last baseline|first baseline|5em hanging|block flex|center center|
ellipsis ellipsis|-0.5em|+5px|5.px|hidden visible|wrap balance`
    .replaceAll("\n", "")
    .split("|");

/** Where the check is laxer than the browser, because the data decides or hardly anybody writes it. */
const LAX = /^(?:calc|min)\(|-\d|^-?\.|^0$|\/9$|^-apple-/;

describe("the values of every style property", () => {
  const open = useBrowser();

  it("are accepted when the browser accepts them, and refused when it ignores them", async () => {
    const page = await open();
    const all = [lexer.properties, lexer.types].flatMap((group) =>
      Object.values(group).map(({ syntax }) => syntax),
    );
    const values = [...new Set([...listKeywords(all), ...VALUES])];
    expect(values).to.have.length.greaterThan(1000);
    const accepted = z.array(z.array(z.boolean())).parse(
      await page.evaluate(
        `${JSON.stringify(STYLE_PROPERTIES)}.map((property) =>
        ${JSON.stringify(values)}.map((value) => CSS.supports(property, value)))`,
      ),
    );
    const differences = STYLE_PROPERTIES.flatMap((property, row) => {
      const own = listKeywords([lexer.properties[property]?.syntax ?? null]);
      return values.flatMap((value, column) => {
        // Of the keywords, each property is tried with its own and an eighth of all others.
        const isTried =
          VALUES.includes(value) || own.has(value) || column % 8 === row % 8;
        if (!isTried) return [];
        const isAccepted = accepted[row]?.[column] === true;
        const isValid = checkStyleValue(property, value) === null;
        if (isAccepted === isValid || (isValid && LAX.test(value))) return [];
        return [`${property}: ${value} ${isValid ? "is ignored" : "is shown"}`];
      });
    });
    expect(differences).to.deep.equal([]);
  });
});
