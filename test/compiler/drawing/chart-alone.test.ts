import { expect } from "chai";
import { describe, it } from "mocha";
import { drawChart } from "../../../core/compiler/drawing/index.js";
import { kinds, someChart } from "./chart-cases.js";

describe("a chart in a document", () => {
  for (const chart of kinds)
    it(`shares no id with the page or another chart: ${chart}`, () => {
      const svg = drawChart(someChart({ chart }));
      expect(svg).not.to.match(
        / id=| class=|<style|<defs|<script|url\(|href|xlink/,
      );
    });

  for (const chart of kinds)
    it(`is identical each time, whatever was drawn before: ${chart}`, () => {
      const first = drawChart(someChart({ chart }));
      drawChart(someChart({ chart: "line", labels: ["Jan", "other"] }));
      expect(drawChart(someChart({ chart }))).to.equal(first);
    });

  it("has the specified size and inherits its fonts", () => {
    const svg = drawChart(someChart());
    expect(svg).to.match(
      /^<svg [^>]*viewBox="0 0 480 240" width="480" height="240"/,
    );
    expect(svg).not.to.match(/font-family/);
  });

  it("uses the specified fonts and colors", () => {
    const svg = drawChart(
      someChart({ fontFamily: '"Noto Sans", serif', textColor: "#ff0000" }),
    );
    expect(svg).to.match(/;font-family:&quot;Noto Sans&quot;, serif"/);
    expect(svg.match(/<text/g)).to.have.length(
      svg.match(/<text[^>]* fill="#ff0000"/g)?.length ?? 0,
    );
  });
});
