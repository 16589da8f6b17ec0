import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

/** Headings of docs/troubleshooting.md that describe what people see instead of a message. */
const descriptions = [
  'A file expired, or "There is no such file any more"',
  "This document was printed with empty boxes instead of letters",
  "An image is missing, and a gray placeholder is shown",
];

/** What the code says, with the texts joined that are written on several lines. */
const sources = ["core", "config", "plugins", "scripts", "studio"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|mjs|njk)$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  )
  .join("\n")
  .replaceAll(/["`] \+\s*["`]/g, "")
  .replaceAll('\\"', '"');

const headings = readFileSync("docs/troubleshooting.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("### "))
  .map((line) => line.slice("### ".length));

describe("docs/troubleshooting.md", () => {
  it("explains at least forty messages", () => {
    expect(headings).to.have.length.of.at.least(40);
  });

  for (const heading of headings.filter((one) => !descriptions.includes(one)))
    it(`has the heading "${heading}", which is a message of the code`, () => {
      const parts = heading.split("…").map((part) => part.trim());
      const missing = parts.filter((part) => !sources.includes(part));
      expect(missing).to.deep.equal([]);
    });
});
