import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { newEditor } from "../../support/editor-model.js";
import { specimen } from "../../compiler/specimen/specimens.js";

describe("a template that is opened", () => {
  it("stays unchanged, character for character", () => {
    for (const type of ["document", "email"] as const) {
      const opened = newEditor(named(specimen(type)), type).definition.peek();
      expect(JSON.stringify(opened)).to.equal(
        JSON.stringify(named(specimen(type))),
      );
    }
  });
});

/** With ids at the end, as programs write them. */
function named(definition: unknown): ProjectData {
  let count = 0;
  const text = JSON.stringify(definition, (_, value: unknown) =>
    typeof value === "object" && value !== null && "type" in value
      ? { ...without(value, "id"), id: `c${count++}` }
      : value,
  );
  // The specimens are definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as ProjectData;
}

function without(value: object, name: string): object {
  const kept = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(kept);
}
