import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { createChart, getTexts } from "./chart-cases.js";

const labels = ["A", "B"];

function getNumbers(locale: string, values: (number | null)[]): string[] {
  const series = [{ label: "x", values }];
  const texts = getTexts(drawChart(createChart({ labels, series, locale })));
  return texts.filter((text) => !labels.includes(text));
}

describe("a chart's numbers", () => {
  it("are formatted for the locale", () => {
    expect(getNumbers("en-US", [1234, -56.7])).to.deep.equal(["1,234", "-57"]);
    expect(getNumbers("de-DE", [1234, 5])).to.deep.equal(["1.234", "5"]);
    expect(getNumbers("fr-FR", [12.34, 0.5])).to.deep.equal(["12,3", "0,5"]);
    expect(getNumbers("ar-EG", [12, 3])).to.deep.equal(["١٢", "٣"]);
  });

  it("are abbreviated from a million", () => {
    expect(getNumbers("en-US", [1_234_567, 20_000])).to.deep.equal([
      "1.23M",
      "20K",
    ]);
  });

  it("leave a gap for a missing or invalid value", () => {
    expect(getNumbers("en-US", [null, 3])).to.deep.equal(["3"]);
    expect(getNumbers("en-US", [Number.NaN, 3])).to.deep.equal(["3"]);
  });

  it("differ between all steps of an axis, however close they are", () => {
    for (const values of [
      [1000.1, 1000.3, 1000.2],
      [1_234_000, 1_235_000, 1_234_500],
    ]) {
      const series = [{ label: "x", values }];
      const chart = createChart({
        chart: "line",
        labels: ["A", "B", "C"],
        series,
      });
      const steps = getTexts(drawChart(chart)).filter((text) =>
        /^1[.,]/.test(text),
      );
      // The last value is written at the end of the line, too.
      expect(steps.slice(0, -1)).to.have.length.greaterThan(2);
      expect(new Set(steps.slice(0, -1))).to.have.property(
        "size",
        steps.length - 1,
      );
    }
  });

  it("show only a zero on the axis when all values are zero", () => {
    const zeros = { values: [0, 0] };
    const series = [
      { label: "x", ...zeros },
      { label: "y", ...zeros },
    ];
    const texts = getTexts(drawChart(createChart({ labels, series })));
    expect(texts).to.have.members(["x", "y", "0", "A", "B"]);
  });
});
