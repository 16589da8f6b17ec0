import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { createChart, getTexts } from "./chart-cases.js";

function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
}

function oneSeries(labels: string[]) {
  const values = labels.map((_, index) => 10 + index);
  return { labels, series: [{ label: "x", values }] };
}

describe("labels below a chart", () => {
  it("are wrapped when they are long", () => {
    const chart = createChart(
      oneSeries(names(5, "Maintenance and repairs of harbour")),
    );
    expect(getTexts(drawChart(chart)).slice(0, 3)).to.deep.equal([
      "Maintenance and",
      "repairs of",
      "harbour 1",
    ]);
  });

  it("are drawn to the left of horizontal bars when wrapping is not enough", () => {
    const chart = createChart(oneSeries(names(12, "Maintenance of harbour")));
    const svg = drawChart(chart);
    expect(getTexts(svg)).to.include("Maintenance of harbour 12");
    expect(svg.match(/text-anchor="end"/g)).to.have.length(12);
  });

  it("are rotated when there is no height for horizontal bars", () => {
    const svg = drawChart(createChart(oneSeries(names(25, "Harbour station"))));
    expect(svg.match(/<text[^>]*rotate\(-40 /g)).to.have.length(25);
  });

  it("are wrapped between Japanese characters, which have no spaces", () => {
    const labels = names(5, "東京本社営業第一部").map((name) =>
      name.replace(" ", ""),
    );
    const svg = drawChart(createChart({ ...oneSeries(labels), widthPx: 400 }));
    const lines = getTexts(svg).filter((text) => !/^\d+$/.test(text));
    expect(lines.join("")).to.equal(labels.join(""));
    expect(lines).to.have.length(10);
  });

  it("are partly omitted when they are many short ones in sequence", () => {
    const labels = names(40, "W").map((name) => name.replace(" ", ""));
    const svg = drawChart(createChart({ ...oneSeries(labels), widthPx: 640 }));
    const texts = getTexts(svg).filter((text) => text.startsWith("W"));
    expect(texts).to.include.members(["W1", "W40"]);
    expect(texts).to.have.length.within(8, 20);
    expect(svg).not.to.match(/rotate/);
  });

  it("are thinned out when there are very many", () => {
    const texts = getTexts(
      drawChart(createChart(oneSeries(names(400, "Day")))),
    );
    expect(
      texts.filter((text) => text.startsWith("Day")),
    ).to.have.length.within(3, 12);
  });

  it("are a list for a chart with many slices", () => {
    const parts = oneSeries(names(20, "Category"));
    const texts = getTexts(drawChart(createChart({ chart: "pie", ...parts })));
    expect(texts).to.have.length(40);
    expect(texts[0]).to.equal("Category 1");
    expect(texts[1]).to.match(/^\d+%$/);
  });
});

describe("values beside bars", () => {
  it("do not overlap the labels below, even when all are negative", () => {
    const series = [{ label: "x", values: [-12, -30, -7] }];
    const labels = ["North", "South", "West"];
    const heights = getHeights(drawChart(createChart({ labels, series })));
    const value = heights.get("-30") ?? 0;
    expect(value).to.be.greaterThan(100);
    expect(heights.get("South")).to.be.greaterThan(value + 11);
  });

  it("are inside the drawing, even a zero when all others are negative", () => {
    const series = [{ label: "x", values: [-12, 0] }];
    const svg = drawChart(createChart({ labels: ["North", "South"], series }));
    expect(getHeights(svg).get("0")).to.be.greaterThan(8);
  });
});

/** Where the lines of text of a drawing are, from the top. */
function getHeights(svg: string): Map<string, number> {
  const texts = svg.matchAll(/<text [^>]*\by="([\d.-]+)"[^>]*>([^<]+)</g);
  return new Map(
    Array.from(texts, ([, y, text = ""]) => [text, Number(y)] as const),
  );
}
