import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { kinds, createChart } from "./chart-cases.js";

describe("a chart in a document", () => {
  for (const chart of kinds)
    it(`shares no id with the page or another chart: ${chart}`, () => {
      const svg = drawChart(createChart({ chart }));
      expect(svg).not.to.match(
        / id=| class=|<style|<defs|<script|url\(|href|xlink/,
      );
    });

  for (const chart of kinds)
    it(`is identical each time, whatever was drawn before: ${chart}`, () => {
      const first = drawChart(createChart({ chart }));
      drawChart(createChart({ chart: "line", labels: ["Jan", "other"] }));
      expect(drawChart(createChart({ chart }))).to.equal(first);
    });

  it("has the specified size and inherits its fonts", () => {
    const svg = drawChart(createChart());
    expect(svg).to.match(
      /^<svg [^>]*viewBox="0 0 480 240" width="480" height="240"/,
    );
    expect(svg).not.to.match(/font-family/);
  });

  it("uses the specified fonts and colors", () => {
    const svg = drawChart(
      createChart({ fontFamily: '"Noto Sans", serif', textColor: "#ff0000" }),
    );
    expect(svg).to.match(/;font-family:&quot;Noto Sans&quot;, serif"/);
    expect(svg.match(/<text/g)).to.have.length(
      svg.match(/<text[^>]* fill="#ff0000"/g)?.length ?? 0,
    );
  });
});
