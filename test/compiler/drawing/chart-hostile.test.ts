import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { kinds, createChart } from "./chart-cases.js";

const payloads = [
  "<script>alert(1)</script>",
  "</text></svg><img src=x onerror=alert(1)>",
  "\"'><a href=javascript:alert(1)>",
  "{a|{b}} {c} ${d}",
  "]]></style><script>",
  "url(#x) &lt; &#x3c;",
  "\u0000\u0007\u001b\ud800\uffff",
  "__proto__",
  "constructor",
  "a\n__proto__\r\nb",
];

function keysOfPrototypes(): string {
  return [Object.prototype, Object]
    .flatMap((one) => Reflect.ownKeys(one).map(String))
    .join();
}

/** Tags with the names of their attributes, without values and text. */
function getMarkup(svg: string): string {
  return svg.replace(/"[^"]*"/g, '""').replace(/>[^<]+</g, "><");
}

describe("malicious texts in a chart", () => {
  for (const chart of kinds)
    it(`remain text in well-formed XML: ${chart}`, async () => {
      const before = keysOfPrototypes();
      for (const payload of payloads) {
        const svg = drawChart({
          ...createChart({ chart, labels: [payload, "B"] }),
          series: [
            { label: payload, values: [1, 2], color: payload },
            { label: "x", values: [2, 1] },
          ],
          fontFamily: payload,
          textColor: payload,
        });
        expect(getMarkup(svg)).to.match(
          /^(<\/?(svg|title|g|path|line|rect|circle|text)( (?!on|id|class|href)[\w:-]+="")*\/?>)+$/,
        );
        // librsvg refuses what is no XML.
        await sharp(Buffer.from(svg)).png().toBuffer();
      }
      expect(keysOfPrototypes()).to.equal(before);
    });
});
