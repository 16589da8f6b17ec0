import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import { accepted, rejects, text } from "../../compiler/support.js";

function nested(levels: number): object {
  let component = text("inside");
  for (let level = 1; level < levels; level += 1)
    component = { type: "container", components: [component] };
  return component;
}

function list(length: number): object[] {
  return Array.from({ length }, () => text("a"));
}

describe("the limits of a definition", () => {
  it("allow components to be nested 64 levels deep", () => {
    accepted([nested(64)]);
    rejects(
      [nested(65)],
      `$${".components[0]".repeat(6)}…`,
      "more than 64 levels deep",
    );
  });

  it("reject 10,000 nested components without a stack overflow", () => {
    const input = { schema: [], components: [nested(10_000)] };
    const { problems } = checkDefinition(input, "document");
    expect(problems.map(({ code }) => code)).to.eql(["too_deep"]);
  });

  it("reject rules, samples and extensions that are nested too deeply", () => {
    let value: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) value = [value];
    for (const key of ["sample", "x-note", "locale"]) {
      const input = { schema: [], components: [], [key]: value };
      const { problems } = checkDefinition(input, "document");
      expect(problems.map(({ code }) => code)).to.eql(["too_deep"]);
    }
  });

  it("allow at most 5,000 components", () => {
    accepted(list(5000));
    rejects(list(5001), "$", "more than 5000 components");
  });

  it("allow at most 2 MiB", () => {
    rejects(
      [text("x".repeat(2 * 1024 * 1024))],
      "$",
      "The limit is 2097152 bytes",
    );
  });
});
