import { readFileSync } from "node:fs";
import { expect } from "chai";
import { FONT_FAMILIES } from "../../core/rendering/index.js";

const text = readFileSync("docs/reference/fonts.md", "utf8");

describe("docs/reference/fonts.md", () => {
  for (const { family, aliases = [] } of FONT_FAMILIES)
    it(`has ${family} and its other names on one line`, () => {
      const line = text
        .split("\n")
        .find((one) => one.startsWith(`| \`${family}\` `));
      for (const alias of aliases) expect(line).to.include(`\`${alias}\``);
      expect(line).to.be.a("string");
    });
});
