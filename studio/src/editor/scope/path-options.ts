import type {
  DataCollection,
  Field,
} from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { isObject } from "../model/same-json.js";
import { asWords, keysOf, appendToPath } from "./path-text.js";
import {
  formatSample,
  isDate,
  getFirstElement,
  getFirstIteration,
  getSampleAt,
  type Samples,
} from "./samples.js";
import {
  getElementShape,
  findNearestRepeat,
  outward,
  type RepeatScope,
  getRootShape,
  getShapeAt,
  getFieldShape,
  type SymbolTable,
} from "./symbol-table.js";
import { t } from "../../messages/index.js";

/**
 * What a path is used for. A component's collection path and condition are outside of its own collection; its filter,
 * sort and group rules apply to the element.
 */
export type PathUse = "content" | "collection" | "condition" | "filter";

/** The innermost collection in scope at a component, with the outer ones as `parent`; null for only the record. */
export function getScopeAt(
  editor: Editor,
  id: string | null,
  where: PathUse,
): RepeatScope | null {
  const { repeats } = editor.scopes.value;
  if (id === null) return null;
  const countsItself = where === "content" || where === "filter";
  return findNearestRepeat(editor.tree.value, repeats, id, countsItself);
}

/**
 * The paths in scope, nearest first: fields of the element, of the outer collections, of the record. In a filter, the
 * fields of the element are bare names.
 */
export function listPathOptions(
  editor: Editor,
  id: string | null,
  where: PathUse,
): PathOption[] {
  const scope = getScopeAt(editor, id, where);
  const samples = getSamples(editor);
  const isOwn = scope?.ownerId === id && where === "filter";
  const around = outward(isOwn ? scope.parent : scope);
  return [
    ...(isOwn ? listElementOptions(editor, samples, scope) : []),
    ...around.flatMap((repeatScope) =>
      listIterationOptions(editor, samples, repeatScope),
    ),
    ...listRecordFields(editor, samples),
  ];
}

/** The fields of a list's elements as bare names, as aggregate functions take them. */
export function listFields(
  editor: Editor,
  id: string | null,
  path: string,
): PathOption[] {
  const scope = getScopeAt(editor, id, "content");
  const keys = keysOf(path) ?? [];
  const shape = getShapeAt(editor.scopes.value, scope, keys);
  const value = getSampleAt(getSamples(editor), scope, keys);
  const [sample]: unknown[] = Array.isArray(value) ? value : [];
  const record = shape && "of" in shape ? shape.of : null;
  const from = asWords(keys.at(-1) ?? "");
  return fieldOptions({ ...createOrigin(editor, "", from), record, sample });
}

function getSamples(editor: Editor): Samples {
  return { definition: editor.sampled.value, facts: editor.facts.value };
}

function createOrigin(editor: Editor, path: string, from: string): Origin {
  const { locale } = editor.definition.value;
  const book = editor.scopes.value;
  return { book, locale, path, from, record: null, sample: undefined };
}

function listRecordFields(
  editor: Editor,
  { definition }: Samples,
): PathOption[] {
  const shape = getRootShape(editor.scopes.value);
  const record = shape && "of" in shape ? shape.of : null;
  const origin = createOrigin(
    editor,
    "root",
    record?.label ?? t("common.record"),
  );
  return fieldOptions({ ...origin, record, sample: definition.sample });
}

/** The fields of one element, before grouping, as bare names. */
function listElementOptions(
  editor: Editor,
  samples: Samples,
  scope: RepeatScope,
): PathOption[] {
  const sample = getFirstElement(samples, scope);
  const origin = createOrigin(editor, "", nameOf(scope));
  const { element: record } = scope;
  return [
    ...listScalarOption(scope, sample, origin),
    ...fieldOptions({ ...origin, record, sample }).map((option) =>
      option.path.startsWith("[")
        ? { ...option, path: scope.id + option.path }
        : option,
    ),
  ];
}

function listIterationOptions(
  editor: Editor,
  samples: Samples,
  scope: RepeatScope,
): PathOption[] {
  const sample = getFirstIteration(samples, scope);
  const shape = getElementShape(scope);
  const record = shape && "of" in shape ? shape.of : null;
  const origin = createOrigin(editor, scope.id, nameOf(scope));
  return [
    ...listScalarOption(scope, sample, origin),
    ...fieldOptions({ ...origin, record, sample }),
    ...listCounters(scope, record?.fields.map(({ name }) => name) ?? []),
  ];
}

/** The element itself, for a list of texts or numbers. */
function listScalarOption(
  scope: RepeatScope,
  sample: unknown,
  { from, locale }: Origin,
): PathOption[] {
  const isRecord = sample === undefined || typeof sample === "object";
  if (isRecord || Object.keys(recordOf(sample)).length > 0) return [];
  const text = formatSample(sample, locale);
  const option = { path: scope.id, label: nameOf(scope), from };
  return [{ ...option, kind: kindOf(sample), sample: text }];
}

const COUNTERS = [
  ["number", t("paths.itemNumber"), "1"],
  ["index", t("paths.itemNumberFrom0"), "0"],
  ["first", t("paths.isItFirst"), "yes"],
  ["last", t("paths.isItLast"), "no"],
] as const;

