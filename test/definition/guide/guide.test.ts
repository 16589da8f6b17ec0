import { expect } from "chai";
import type { z } from "zod";
import { STYLE_PROPERTIES } from "../../../core/plugin-api/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  definitionGuide,
  definitionJsonSchema,
} from "../../../core/definition/index.js";
import { FILTER_NAMES } from "../../../core/definition/expressions/filters.js";
import {
  AGGREGATE_NAMES,
  FUNCTION_NAMES,
} from "../../../core/definition/expressions/functions.js";
import { COMPONENT_TYPES } from "../../../core/definition/schema/component-schema.js";
import {
  accepted,
  OPTIONS,
  text,
  type Written,
} from "../../compiler/support.js";

type Part = z.core.JSONSchema.BaseSchema;

const schema = definitionJsonSchema();

/** A named part of the JSON Schema. */
function part(name: string): Part {
  const found = schema.$defs?.[name];
  if (found === undefined) throw new Error(name);
  return found;
}

/** The properties of one of the definition's parts, also where it is named. */
function getProperties(name: string): string[] {
  const found = schema.properties?.[name];
  if (typeof found !== "object") throw new Error(name);
  const { properties = {} } = found.$ref
    ? part(found.$ref.split("/").at(-1) ?? "")
    : found;
  return Object.keys(properties);
}

/** The properties of every component, which the guide lists once. */
const SHARED = "type id class style condition collection keepTogether".split(
  " ",
);

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
  it("has fewer than 27,000 characters and no gap", () => {
    expect(guide.length).to.be.below(27_000);
    expect(guide).not.to.include("<!--");
  });

  it("names every component, with every property of its own", () => {
    const { oneOf: components = [] } = part("Component");
    expect(components).to.have.length(COMPONENT_TYPES.length);
    for (const component of components) {
      if (typeof component !== "object") throw new Error("no component");
      const { title: type = "", properties = {} } = part(
        component.$ref?.split("/").at(-1) ?? "",
      );
      const line = new RegExp(`^- \`${type}[:\`].*$`, "m").exec(guide)?.[0];
      expect(line, type).to.be.a("string");
      for (const name of Object.keys(properties))
        if (!SHARED.includes(name)) expect(line).to.contain(name);
    }
    for (const name of SHARED) expect(guide).to.contain(`\`${name}\``);
  });

  it("names every property of a definition and of its paper, PDF and email", () => {
    const names = Object.keys(schema.properties ?? {});
    for (const name of ["page", "pdf", "email"])
      names.push(...getProperties(name));
    expect(names).to.have.length.above(30);
    for (const name of names)
      expect(guide).to.match(
        new RegExp(`(?<!\\w)${name.replace("$", "\\$")}\\b`),
      );
  });

  it("names every filter, function and style property", () => {
    const names = [...FILTER_NAMES, ...FUNCTION_NAMES, ...AGGREGATE_NAMES];
    for (const name of names)
      expect(guide).to.match(new RegExp(`\`${name}[(\`]`));
    for (const name of STYLE_PROPERTIES)
      expect(guide).to.match(new RegExp(`[ :]${name}[ .]`));
  });

  it("has examples of documents and emails that compile", () => {
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
