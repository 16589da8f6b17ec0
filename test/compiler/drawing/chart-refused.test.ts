import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { createChart } from "./chart-cases.js";
import { rejected } from "./read-code.js";

describe("a chart is rejected", () => {
  it("when it has negative slices", () => {
    const series = [{ label: "Revenue", values: [3, -1] }];
    const chart = createChart({
      chart: "pie",
      labels: ["Fares", "Refunds"],
      series,
    });
    expect(rejected(() => drawChart(chart))).to.equal(
      'A pie chart cannot show the negative value of "Refunds" in "Revenue"; a bar chart can.',
    );
  });

  it("when it has too many values", () => {
    const labels = Array.from({ length: 2501 }, (_, index) => `${index}`);
    expect(rejected(() => drawChart(createChart({ labels })))).to.match(
      /has 5002 values; at most 5000/,
    );
  });

  it("when it has a value out of range", () => {
    const series = [{ label: "x", values: [1e300] }];
    expect(rejected(() => drawChart(createChart({ series })))).to.match(
      /cannot show 1e\+300/,
    );
  });
});
