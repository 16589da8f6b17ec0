import { expect } from "chai";
import { expectAccepted, fc } from "../../support/properties.js";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  drawChart,
  type ChartDrawing,
} from "../../../core/compiler/drawing/index.js";
import { kinds } from "./chart-cases.js";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 24 }),
  fc.constantFrom("__proto__", "constructor", "toString"),
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

describe("a random chart", () => {
  it("is drawn identically twice with finite numbers, or rejected with a PlatenError", () => {
    expectAccepted(50, (accept) => {
      const property = fc.property(charts, (chart) => {
        const drawn = drawIfAccepted(chart);
        expect(drawIfAccepted(chart)).to.equal(drawn);
        if (drawn === null) return;
        accept();
        expect(drawn).to.match(/^<svg /);
        expect(drawn).not.to.match(/<[^>]*(NaN|Infinity|undefined)/);
      });
      fc.assert(property, { numRuns: 150 });
    });
  });
});
