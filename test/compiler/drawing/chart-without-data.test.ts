import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { kinds, createChart, getTexts } from "./chart-cases.js";

describe("a chart without data", () => {
  for (const chart of kinds) {
    it(`is an empty box: ${chart}`, () => {
      const none = [{ label: "x", values: [null, Number.NaN] }];
      for (const parts of [
        { labels: [], series: [] },
        { labels: ["A"], series: [] },
        { labels: ["A", "B"], series: none },
      ])
        expect(
          getTexts(drawChart(createChart({ chart, ...parts }))),
        ).to.deep.equal(["No data"]);
    });
  }

  it("includes a pie of zeros but not bars of zero", () => {
    const parts = { labels: ["A"], series: [{ label: "x", values: [0] }] };
    const drawn = (chart: "pie" | "bar") =>
      getTexts(drawChart(createChart({ chart, ...parts })));
    expect(drawn("pie")).to.deep.equal(["No data"]);
    expect(drawn("bar")).to.deep.equal(["A", "0"]);
  });
});
