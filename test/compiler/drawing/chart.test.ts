import { expect } from "chai";
import {
  drawChart,
  type ChartDrawing,
} from "../../../core/compiler/drawing/index.js";
import { expectRecorded, onLines } from "../support.js";
import { createChart, kinds } from "./chart-cases.js";
import { readCases } from "./read-cases.js";
import { rejected } from "./read-code.js";

function numbered(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}

/** One series over labels; from 10 upwards unless it has values. */
function single(
  labels: string[],
  values: (number | null)[] = labels.map((_, index) => 10 + index),
) {
  return { labels, series: [{ label: "Sales", values }] };
}

const refused = (parts: Partial<ChartDrawing>) =>
  rejected(() => drawChart(createChart(parts)));

describe("a chart", () => {
  for (const [name, parts] of readCases<Partial<ChartDrawing>>("charts.txt"))
    it(`is drawn as golden/${name}.svg`, () => {
      // JSON has no number that is none.
      const size = name === "bar-smallest" && { heightPx: Number.NaN };
      const svg = drawChart(createChart({ ...parts, ...size }));
      const file = new URL(`golden/${name}.svg`, import.meta.url);
      expectRecorded(onLines(svg), file);
      expect(svg).not.to.match(/ id=| class=|<style|<defs|url\(|href/);
    });

  it("is a box that says so without data, as a pie of zeros is", () => {
    const none = [{ label: "x", values: [null, Number.NaN] }];
    const box =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 240" width="480" height="240" style="direction:ltr;overflow:visible;font-size:11px;font-style:normal;font-weight:400;font-variant-numeric:tabular-nums;letter-spacing:0;text-transform:none" role="img" aria-label="No data">' +
      '<rect x=".5" y=".5" width="479" height="239" rx="4" fill="#f5f6f8" stroke="#d5dae1"/>' +
      '<text text-anchor="middle" fill="#667080" style="font-size:11px;font-style:normal;font-weight:400;letter-spacing:0;text-transform:none"><tspan x="240" y="124">No data</tspan></text></svg>';
    for (const chart of kinds)
      for (const parts of [
        { labels: [], series: [] },
        { labels: ["A"], series: [] },
        { labels: ["A", "B"], series: none },
      ])
        expect(drawChart(createChart({ chart, ...parts }))).to.equal(box);
    const zeros = single(["A"], [0]);
    expect(drawChart(createChart({ chart: "pie", ...zeros }))).to.equal(box);
    expect(drawChart(createChart(zeros))).not.to.equal(box);
  });

  it("writes its numbers as the locale does, with as many decimals as tell them apart", () => {
    const cases: [string, (number | null)[], string[]][] = [
      ["en-US", [1234, -56.7], ["1,234", "-57"]],
      ["en-US", [999.96, 1], ["1,000", "1"]],
      ["en-US", [10.26, 1], ["10.3", "1"]],
      ["en-US", [9.126, 1], ["9.13", "1"]],
      ["en-US", [0.12345, 0.1], ["0.1235", "0.1"]],
      ["en-US", [1000.26, 1000], ["1,000.3", "1,000"]],
      ["en-US", [1e-12, 1e-13], ["0", "0"]],
      ["de-DE", [1234, 5], ["1.234", "5"]],
      ["fr-FR", [12.34, 0.5], ["12,3", "0,5"]],
      ["ar-EG", [12, 3], ["١٢", "٣"]],
      ["en-US", [1_234_567, 20_000], ["1.23M", "20K"]],
      ["en-US", [1_000_000, -1], ["1M", "-1"]],
      ["en-US", [999_999, 1], ["999,999", "1"]],
      ["en-US", [null, 3], ["3"]],
      ["en-US", [Number.NaN, 3], ["3"]],
    ];
    for (const [locale, values, written] of cases) {
      const chart = createChart({ ...single(["A", "B"], values), locale });
      const texts = [...drawChart(chart).matchAll(/<text[^>]*>([^<]+)</g)];
      const numbers = texts.map(([, text]) => text).slice(2);
      expect(numbers, String(values)).to.deep.equal(written);
    }
  });

  it("is refused past its limits, and drawn at them", () => {
    expect(refused({ labels: numbered(2501, "") })).to.equal(
      "A chart has 5002 values; at most 5000 can be drawn. Group the data, or limit them.",
    );
    expect(drawChart(createChart({ labels: numbered(2500, "") }))).to.match(
      /^<svg /,
    );
    for (const value of [1e15 + 1, -1e300])
      expect(refused(single(["A"], [value]))).to.equal(
        `A chart cannot show ${value}: it is larger than 1000000000000000.`,
      );
    expect(drawChart(createChart(single(["A"], [1e15])))).to.match(/^<svg /);
    const negative = single(["Fares", "Refunds"], [3, -1]);
    expect(refused({ chart: "pie", ...negative })).to.equal(
      'A pie chart cannot show the negative value of "Refunds" in "Sales"; a bar chart can.',
    );
  });
});
