import type { FieldPlace, SampleProblem } from "./views.js";
import { splitTemplate } from "./expressions/index.js";
import { findReads } from "./rename-field.js";
import type { DataCollection } from "./schema/data-schema.js";
import { checkCaps } from "./validation/check-caps.js";
import { compileDataChecker } from "./validation/check-data.js";
import { checkShape } from "./validation/check-shape.js";
import { getValidParts } from "./validation/component-tree.js";
import { type FoundRead, pathKeys, valueAt } from "./validation/problems.js";

/** More are not shown. */
const MAX_PROBLEMS = 100;

/**
 * Checks a sample against the schema, as the data of a document is, and finds the places that print the fields. Fields
 * that have no value and need none are listed last.
 * @param written any JSON value; malformed parts are skipped
 */
export function checkSample(
  written: unknown,
  sample: unknown,
): SampleProblem[] {
  if (checkCaps(written).length > 0) return [];
  const { schema } = getValidParts(written, checkShape(written));
  const dataProblems = compileDataChecker(schema)(sample, { path: "$" });
  const wrong = new Set(dataProblems.map(({ path }) => path));
  const empty = compileDataChecker(schema.map(withAllRequired))(sample, {
    path: "$",
  }).flatMap(({ path }) =>
    wrong.has(path)
      ? []
      : { path, code: "empty_value" as const, message: EMPTY },
  );
  const all = [...dataProblems, ...empty].slice(0, MAX_PROBLEMS);
  if (all.length === 0) return [];
  const reads = findReads(written);
  return all.map(({ path, code, message }) => {
    const keys = pathKeys(path);
    const field = getFieldAt(schema, keys);
    const uses = reads.filter((read) => isOf(read, field));
    return { keys, code, message, places: findPlaces(written, uses) };
  });
}

const EMPTY = "The field has no value. It is not required.";

function withAllRequired({ fields, ...rest }: DataCollection): DataCollection {
  return {
    ...rest,
    fields: fields.map((field) => ({ ...field, required: true })),
  };
}

interface Field {
  collectionId: string;
  name: string;
}

/** The field that a path in the data ends with; null for the record itself. */
function getFieldAt(
  schema: readonly DataCollection[],
  keys: readonly PropertyKey[],
): Field | null {
  let collection = schema.find(({ id }) => id === "root");
  let field: Field | null = null;
  for (const name of keys) {
    if (typeof name !== "string" || collection === undefined) continue;
    field = { collectionId: collection.id, name };
    const declared = collection.fields.find(
      (candidate) => candidate.name === name,
    );
    const target = declared && "target" in declared ? declared.target : null;
    collection = schema.find(({ id }) => id === target);
  }
  return field;
}

function isOf({ node, owners }: FoundRead, field: Field | null): boolean {
  return node.keys.some(
    (key, index) => key === field?.name && owners[index] === field.collectionId,
  );
}

/** Each component and expression once. */
function findPlaces(
  written: unknown,
  reads: readonly FoundRead[],
): FieldPlace[] {
  const places = new Map<string, FieldPlace>();
  for (const { path, from } of reads) {
    const keys = pathKeys(path);
    const owner = findComponent(written, keys);
    // A condition prints nothing.
    if (owner === null || keys[owner.depth] === "condition") continue;
    const component = owner.id;
    const expression = findExpression(valueAt(written, keys), from);
    places.set(`${component} ${expression}`, { component, expression });
  }
  return [...places.values()];
}

/** The innermost component on the path; null when there is none. */
function findComponent(
  written: unknown,
  keys: readonly PropertyKey[],
): { id: string; depth: number } | null {
  for (let depth = keys.length - 1; depth > 0; depth -= 1) {
    const owner = valueAt(written, keys.slice(0, depth));
    if (typeof owner !== "object" || owner === null) continue;
    if ("type" in owner && "id" in owner && typeof owner.id === "string")
      return { id: owner.id, depth };
  }
  return null;
}

/** The text between the braces that contains the position; null outside a Template. */
function findExpression(text: unknown, from: number): string | null {
  if (typeof text !== "string" || !text.includes("{{")) return null;
  const { inner, starts } = splitTemplate(text);
  const at = starts.findLastIndex((start) => start <= from);
  return inner[at]?.trim() ?? null;
}
