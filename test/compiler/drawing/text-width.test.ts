import { expect } from "chai";
import { openSync } from "fontkit";
import {
  fitText,
  textWidth,
  widestText,
  wrapText,
} from "../../../core/compiler/drawing/text-width.js";

const LATIN =
  "ijlıłI‘’ !,.:;'`\u00a0t|()/[\\]fr{}\"_°„“”*–^?skxJLaceyvz•«»ðEFZbdghnopquøßđþŁ£#$&+-<=>~€0123456789BPRSTAKVXYCDGHNOQUØw…Mmæ%@W—œÆŒàÉñÅ";

describe("the estimated width of a text", () => {
  it("is that of Inter, with figures of one width, give or take five hundredths of an em", () => {
    const font = openSync("fonts/inter/400Regular.ttf");
    if (!("layout" in font)) throw new Error("a collection of fonts");
    const differing = Array.from(LATIN).filter((character) => {
      const tnum = /[\d#$+\-<=>~]/.test(character);
      const { advanceWidth } = font.layout(character, { tnum });
      const width = (100 * advanceWidth) / font.unitsPerEm;
      return Math.abs(textWidth(character, 100) - width) > 5;
    });
    expect(differing).to.deep.equal([]);
  });

  it("is an average of its script for other characters", () => {
    const widths: [string, number][] = [
      ["日本語", 300],
      ["（！", 200],
      ["🙂", 100],
      ["العربية", 280],
      ["३", 62],
      ["Ж", 74],
      ["ж", 60],
      ["\u0301\u200b", 0],
      ["", 0],
    ];
    for (const [text, width] of widths)
      expect(textWidth(text, 100), text).to.be.closeTo(width, 1e-9);
    expect(textWidth("Wi", 10)).to.be.closeTo(12.3, 1e-9);
    expect(widestText(["i", "W", "n"], 100)).to.equal(98);
    expect(widestText([], 100)).to.equal(0);
  });
});

describe("a text that is cut", () => {
  const cases: [string, number, string][] = [
    ["nnnn", 244, "nnnn"],
    ["nnnn", 243, "nn…"],
    ["nnnn", 84, "…"],
    ["nn nn", 270, "nn…"],
    ["🙂🙂🙂", 190, "🙂…"],
  ];
  for (const [text, width, cut] of cases)
    it(`to ${width} is ${cut}`, () => {
      expect(fitText(text, 100, width)).to.equal(cut);
    });
});

describe("a text on lines", () => {
  const cases: [string, number, number, string[]][] = [
    ["nn nn nn", 122, 9, ["nn", "nn", "nn"]],
    ["nn nn nn", 300, 9, ["nn nn", "nn"]],
    ["nn nn nn", 122, 2, ["nn", "nn …"]],
    ["nn nn nn", 122, 0, ["nn …"]],
    ["nnnnnn", 61, 9, ["nnnnnn"]],
    ["nn-nn/nn–nn", 122, 9, ["nn-", "nn/", "nn–", "nn"]],
    ["1-2 -n", 10, 9, ["1-2", "-n"]],
    ["日本語カナ", 200, 9, ["日本", "語カ", "ナ"]],
    ["日々っカ", 100, 9, ["日々っ", "カ"]],
    ["", 10, 9, [""]],
  ];
  for (const [text, width, max, lines] of cases)
    it(`of ${width} is ${JSON.stringify(lines)}`, () => {
      expect(wrapText(text, 100, width, max)).to.deep.equal(lines);
    });
});
