import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { someChart } from "./chart-cases.js";
import { rejected } from "./read-code.js";

describe("a chart that cannot be drawn", () => {
  it("has slices below zero", () => {
    const series = [{ label: "Revenue", values: [3, -1] }];
    const chart = someChart({
      chart: "pie",
      labels: ["Fares", "Refunds"],
      series,
    });
    expect(rejected(() => drawChart(chart))).to.equal(
      'A pie chart cannot show the negative value of "Refunds" in "Revenue"; a bar chart can.',
    );
  });

  it("has more values than a picture holds", () => {
    const labels = Array.from({ length: 2501 }, (_, index) => `${index}`);
    expect(rejected(() => drawChart(someChart({ labels })))).to.match(
      /has 5002 values; at most 5000/,
    );
  });

  it("has a value without measure", () => {
    const series = [{ label: "x", values: [1e300] }];
    expect(rejected(() => drawChart(someChart({ series })))).to.match(
      /cannot show 1e\+300/,
    );
  });
});
