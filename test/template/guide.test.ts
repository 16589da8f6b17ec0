import { expect } from "chai";
import { compileTemplate } from "../../core/template/index.js";
import { definitionGuide } from "../../core/template/guide/definition-guide.js";
import { COMPONENT_TYPES } from "../../core/template/definition/component-schema.js";
import { accepted, OPTIONS, text, type Written } from "./support.js";

const guide = definitionGuide();

function blocks(info: string): string[] {
  const fence = new RegExp(`^\`\`\`${info}\n([^]*?)^\`\`\``, "gm");
  return [...guide.matchAll(fence)].map(([, block = ""]) => block);
}

/** An example is a definition, a list of components, or one component. */
function written(block: string): Written {
  const value: unknown = JSON.parse(block);
  if (typeof value !== "object" || value === null) throw new Error(block);
  return Array.isArray(value) || "schema" in value ? value : [value];
}

describe("the guide", () => {
  it("has under 20,000 characters and no gap", () => {
    expect(guide.length).to.be.below(20_000);
    expect(guide).not.to.include("<!--");
  });

  it("names every component", () => {
    for (const type of COMPONENT_TYPES)
      expect(guide).to.match(new RegExp(`^- \`${type}[:\`]`, "m"));
  });

  it("has examples that compile, documents and emails", () => {
    const documents = blocks("json");
    expect(documents).to.have.length.above(5);
    for (const block of documents)
      compileTemplate(accepted(written(block)), "document").merge({}, OPTIONS);
    for (const block of blocks("json email"))
      compileTemplate(accepted(written(block), "email"), "email").merge(
        {},
        OPTIONS,
      );
  });

  it("has expressions that compile", () => {
    const lines = blocks("expressions").flatMap((block) =>
      block.trim().split("\n"),
    );
    expect(lines).to.have.length.above(10);
    for (const line of lines)
      compileTemplate(accepted([text(`{{ ${line} }}`)]), "document").merge(
        {},
        OPTIONS,
      );
  });
});
