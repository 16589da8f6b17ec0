import { readFileSync } from "node:fs";
import { expect } from "chai";
import { definitionGuide } from "../../core/definition/index.js";

describe("docs/reference/definition.md", () => {
  it("is the guide that the service returns", () => {
    const page = readFileSync("docs/reference/definition.md", "utf8");
    expect(page).to.equal(definitionGuide());
  });
});
