import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { someChart, textsOf } from "./chart-cases.js";

function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
}

function oneSeries(labels: string[]) {
  const values = labels.map((_, index) => 10 + index);
  return { labels, series: [{ label: "x", values }] };
}

describe("names below a chart", () => {
  it("are wrapped where they are long", () => {
    const chart = someChart(
      oneSeries(names(5, "Maintenance and repairs of harbour")),
    );
    expect(textsOf(drawChart(chart)).slice(0, 3)).to.deep.equal([
      "Maintenance and",
      "repairs of",
      "harbour 1",
    ]);
  });

  it("stand at the left of lying bars where even that is too much", () => {
    const chart = someChart(oneSeries(names(12, "Maintenance of harbour")));
    const svg = drawChart(chart);
    expect(textsOf(svg)).to.include("Maintenance of harbour 12");
    expect(svg.match(/text-anchor="end"/g)).to.have.length(12);
  });

  it("are turned where there is no height for that", () => {
    const svg = drawChart(someChart(oneSeries(names(25, "Harbour station"))));
    expect(svg.match(/<text[^>]*matrix\(0\.76/g)).to.have.length(25);
  });

  it("are fewer where they are very many", () => {
    const texts = textsOf(drawChart(someChart(oneSeries(names(400, "Day")))));
    expect(
      texts.filter((text) => text.startsWith("Day")),
    ).to.have.length.within(3, 12);
  });

  it("of many slices are a list", () => {
    const parts = oneSeries(names(20, "Category"));
    const texts = textsOf(drawChart(someChart({ chart: "pie", ...parts })));
    expect(texts).to.have.length(20);
    expect(texts[0]).to.match(/^Category 1 {2}\d+%$/);
  });
});
