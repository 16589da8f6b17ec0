import type { KeyPath, ValueChange } from "./views.js";
import { PlatenError } from "../plugin-api/index.js";
import { FORBIDDEN_KEYS, writeKey, rootTypes } from "./expressions/index.js";
import { getSharedLanguage } from "./locale.js";
import type { DataCollection } from "./schema/data-schema.js";
import type { ProjectData } from "./schema/definition-schema.js";
import { checkBindings, checkDocument } from "./validation/check-bindings.js";
import { checkComputedFields } from "./validation/check-computed.js";
import { checkCaps } from "./validation/check-caps.js";
import { checkShape } from "./validation/check-shape.js";
import { pathKeys, valueAt, type FoundRead } from "./validation/problems.js";
import { getValidParts, buildTree } from "./validation/component-tree.js";

interface FieldPlace {
  collectionId: string;
  name: string;
}

/** A key in an expression that refers to the field. */
interface Use {
  path: string;
  at: number;
  scope: string;
}

/** Finds all strings that read a field, once for each use. @param written any JSON value */
export function findFieldUses(written: unknown, field: FieldPlace): KeyPath[] {
  if (checkCaps(written).length > 0) return [];
  return findUses(findReads(written), field).map(({ path }) => pathKeys(path));
}

/**
 * Renames a field in the schema, in the expressions that read it, and in the samples. The checker decides which paths
 * mean the field; malformed parts stay unchanged.
 * @param written any JSON value
 * @throws PlatenError `invalid_request` for a name that is taken, that cannot be written in some expression, or that
 * would change the meaning of another path.
 */
export function renameField(
  written: unknown,
  field: FieldPlace,
  to: string,
): ValueChange[] {
  if (checkCaps(written).length > 0)
    throw refused(
      "Fix the problems of the template before you rename a field.",
    );
  const parts = getValidParts(written, checkShape(written));
  const { schema } = parts;
  const named = renameInSchema(schema, field, to);
  const reads = findReads(written);
  const changes = [
    named,
    ...stringChanges(written, findUses(reads, field), to),
    ...sampleChanges(parts, { ...field, to }),
  ];
  assertSameMeaning(reads, findReads(changed(written, changes)), field, to);
  return changes;
}

function findUses(reads: readonly FoundRead[], field: FieldPlace): Use[] {
  return reads.flatMap(({ path, node, from, owners, scope }) =>
    node.keys.flatMap((key, index) => {
      const isField =
        key === field.name && owners[index] === field.collectionId;
      const at = from + (node.starts[index] ?? 0);
      return isField ? [{ path, at, scope }] : [];
    }),
  );
}

function renameInSchema(
  schema: readonly DataCollection[],
  { collectionId, name }: FieldPlace,
  to: string,
): ValueChange {
  const at = schema.findIndex(({ id }) => id === collectionId);
  const fields = schema[at]?.fields ?? [];
  const index = fields.findIndex((field) => field.name === name);
  if (index < 0) throw refused(`The field "${name}" no longer exists.`);
  if (to.trim() === "" || FORBIDDEN_KEYS.includes(to))
    throw refused("Choose a name that consists of letters and digits.");
  if (fields.some((field) => field.name === to))
    throw refused(`A field named "${to}" already exists. Choose another name.`);
  return { path: ["schema", at, "fields", index, "name"], value: to };
}

function stringChanges(
  written: unknown,
  uses: readonly Use[],
  to: string,
): ValueChange[] {
  const paths = [...new Set(uses.map(({ path }) => path))];
  return paths.map((path) => {
    const keys = pathKeys(path);
    const pathUses = uses.filter((use) => use.path === path);
    const before = String(valueAt(written, keys));
    return { path: keys, value: replaceKeys(before, pathUses, to) };
  });
}

/** Replaces from the end so that earlier offsets stay valid. */
function replaceKeys(before: string, uses: readonly Use[], to: string): string {
  return uses
    .toSorted((use, other) => other.at - use.at)
    .reduce((text, { at, scope }) => {
      const next = writeKey(text, at, to, scope);
      if (next === null) throw unwritable(to);
      return next;
    }, before);
}

