import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { checkDefinition } from "../../../core/definition/index.js";

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
