import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { readSections, writeSection } from "./recorded.js";

// UPDATE_GOLDEN=1 writes the results anew; the diff shows what changed.

const folder = new URL("recorded/", import.meta.url);

for (const name of readdirSync(folder)) {
  const file = new URL(name, folder);
  const kind = name.replace(/[.-].*/, "");
  const sections = readSections(readFileSync(file, "utf8"), kind);
  if (process.env["UPDATE_GOLDEN"])
    writeFileSync(file, sections.map(writeSection).join("\n"));
  const recorded = readFileSync(file, "utf8").split(/\n(?=# )/);

  describe(`the results in ${name}`, () => {
    it("are in sections", () => {
      expect(recorded).to.have.length(sections.length);
    });

    for (const [index, section] of sections.entries())
      it(section.title, () => {
        const lines = (recorded[index] ?? "").trimEnd().split("\n");
        expect(writeSection(section).trimEnd().split("\n")).to.eql(lines);
      });
  });
}