function sampleChanges(
  { schema, sample, samples = {} }: ProjectData,
  renaming: FieldPlace & { to: string },
): ValueChange[] {
  const named = Object.entries(samples).map(([name, value]) => ({
    path: ["samples", name],
    value,
  }));
  const all = [{ path: ["sample"], value: sample }, ...named];
  return all
    .filter(({ value }) => value !== undefined)
    .map(({ path, value }) => ({
      path,
      value: renameInSample(value, schema, renaming),
    }));
}

function changed(written: unknown, changes: readonly ValueChange[]): unknown {
  const copy: unknown = structuredClone(written);
  for (const { path, value } of changes) {
    const owner = valueAt(copy, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof owner === "object" && owner !== null && key !== undefined)
      Reflect.set(owner, key, value);
  }
  return copy;
}

/**
 * Throws unless every path still reads what it read before: a field of the new name may hide another one or be hidden.
 */
function assertSameMeaning(
  before: readonly FoundRead[],
  after: readonly FoundRead[],
  field: FieldPlace,
  to: string,
): void {
  const was = before.map((read) => meaning(read, field, to));
  const is = after.map((read) => meaning(read, field, to));
  const isSame =
    was.length === is.length &&
    was.every((previous, at) => previous === is[at]);
  if (!isSame)
    throw refused(
      `"${to}" already has another meaning in some expressions that use this field or another one. Choose another name.`,
    );
}

/** What a path reads, independent of how it is written. */
function meaning(
  { path, node, owners, scope }: FoundRead,
  { collectionId, name }: FieldPlace,
  to: string,
): string {
  const declared = owners.flatMap((owner, index) => {
    const key = node.keys[index];
    const isField = owner === collectionId && key === name;
    return owner === null ? [] : [[owner, isField ? to : key]];
  });
  const rest = owners.some((owner) => owner !== null)
    ? ""
    : node.keys.join(".");
  return JSON.stringify([path, scope, declared, rest]);
}

function unwritable(to: string): PlatenError {
  return refused(
    `"${to}" is not a valid name in some of the expressions that use the field. Choose a name that consists of letters and digits.`,
  );
}

function refused(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

interface Renaming {
  collectionId: string;
  name: string;
  to: string;
}

/**
 * Renames the field in every record of its collection in the sample. Data that links do not reach stays unchanged.
 * @throws PlatenError `invalid_request` when a record has both names.
 */
function renameInSample(
  sample: unknown,
  schema: readonly DataCollection[],
  renaming: Renaming,
): unknown {
  const records = new Map(
    schema.map((collection) => [collection.id, collection]),
  );
  const walk = (value: unknown, id: string): unknown => {
    if (Array.isArray(value))
      return value.map((item: unknown) => walk(item, id));
    if (typeof value !== "object" || value === null) return value;
    const links = getLinkTargets(records.get(id));
    const isRenamed = id === renaming.collectionId;
    if (isRenamed) assertNotBoth(value, renaming);
    const entries = Object.entries(value).map(
      ([key, child]: [string, unknown]) => {
        const target = links.get(key);
        const inner = target === undefined ? child : walk(child, target);
        return [isRenamed && key === renaming.name ? renaming.to : key, inner];
      },
    );
    return Object.fromEntries(entries);
  };
  return walk(sample, "root");
}

function getLinkTargets(
  record: DataCollection | undefined,
): Map<string, string> {
  const links = record?.fields ?? [];
  return new Map(
    links.flatMap((field) =>
      "target" in field ? [[field.name, field.target] as const] : [],
    ),
  );
}

function assertNotBoth(record: object, { name, to }: Renaming): void {
  if (!Object.hasOwn(record, name) || !Object.hasOwn(record, to)) return;
  throw new PlatenError(
    "invalid_request",
    `The sample already has a value named "${to}" next to "${name}". Choose another name, or remove that value from the sample.`,
  );
}

/** Finds every path that a definition reads, using the checker; malformed parts are skipped. */
export function findReads(input: unknown): FoundRead[] {
  const shape = checkShape(input);
  const definition = getValidParts(input, shape);
  const types = rootTypes(definition.schema);
  const reads: FoundRead[] = [];
  const findings = { problems: [], warnings: [], reads };
  checkComputedFields(
    definition.schema,
    getSharedLanguage(definition),
    findings,
  );
  checkDocument(definition, types, findings);
  checkBindings(buildTree(input, shape), types, findings);
  return reads;
}
