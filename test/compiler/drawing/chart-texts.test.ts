import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { months, createChart, getTexts } from "./chart-cases.js";

describe("a chart's texts", () => {
  it("are the names of bars, series and steps", () => {
    const texts = getTexts(drawChart(createChart()));
    expect(texts).to.include.members([...months, "North", "South", "0", "10"]);
  });

  it("are values on the bars of a single series, in place of an axis", () => {
    const series = [{ label: "Sales", values: [1200, 30.5, 21, 9, 26, 18] }];
    const texts = getTexts(drawChart(createChart({ series })));
    expect(texts).to.have.members([
      ...months,
      "1,200",
      "31",
      "21",
      "9",
      "26",
      "18",
    ]);
  });

  it("are names at the ends of lines, without a legend", () => {
    const texts = getTexts(drawChart(createChart({ chart: "line" })));
    expect(texts.filter((text) => text === "North")).to.have.length(1);
    expect(drawChart(createChart({ chart: "line" }))).not.to.match(/<rect/);
  });

  it("are names of slices with their shares", () => {
    const series = [{ label: "Revenue", values: [1, 2, 3, 0, null] }];
    const chart = createChart({
      chart: "pie",
      labels: months.slice(0, 5),
      series,
    });
    expect(getTexts(drawChart(chart))).to.have.members([
      "Jan  17%",
      "Feb  33%",
      "Mar  50%",
    ]);
  });

  it("distinguish series with the same label", () => {
    const series = [
      { label: "Same", values: [1] },
      { label: "Same", values: [2] },
    ];
    const texts = getTexts(drawChart(createChart({ labels: ["x"], series })));
    expect(texts.filter((text) => text === "Same")).to.have.length(2);
  });

  it("are isolated when they are right-to-left", () => {
    const labels = ["الإعلانات (رقمية)", "Other"];
    const series = [{ label: "x", values: [1, 2] }];
    const svg = drawChart(createChart({ labels, series }));
    expect(svg).to.match(/<text[^>]*unicode-bidi:plaintext[^>]*>الإعلانات/);
    expect(svg).not.to.match(/<text[^>]*unicode-bidi:plaintext[^>]*>Other/);
  });

  it("include a title for screen readers", () => {
    expect(drawChart(createChart())).to.match(
      /^<svg [^>]*role="img" aria-label="Bar chart: North, South"><title>Bar chart: North, South<\/title>/,
    );
  });
});
