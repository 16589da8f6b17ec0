import { expect } from "chai";
import { expectAccepted, fc } from "../../support/properties.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  normalizeDefinition,
  pathKeys,
  TEMPLATE_TYPES,
  type ProjectData,
  type TemplateType,
  definitionJsonSchema,
} from "../../../core/definition/index.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { audit, readDocument } from "../security/audit.js";
import { OPTIONS } from "../support.js";

const data = { a: 1, list: [{ a: "x", b: 2 }, { a: "<y>" }], group: {} };
const limits = { iterations: 20_000, htmlBytes: 1_000_000 };

/** Compiles and merges an accepted definition; fails on any error but our own, and on harm. @returns whether it was merged. */
function mergeSafely(definition: ProjectData, type: TemplateType): boolean {
  try {
    const program = compileTemplate(normalizeDefinition(definition), type);
    const { html } = program.merge(data, { ...OPTIONS, limits });
    expect(audit(readDocument(html))).to.eql([]);
    program.mjml(data, { ...OPTIONS, limits });
    return true;
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return false;
  }
}

for (const type of TEMPLATE_TYPES)
  describe(`a random definition of the type ${type}`, () => {
    it("is rejected, or compiled and merged", () => {
      expectAccepted(10, (accept) => {
        const property = fc.property(anyDefinition(), (input) => {
          const { definition, problems } = checkDefinition(input, type);
          expect(problems.length === 0).to.equal(definition !== null);
          if (definition && mergeSafely(definition, type)) accept();
        });
        fc.assert(property, { numRuns: 200 });
      });
    });

    it("is compiled and merged after removing what the checker reports", () => {
      expectAccepted(80, (accept) => {
        const property = fc.property(anyDefinition(), (input) => {
          const definition = repaired(input, type);
          expect(definition).not.to.equal(null);
          if (definition && mergeSafely(definition, type)) accept();
        });
        fc.assert(property, { numRuns: 100 });
      });
    });
  });

// Values of the published JSON Schema: whatever it lets pass, and mostly what its authors would write.

type Schema = NonNullable<
  ReturnType<typeof definitionJsonSchema>["properties"]
>[string];
type ObjectSchema = Exclude<Schema, boolean>;

/** What stands where the schema asks for any text. */
const TEXTS = [
  ..."x root root.a root.list root.none item item.a group.items a b".split(" "),
  ..."en-US de-DE ar-EG UTC Asia/Kolkata EUR JPY red 12px 50%".split(" "),
  "",
  "{{ root.a }}",
  "{{ item.a | currency }} of {{ COUNT(root.list) }}",
  "{{ root.a | date('yyyy') | default('-') }}",
  "{{ root.a | markdown }}",
  "{{ root.list.a }}{{",
  "https://a.example/{{ root.a }}",
  "data:image/png;base64,AA",
  "<b>&\"'</b> {% x %} \\{{",
];

const definitions = definitionJsonSchema().$defs ?? {};

/** Any definition; `depth` is how deep components stand inside of each other at most. */
function anyDefinition(depth = 3): fc.Arbitrary<unknown> {
  return anyValue(definitionJsonSchema(), depth);
}

/** What is referred to is made once for each depth, or there would be millions. */
const known = new Map<string, fc.Arbitrary<unknown>>();

function anyValue(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return fc.jsonValue({ maxDepth: 2 });
  const { $ref, const: constant, enum: words, anyOf, oneOf } = schema;
  if ($ref !== undefined) return referred($ref, depth);
  if (constant !== undefined) return fc.constant(constant);
  if (words) return fc.constantFrom(...words);
  const branches = anyOf ?? oneOf;
  if (branches)
    return fc.oneof(...branches.map((branch) => anyValue(branch, depth)));
  return ofType(schema, depth);
}

function referred($ref: string, depth: number): fc.Arbitrary<unknown> {
  const key = `${$ref} ${depth}`;
  const made = known.get(key) ?? named($ref.split("/").at(-1) ?? "", depth);
  known.set(key, made);
  return made;
}

