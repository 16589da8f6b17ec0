import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { merged } from "./support.js";

// Each folder of test/golden holds a definition, a record, and the html that they become.
// UPDATE_GOLDEN=1 writes the html anew; the diff shows what changed.

const golden = new URL("../golden/", import.meta.url);

function read(name: string, file: string): object {
  const json = readFileSync(new URL(`${name}/${file}`, golden), "utf8");
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new Error(file);
  return value;
}

describe("golden documents", () => {
  for (const name of readdirSync(golden))
    it(name, () => {
      const { html } = merged(
        read(name, "definition.json"),
        read(name, "data.json"),
      );
      const expected = new URL(`${name}/expected.html`, golden);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(expected, html);
      expect(html).to.equal(readFileSync(expected, "utf8"));
    });
});
