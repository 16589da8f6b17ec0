import * as fc from "fast-check";
import { definitionJsonSchema } from "../../../core/definition/index.js";

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
export function anyDefinition(depth = 3): fc.Arbitrary<unknown> {
  return valueOf(definitionJsonSchema(), depth);
}

/** What is referred to is made once for each depth, or there would be millions. */
const known = new Map<string, fc.Arbitrary<unknown>>();

function valueOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return fc.jsonValue({ maxDepth: 2 });
  const { $ref, const: constant, enum: words, anyOf, oneOf } = schema;
  if ($ref !== undefined) return referred($ref, depth);
  if (constant !== undefined) return fc.constant(constant);
  if (words) return fc.constantFrom(...words);
  const branches = anyOf ?? oneOf;
  if (branches)
    return fc.oneof(...branches.map((branch) => valueOf(branch, depth)));
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
  return valueOf(definitions[name] ?? true, isNested ? depth - 1 : depth);
}

function ofType(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "object":
      return objectOf(schema, depth);
    case "array":
      return listOf(schema, depth);
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

function objectOf(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], propertyNames } = schema;
  if (propertyNames !== undefined) return tableOf(schema, depth);
  const entries = Object.entries(properties).map(
    ([name, property]) =>
      [
        name,
        required.includes(name)
          ? valueOf(property, depth)
          : fc.option(valueOf(property, depth), { freq: 1, nil: undefined }),
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

function tableOf(
  { propertyNames = true, additionalProperties = true }: ObjectSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  const name = valueOf(propertyNames, depth).map(String);
  return fc.dictionary(name, valueOf(additionalProperties, depth), {
    maxKeys: 3,
  });
}

function listOf(schema: ObjectSchema, depth: number): fc.Arbitrary<unknown> {
  const { items = true, minItems = 0 } = schema;
  const item = Array.isArray(items) ? true : items;
  return fc.array(valueOf(item, depth), {
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
