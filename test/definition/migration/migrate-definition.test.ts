import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { checkDefinition } from "../../../core/definition/index.js";
import { createDefinition } from "../../compiler/support.js";

// golden/ keeps definitions as every released version wrote them, and each stays valid for ever.

const golden = new URL("golden/", import.meta.url);

describe("a stored definition of version 1", () => {
  for (const name of readdirSync(golden))
    it(`is accepted without changes: ${name}`, () => {
      const json = readFileSync(new URL(name, golden), "utf8");
      const input: unknown = JSON.parse(json);
      const { definition, problems } = checkDefinition(input, "document");
      expect(problems).to.eql([]);
      expect(definition).to.equal(input);
      expect(definition).to.eql(JSON.parse(json));
    });
});

describe("an unknown schemaVersion", () => {
  it("is rejected with its number when it is newer", () => {
    const input = createDefinition({ schemaVersion: 2 });
    const [problem, ...others] = checkDefinition(input, "document").problems;
    expect(others).to.eql([]);
    expect(problem).to.include({
      path: "$.schemaVersion",
      code: "unknown_version",
    });
    expect(problem?.message).to.contain("schemaVersion 2");
  });

  it("is rejected when it is not a version number", () => {
    for (const schemaVersion of [0, -1, 0.5, "1", null, {}]) {
      const input = createDefinition({ schemaVersion });
      const { problems } = checkDefinition(input, "document");
      expect(problems).to.have.length(1);
      expect(problems[0]).to.include({ path: "$.schemaVersion" });
      expect(problems[0]?.message).to.contain("1");
      expect(problems[0]?.code).not.to.equal("unknown_version");
    }
  });
});
