import { expect } from "chai";
import { expectAccepted, fc } from "../../support/properties.js";
import { SaxesParser } from "saxes";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  drawChart,
  type ChartDrawing,
} from "../../../core/compiler/drawing/index.js";
import { kinds } from "./chart-cases.js";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 24 }),
  fc.constantFrom(
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
  ),
);
const value = fc.oneof(
  fc.integer({ min: -50, max: 1000 }),
  fc.double({ noDefaultInfinity: false }),
  fc.constantFrom(null, 0, 5e-324, 1e15),
);
const side = fc.oneof(fc.integer({ min: -10, max: 900 }), fc.double());

const charts: fc.Arbitrary<ChartDrawing> = fc.record({
  chart: fc.constantFrom(...kinds),
  labels: fc.array(text, { maxLength: 20 }),
  series: fc.array(
    fc.record({
      label: text,
      values: fc.array(value, { maxLength: 20 }),
      color: fc.option(text, { nil: undefined }),
    }),
    { maxLength: 5 },
  ),
  widthPx: side,
  heightPx: side,
  fontFamily: fc.option(text, { nil: undefined }),
  textColor: fc.option(text, { nil: undefined }),
  locale: fc.constantFrom("en-US", "de-DE", "ar-EG", "hi-IN", "ja-JP"),
});

/** The drawing, null when our own error refuses the chart; any other error passes through. */
function drawIfAccepted(chart: ChartDrawing): string | null {
  try {
    return drawChart(chart);
  } catch (error) {
    if (error instanceof PlatenError && error.code === "merge_failed")
      return null;
    throw error;
  }
}

/** Tags with the names of their attributes, without values and text. */
function getMarkup(svg: string): string {
  return svg.replace(/"[^"]*"/g, '""').replace(/>[^<]+</g, "><");
}

describe("a random chart", () => {
  it("is drawn identically twice as well-formed XML with finite numbers and all texts as text, or rejected with a PlatenError", () => {
    const before = Reflect.ownKeys(Object.prototype);
    expectAccepted(50, (accept) => {
      const property = fc.property(charts, (chart) => {
        const drawn = drawIfAccepted(chart);
        expect(drawIfAccepted(chart)).to.equal(drawn);
        if (drawn === null) return;
        accept();
        expect(getMarkup(drawn)).to.match(
          /^(<\/?(svg|title|g|path|line|rect|circle|text|tspan)( (?!on|id|class|href)[\w:-]+="")*\/?>)+$/,
        );
        new SaxesParser().write(drawn).close();
        expect(drawn).not.to.match(/<[^>]*(NaN|Infinity|undefined)/);
      });
      fc.assert(property, { numRuns: 150 });
    });
    expect(Reflect.ownKeys(Object.prototype)).to.deep.equal(before);
  });
});