/** The counters of an iteration; declared fields of the same name shadow them. */
function listCounters(
  scope: RepeatScope,
  declared: readonly string[],
): PathOption[] {
  const from = nameOf(scope);
  return COUNTERS.filter(([name]) => !declared.includes(name)).map(
    ([name, label, sample]) => {
      const path = `${scope.id}.${name}`;
      return { path, label, kind: "special" as const, sample, from };
    },
  );
}

/** The display name of a collection's element. */
export function nameOf({ id }: RepeatScope): string {
  return asWords(id);
}

export type PathKind =
  | "String"
  | "Number"
  | "Date"
  | "Boolean"
  | "Autogenerated"
  | "record"
  | "list"
  | "special";

export interface PathOption {
  path: string;
  /** Its display name: "Unit price". */
  label: string;
  kind: PathKind;
  /** Its value in the sample as a short text; empty for none. */
  sample: string;
  /** The heading of its group: "Record", "Line", "Customer". */
  from: string;
  /** For a link, the id of the linked collection. */
  target?: string;
  /** For a declared field. */
  field?: Field;
}

/** A record whose fields are listed. */
interface Origin {
  book: Pick<SymbolTable, "schema">;
  locale: string | undefined;
  /** Its path; empty for bare names. */
  path: string;
  from: string;
  /** Null when nothing is declared. */
  record: DataCollection | null;
  sample: unknown;
}

const maxDepth = 2;

/** The fields of a record and, up to two links deep, of linked records; declared ones first. */
function fieldOptions(origin: Origin, depth = 0): PathOption[] {
  const declared = origin.record?.fields ?? [];
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = Object.keys(recordOf(origin.sample)).filter(
    (name) => !names.has(name),
  );
  const fields = [
    ...declared.map((field) => fromDeclaredField(origin, field)),
    ...undeclared.map((name) => fromSampleField(origin, name)),
  ];
  const nested =
    depth < maxDepth
      ? fields.flatMap((field) => listNestedOptions(field, depth))
      : [];
  return [...fields.map(({ option }) => option), ...nested];
}

/** A field and, for a link, its target. */
interface Step {
  option: PathOption;
  origin: Origin | null;
}

function fromDeclaredField(origin: Origin, field: Field): Step {
  const value = recordOf(origin.sample)[field.name] ?? field.sample;
  const shape = getFieldShape(origin.book, field);
  const isLink = "target" in field;
  const isYesNo = field.type === "String" && typeof value === "boolean";
  const scalar = isYesNo ? "Boolean" : scalarKind(field);
  const kind = shape && shape.kind !== "value" ? shape.kind : scalar;
  const option = {
    ...createOption(origin, field.name, value),
    label: field.label ?? asWords(field.name),
    kind,
    field,
    ...(isLink && { target: field.target }),
  };
  const record = shape && "of" in shape ? shape.of : null;
  return {
    option,
    origin: isLink ? createNestedOrigin(origin, option, record, value) : null,
  };
}

function scalarKind({ type }: Field): PathKind {
  return type === "OneToOneLink" || type === "OneToManyLink" ? "record" : type;
}

/** A field that the sample has and the schema does not declare. */
function fromSampleField(origin: Origin, name: string): Step {
  const value = recordOf(origin.sample)[name];
  const option = createOption(origin, name, value);
  const isLink = option.kind === "record" || isListOfRecords(value);
  return {
    option,
    origin: isLink ? createNestedOrigin(origin, option, null, value) : null,
  };
}

function createOption(
  origin: Origin,
  name: string,
  value: unknown,
): PathOption {
  return {
    path: appendToPath(origin.path, name),
    label: asWords(name),
    kind: kindOf(value),
    sample: formatSample(value, origin.locale),
    from: origin.from,
  };
}

export function kindOf(value: unknown): PathKind {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "record";
  if (typeof value === "number") return "Number";
  if (typeof value === "boolean") return "Boolean";
  return isDate(value) ? "Date" : "String";
}

function createNestedOrigin(
  origin: Origin,
  { path, label }: PathOption,
  record: DataCollection | null,
  sample: unknown,
): Origin {
  const isTop = origin.path === "" || !/[.[]/.test(origin.path);
  const from = isTop ? label : `${origin.from} › ${label}`;
  return { ...origin, path, from, record, sample };
}

/** The fields below a record; of a list only its nested lists, which can be iterated together. */
function listNestedOptions(
  { option, origin }: Step,
  depth: number,
): PathOption[] {
  if (!origin) return [];
  if (option.kind === "record") return fieldOptions(origin, depth + 1);
  const [first]: unknown[] = Array.isArray(origin.sample) ? origin.sample : [];
  return fieldOptions({ ...origin, sample: first }, maxDepth)
    .filter(({ kind }) => kind === "list")
    .map((listOption) => ({
      ...listOption,
      label: `${option.label} › ${listOption.label}`,
      sample: "",
      from: option.from,
    }));
}

function isListOfRecords(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [first]: unknown[] = value;
  return typeof first === "object" && first !== null;
}

function recordOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}