function named(name: string, depth: number): fc.Arbitrary<unknown> {
  if (name === "Json" || name.startsWith("__"))
    return fc.jsonValue({ maxDepth: 2 });
  const isNested = name === "Components" || name === "Logic";
  if (isNested && depth <= 0)
    return fc.constant(name === "Logic" ? { combinator: "or", rules: [] } : []);
  return anyValue(definitions[name] ?? true, isNested ? depth - 1 : depth);
}

function ofType(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "object":
      return anyObject(schema, depth);
    case "array":
      return anyList(schema, depth);
    case "string":
      return getSourceText(schema);
    case "boolean":
      return fc.boolean();
    case "number":
    case "integer":
      return compileNumber(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function anyObject(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], propertyNames } = schema;
  if (propertyNames !== undefined) return anyTable(schema, depth);
  const entries = Object.entries(properties).map(
    ([name, property]) =>
      [
        name,
        required.includes(name)
          ? anyValue(property, depth)
          : fc.option(anyValue(property, depth), { freq: 1, nil: undefined }),
      ] as const,
  );
  return fc
    .record(Object.fromEntries(entries))
    .map((value) =>
      Object.fromEntries(
        Object.entries(value).filter(([, one]) => one !== undefined),
      ),
    );
}

function anyTable(
  { propertyNames = true, additionalProperties = true }: ObjectSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  const name = anyValue(propertyNames, depth).map(String);
  return fc.dictionary(name, anyValue(additionalProperties, depth), {
    maxKeys: 3,
  });
}

function anyList(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  const { items = true, minItems = 0 } = schema;
  const item = Array.isArray(items) ? true : items;
  return fc.array(anyValue(item, depth), {
    minLength: minItems,
    maxLength: minItems + 3,
  });
}

function getSourceText({ pattern }: ObjectSchema): fc.Arbitrary<string> {
  return pattern === undefined
    ? fc.constantFrom(...TEXTS)
    : fc.stringMatching(new RegExp(pattern), { maxLength: 12 });
}

function compileNumber(schema: ObjectSchema): fc.Arbitrary<number> {
  const { minimum = -1000, maximum = 1000 } = schema;
  const min = Math.max(minimum, -1000);
  return fc.integer({ min, max: Math.min(maximum, min + 2000) });
}

/**
 * What is left of a definition when everything that the checker points at is taken out of it, again and again.
 * Null when that fails: then the path of a problem led to nothing that could be fixed.
 */
function repaired(input: unknown, type: TemplateType): ProjectData | null {
  let rest = structuredClone(input);
  for (let round = 0; round < 100; round += 1) {
    const { definition, problems } = checkDefinition(rest, type);
    if (definition !== null) return definition;
    const paths = outermost(problems.map(({ path }) => path)).map((path) =>
      pathKeys(path).map(String),
    );
    for (const keys of paths.toSorted(lastFirst)) rest = without(rest, keys);
  }
  return null;
}

/** What stands inside of something that is taken out goes with it. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => isInside(path, other)));
}

function isInside(path: string, other: string): boolean {
  const next = path[other.length] ?? "";
  return path !== other && path.startsWith(other) && /[.[]/.test(next);
}

/** What is taken out of a list moves all that stands after it. */
function lastFirst(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  const [key = "", next = ""] = [one[at], other[at]];
  return Number(next) - Number(key) || (key < next ? -1 : 1);
}

/** Without what stands there; where nothing does, something is missing, and its owner goes. */
function without(value: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || typeof value !== "object" || value === null)
    return value;
  const entries = Object.entries(value);
  const child = entries.find(([name]) => name === key)?.[1];
  const isOwner = rest.length === 1 && !has(child, rest[0]);
  const kept = entries.flatMap(([name, one]) => {
    if (name !== key) return [[name, one] as const];
    if (rest.length === 0 || isOwner) return [];
    return [[name, without(one, rest)] as const];
  });
  return Array.isArray(value)
    ? kept.map(([, one]) => one)
    : Object.fromEntries(kept);
}

function has(value: unknown, key = ""): boolean {
  return (
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
  );
}
