import { expect } from "chai";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { checkDefinition } from "../../../core/definition/index.js";
import { liftDefinition } from "../../../core/definition/migration/lift-definition.js";
import type { Migration } from "../../../core/definition/migration/migrations.js";
import { definitionOf } from "../../compiler/support.js";

// Definitions as older versions wrote them stay in golden/ for ever; beside each stands what this version makes of
// it. UPDATE_GOLDEN=1 writes that anew; the diff shows what a migration does.

const golden = new URL("golden/", import.meta.url);

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, golden), "utf8"));
}

const names = readdirSync(golden).filter(
  (name) => !name.endsWith(".lifted.json"),
);

/** Two versions that there are not yet: `components` were called `blocks`, and `title` comes into `fileName`. */
const chain: Migration[] = [
  ({ blocks, ...rest }) => ({ ...rest, components: blocks }),
  ({ title, ...rest }) => ({ ...rest, fileName: title }),
];

describe("a definition of an older version", () => {
  for (const name of names)
    it(`is lifted and accepted: ${name}`, () => {
      const input = read(name);
      const before = JSON.stringify(input);
      const { definition, problems } = checkDefinition(input, "document");
      expect(problems).to.eql([]);
      expect(JSON.stringify(input)).to.equal(before);
      const lifted = name.replace(".json", ".lifted.json");
      const json = JSON.stringify(definition);
      if (process.env["UPDATE_GOLDEN"])
        writeFileSync(new URL(lifted, golden), json);
      expect(json).to.equal(JSON.stringify(read(lifted)));
    });

  it("is lifted step by step, from where it stands", () => {
    const first = { blocks: [], title: "T", "x-a": 1 };
    const second = { schemaVersion: 2, components: [], title: "T", "x-a": 1 };
    const third = { schemaVersion: 3, components: [], fileName: "T", "x-a": 1 };
    for (const input of [first, { schemaVersion: 1, ...first }, second, third])
      expect(liftDefinition(input, chain)).to.eql(third);
    expect(first).to.eql({ blocks: [], title: "T", "x-a": 1 });
  });

  it("stays the very same value when it is of this version", () => {
    const input = definitionOf([]);
    expect(checkDefinition(input, "document").definition).to.equal(input);
  });
});

describe("a version that is not known", () => {
  it("is refused by its number", () => {
    const input = definitionOf({ schemaVersion: 2 });
    const [problem, ...others] = checkDefinition(input, "document").problems;
    expect(others).to.eql([]);
    expect(problem).to.include({
      path: "$.schemaVersion",
      code: "unknown_version",
    });
    expect(problem?.message).to.contain("schemaVersion 2");
  });

  it("is refused when it is none", () => {
    for (const schemaVersion of [0, -1, 0.5, "1", null, {}]) {
      const input = definitionOf({ schemaVersion });
      const { problems } = checkDefinition(input, "document");
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include({ path: "$.schemaVersion" });
      expect(problems[0]?.message).to.contain("1");
      expect(problems[0]?.code).not.to.equal("unknown_version");
    }
  });
});
