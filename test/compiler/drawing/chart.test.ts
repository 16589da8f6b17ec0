import { expect } from "chai";
import { describe, it } from "mocha";
import {
  drawChart,
  type ChartDrawing,
} from "../../../core/compiler/drawing/index.js";
import { expectRecorded, onLines } from "../support.js";
import { createChart, kinds, months } from "./chart-cases.js";
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

const several = (...rows: (number | null)[][]) => ({
  series: rows.map((values, index) => ({ label: `Line ${index + 1}`, values })),
});

/** Each drawing is an SVG of its name in golden/, which has been looked at. */
const CHARTS: Record<string, Partial<ChartDrawing>> = {
  "bar-several-series-with-legend-and-axis": {},
  "bar-of-one-series-carries-values": single(
    [...months, "Jul"],
    [1200, 30.5, -210, null, 0, 18, -9],
  ),
  "bar-all-negative": single(["North", "South", "West"], [-12, -30, 0]),
  "bar-names-on-lines": single(
    numbered(5, "Maintenance and repairs of harbour "),
  ),
  "bar-names-a-little-smaller": single(
    numbered(8, "Region "),
    [3, 1, 4, 1, 5, 9, 2, 6],
  ),
  "bar-names-on-lines-in-japanese": {
    ...single(numbered(5, "東京本社営業第一部")),
    widthPx: 400,
    locale: "ja-JP",
  },
  "bar-long-names-beside": single(numbered(12, "Maintenance of harbour ")),
  "bar-long-names-beside-negative-values": {
    ...single(numbered(10, "Maintenance and repairs of the old harbour "), [
      5,
      -3,
      8,
      null,
      2,
      -7,
      0,
      1,
      2,
      3,
    ]),
    heightPx: 320,
  },
  "bar-long-names-beside-several-series": {
    labels: numbered(10, "Maintenance of harbour "),
    ...several(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [10, 9, 8, 7, 6, 5, 4, 3, 2, -1],
    ),
    heightPx: 300,
  },
  "bar-names-turned": single(numbered(25, "Harbour station ")),
  "bar-every-nth-name": single(numbered(40, "W")),
  "bar-counted-names-of-two-kinds": single(
    numbered(15, "W").flatMap((name, at) => [name, `Day ${at}`]),
  ),
  "bar-same-names": single(Array.from({ length: 30 }, () => "Week")),
  "bar-very-many": single(numbered(140, "Day ")),
  "bar-right-to-left": {
    ...single(["الإعلانات (رقمية)", "Other"], [12, 3]),
    locale: "ar-EG",
  },
  "bar-all-zero": { labels: ["A", "B"], ...several([0, 0], [0, 0]) },
  "bar-millions": {
    labels: ["A", "B"],
    ...several([1_234_567, 20_000], [900_000, 2_500_000]),
    locale: "de-DE",
  },
  "bar-legend-on-rows-and-cut": {
    labels: ["A", "B"],
    series: numbered(14, "A department with a name that is long enough ").map(
      (label, index) => ({ label, values: [index, 20 - index] }),
    ),
    widthPx: 300,
    heightPx: 160,
  },
  "bar-fonts-and-colors": {
    labels: ['<b>&"', "__proto__"],
    series: [
      { label: "Same", values: [1, 2], color: "#c00" },
      { label: "Same", values: [2, 1], color: "rgb(0 120 0)" },
    ],
    fontFamily: '"Noto Sans", serif;}',
    textColor: "#ff0000",
  },
  "bar-smallest": { widthPx: 1, heightPx: Number.NaN },
  "line-smallest": { chart: "line", widthPx: 40, heightPx: 10 },
  "pie-smallest": { chart: "pie", widthPx: 0, heightPx: 0 },
  "line-names-at-ends": { chart: "line" },
  "line-names-at-ends-apart": {
    chart: "line",
    ...several(
      [1, 5, 3, 4, 6, 20],
      [2, 3, 4, 5, 6, 20.5],
      [9, 8, 7, 6, 5, 19],
      [30, 8, 7, 3, 5, 1],
    ),
  },
  "line-with-gaps-and-legend": {
    chart: "line",
    ...several([3, null, 5, null, 6, 2], [4, 2, null, null, -3, null]),
  },
  "line-of-one-series-far-from-zero": {
    chart: "line",
    ...single(months, [1000.1, 1000.3, 1000.2, 1000.25, 1000.15, 1000.22]),
  },
  "line-of-two-points": { chart: "line", ...single(["Old", "New"], [7, 9]) },
  "line-of-one-point": { chart: "line", ...single(["Only"], [7]) },
  "line-of-many-points": {
    chart: "line",
    ...single(
      numbered(70, "Week "),
      Array.from({ length: 70 }, (_, at) => 50 + ((at * 37) % 41)),
    ),
  },
  "line-millions-close-together": {
    chart: "line",
    ...single(["A", "B", "C"], [1_234_000, 1_235_000, 1_234_500]),
  },
  "pie-named": {
    chart: "pie",
    ...single(months, [1, 2, 3, 0, null, 4]),
  },
  "doughnut-thin-slices-with-leaders": {
    chart: "doughnut",
    ...single(
      ["Travel", "Hotels", "Insurance", "Other costs", "Rent", "Salaries"],
      [2, 2, 6, 6, 40, 44],
    ),
  },
  "pie-tints-of-a-color": {
    chart: "pie",
    labels: months,
    series: [{ label: "Sales", values: [6, 5, 4, 3, 2, 2], color: "#0a66c2" }],
  },
  "pie-list-beside": {
    chart: "pie",
    ...single(
      numbered(12, "Category "),
      [400, 90, 80, 70, 60, 50, 40, 30, 20, 10, 5, 0.1],
    ),
  },
  "pie-list-in-columns": { chart: "doughnut", ...single(numbered(24, "No. ")) },
  "pie-list-cut": {
    chart: "pie",
    ...single(numbered(70, "A category with a long name ")),
  },
  "pie-list-below": {
    chart: "pie",
    ...single(numbered(9, "Category with a long name ")),
    widthPx: 180,
    heightPx: 400,
  },
  "pies-with-shares": {
    chart: "pie",
    labels: ["Bus", "Train", "Bike"],
    ...several([1, 2, 3], [5, 0, 5], [2, 2, 2]),
  },
  "pies-without-room-for-shares": {
    chart: "doughnut",
    labels: ["Bus", "Train", "Bike"],
    ...several([1, 2, 3], [5, 0, 5], [2, 2, 2]),
    widthPx: 240,
    heightPx: 120,
  },
};

const refused = (parts: Partial<ChartDrawing>) =>
  rejected(() => drawChart(createChart(parts)));

describe("a chart", () => {
  for (const [name, parts] of Object.entries(CHARTS))
    it(`is drawn as golden/${name}.svg`, () => {
      const svg = drawChart(createChart(parts));
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
