import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";

function getPaths(input: unknown): string[] {
  return checkDefinition(input, "document").problems.map(({ path }) => path);
}

describe("a value that is not a definition at all", () => {
  it("is refused with the path of what is wrong", () => {
    for (const input of [null, [], "x", 5, undefined])
      expect(getPaths(input)).to.eql(["$"]);
    expect(getPaths({})).to.eql(["$.schema", "$.components"]);
    expect(getPaths({ schema: [], components: [] })).to.eql([]);
  });
});
