import { expect } from "chai";
import { describe, it } from "mocha";
import {
  getBorder,
  withBorder,
  getSides,
  withSides,
} from "../../../plugins/studio/app/src/editor/inspector/style-properties.js";

const line = { width: "0.5pt", line: "solid", color: "#ccc" };

describe("the border of a style", () => {
  it("is parsed in every notation", () => {
    const written = { border: "0.5pt solid #ccc" };
    expect(getBorder(written, "all")).to.deep.equal(line);
    expect(getBorder(written, "top")).to.deep.equal(line);
    expect(getBorder({ "border-top": "thin rgb(0 0 0 / 5%) dashed" }, "top"))
      .to.include({ width: "thin", line: "dashed" })
      .and.include({ color: "rgb(0 0 0 / 5%)" });
    const apart = { "border-width": "2px", "border-style": "dotted" };
    expect(getBorder(apart, "all")).to.deep.equal({
      width: "2px",
      line: "dotted",
    });
    expect(getBorder({ border: "none" }, "all")).to.equal(null);
    expect(getBorder({ ...written, "border-top": "none" }, "top")).to.equal(
      null,
    );
  });

  it("is written back as it was set, without changing other properties", () => {
    const style = { color: "red", "border-radius": "2pt", border: "0" };
    const top = withBorder(style, "top", line);
    expect(top).to.deep.equal({ ...style, "border-top": "0.5pt solid #ccc" });
    expect(getBorder(top, "top")).to.deep.equal(line);
    const all = withBorder(top, "all", line);
    expect(all).to.deep.equal({
      color: "red",
      "border-radius": "2pt",
      border: "0.5pt solid #ccc",
    });
    expect(withBorder(all, "all", null)).to.not.have.property("border");
  });
});

describe("the padding and margin of a style", () => {
  it("are parsed from one to four lengths and from single sides", () => {
    expect(getSides({}, "padding")).to.equal(undefined);
    expect(getSides({ padding: "4pt" }, "padding")).to.equal("4pt");
    expect(getSides({ padding: "1pt 2pt 3pt" }, "padding")).to.deep.equal({
      top: "1pt",
      right: "2pt",
      bottom: "3pt",
      left: "2pt",
    });
    const mixed = { margin: "1pt", "margin-left": "0" };
    expect(getSides(mixed, "margin")).to.include({ top: "1pt", left: "0" });
  });

  it("are written back as they were set", () => {
    const style = { margin: "1pt 2pt", "margin-left": "0", color: "red" };
    const apart = { top: "3pt", left: "4pt" };
    const set = withSides(style, "margin", apart);
    expect(set).to.deep.equal({
      color: "red",
      "margin-top": "3pt",
      "margin-left": "4pt",
    });
    expect(getSides(set, "margin")).to.deep.equal(apart);
    expect(withSides(set, "margin", undefined)).to.deep.equal({ color: "red" });
  });
});
