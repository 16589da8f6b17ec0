import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { keepIds } from "../../../../studio/src/editor/json/read-json.js";

describe("a typed template", () => {
  it("gives a component without an id the previous id", () => {
    const components = [{ type: "text" as const, text: "A" }];
    const typed: ProjectData = { schema: [], components };
    const before: ProjectData = {
      schema: [],
      components: [{ type: "text", id: "a", text: "Before" }],
    };
    const ids = keepIds(typed, before).components.map(({ id }) => id);
    expect(ids).to.deep.equal(["a"]);
    const moved = {
      ...before,
      components: [...components, ...before.components],
    };
    const [first, second] = keepIds(moved, before).components;
    expect(second?.id).to.equal("a");
    expect(first?.id).to.be.a("string").and.not.equal("a");
  });
});
