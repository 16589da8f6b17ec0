import { expect } from "chai";
import { fc } from "../../support/properties.js";
import { prints } from "./vocabulary.js";

const css = (text: string, source = "{{ root.text }}") =>
  prints(source, { text }, { output: "css" });

describe("CSS output", () => {
  for (const value of [
    "#ff8800",
    "12.5px",
    "-1em",
    "50%",
    "rgb(1, 2, 3)",
    "hsla(120 50% 50% / 0.5)",
    "calc(100% - 2px)",
    "Noto Sans, serif",
  ]) {
    it(`keeps ${value}`, () => expect(css(value)).to.equal(value));
  }

  it("cannot end its declaration", () => {
    expect(css("red; position: fixed")).to.equal("red position fixed");
    expect(css("red}</style><script>")).to.equal("red/stylescript");
    expect(css('red" onload="x')).to.equal("red onloadx");
    expect(css("a/**/b")).to.equal("a//b");
  });

  it("cannot load or run anything", () => {
    for (const text of [
      "url(https://x.org)",
      "u\\rl(x)",
      "URL (x)",
      "image-set('x' 1x)",
      "expression(alert(1))",
      "var(--x)",
      "rgb(1) url(x)",
      "rgb(",
      ")",
    ]) {
      expect(css(text), text).to.equal("");
    }
  });

  it("is validated as a whole", () => {
    expect(css("u", "{{ root.text }}rl(x)")).to.equal("");
    expect(css("2", "calc({{ root.text }}px + 1px)")).to.equal(
      "calc(2px + 1px)",
    );
  });

  it("cannot contain the end of its declaration, whatever the data", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(css(text)).to.not.match(/[;{}<>"'\\:@&]|\/\*/);
      }),
    );
  });
});
