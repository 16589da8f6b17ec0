import type {
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { asWords, keysOf, pathWith } from "./path-text.js";
import {
  sampleText,
  isDate,
  elementOf,
  roundOf,
  sampleAt,
  type Samples,
} from "./samples.js";
import {
  elementShape,
  nearestRepeat,
  outward,
  type RepeatScope,
  rootShape,
  shapeAt,
  fieldShape,
  type ScopeBook,
} from "./symbol-table.js";

/**
 * What a path is written for. The collection and the condition of a component are outside of its own collection;
 * the rules of a filter, its order and groups are about the element.
 */
export type PathUse = "content" | "collection" | "condition" | "filter";

/** The collection that is innermost at a component, and those around it by `parent`; null where there is the record alone. */
export function scopesAt(
  editor: Editor,
  id: string | null,
  where: PathUse,
): RepeatScope | null {
  const { repeats } = editor.scopes.value;
  if (id === null) return null;
  const countsItself = where === "content" || where === "filter";
  return nearestRepeat(editor.tree.value, repeats, id, countsItself);
}

/**
 * The paths that mean something there, the nearest first: the fields of the element, of the collections around it, of
 * the record. In a filter those of the element are bare names, as its rules have them.
 */
export function pathOptions(
  editor: Editor,
  id: string | null,
  where: PathUse,
): PathOption[] {
  const scope = scopesAt(editor, id, where);
  const samples = samplesOf(editor);
  const isOwn = scope?.ownerId === id && where === "filter";
  const around = outward(isOwn ? scope.parent : scope);
  return [
    ...(isOwn ? elementOptions(editor, samples, scope) : []),
    ...around.flatMap((one) => roundOptions(editor, samples, one)),
    ...recordOptions(editor, samples),
  ];
}

/** The fields of a list's elements, by bare names, as sums have them. */
export function listFields(
  editor: Editor,
  id: string | null,
  path: string,
): PathOption[] {
  const scope = scopesAt(editor, id, "content");
  const keys = keysOf(path) ?? [];
  const shape = shapeAt(editor.scopes.value, scope, keys);
  const value = sampleAt(samplesOf(editor), scope, keys);
  const [sample]: unknown[] = Array.isArray(value) ? value : [];
  const record = shape && "of" in shape ? shape.of : null;
  const from = asWords(keys.at(-1) ?? "");
  return fieldOptions({ ...originAt(editor, "", from), record, sample });
}

function samplesOf(editor: Editor): Samples {
  return { definition: editor.definition.value, facts: editor.facts.value };
}

function originAt(editor: Editor, path: string, from: string): Origin {
  const { locale } = editor.definition.value;
  const book = editor.scopes.value;
  return { book, locale, path, from, record: null, sample: undefined };
}

function recordOptions(editor: Editor, { definition }: Samples): PathOption[] {
  const shape = rootShape(editor.scopes.value);
  const record = shape && "of" in shape ? shape.of : null;
  const origin = originAt(editor, "root", record?.label ?? "Record");
  return fieldOptions({ ...origin, record, sample: definition.sample });
}

/** One element of a list, before it is grouped, by bare names. */
function elementOptions(
  editor: Editor,
  samples: Samples,
  scope: RepeatScope,
): PathOption[] {
  const sample = elementOf(samples, scope);
  const origin = originAt(editor, "", nameOf(scope));
  const { element: record } = scope;
  return [
    ...ofScalar(scope, sample, origin),
    ...fieldOptions({ ...origin, record, sample }).map((option) =>
      option.path.startsWith("[")
        ? { ...option, path: scope.id + option.path }
        : option,
    ),
  ];
}

function roundOptions(
  editor: Editor,
  samples: Samples,
  scope: RepeatScope,
): PathOption[] {
  const sample = roundOf(samples, scope);
  const shape = elementShape(scope);
  const record = shape && "of" in shape ? shape.of : null;
  const origin = originAt(editor, scope.id, nameOf(scope));
  return [
    ...ofScalar(scope, sample, origin),
    ...fieldOptions({ ...origin, record, sample }),
    ...specials(scope, record?.fields.map(({ name }) => name) ?? []),
  ];
}

/** Of a list of texts or numbers, the element itself. */
function ofScalar(
  scope: RepeatScope,
  sample: unknown,
  { from, locale }: Origin,
): PathOption[] {
  const isRecord = sample === undefined || typeof sample === "object";
  if (isRecord || Object.keys(recordOf(sample)).length > 0) return [];
  const text = sampleText(sample, locale);
  const option = { path: scope.id, label: nameOf(scope), from };
  return [{ ...option, kind: kindOf(sample), sample: text }];
}

const SPECIALS = [
  ["number", "Counter (1, 2, 3 …)", "1"],
  ["index", "Counter from 0", "0"],
  ["first", "Is it the first?", "yes"],
  ["last", "Is it the last?", "no"],
] as const;

/** What a round knows of itself; a declared field of the name comes before it. */
function specials(
  scope: RepeatScope,
  declared: readonly string[],
): PathOption[] {
  const from = nameOf(scope);
  return SPECIALS.filter(([name]) => !declared.includes(name)).map(
    ([name, label, sample]) => {
      const path = `${scope.id}.${name}`;
      return { path, label, kind: "special" as const, sample, from };
    },
  );
}

/** A collection's element for people. */
export function nameOf({ id }: RepeatScope): string {
  return asWords(id);
}

export type PathKind =
  | "String"
  | "Number"
  | "Date"
  | "Autogenerated"
  | "record"
  | "list"
  | "special";

/** A path that can be chosen at some place. */
export interface PathOption {
  path: string;
  /** Its name for people: "Unit price". */
  label: string;
  kind: PathKind;
  /** Its value in the sample, as a short text; empty where there is none. */
  sample: string;
  /** What it belongs to, as a heading: "Record", "Line", "Customer". */
  from: string;
  /** Of a link: the id of the collection that it leads to. */
  target?: string;
}

/** A record whose fields can be chosen. */
interface Origin {
  book: Pick<ScopeBook, "schema">;
  locale: string | undefined;
  /** Its path; empty where fields are named alone. */
  path: string;
  from: string;
  /** Null where nothing is declared. */
  record: DataCollection | null;
  sample: unknown;
}

const deepest = 2;

/** The fields of a record and of the records that it links to, two links deep; declared ones first. */
function fieldOptions(origin: Origin, depth = 0): PathOption[] {
  const declared = origin.record?.fields ?? [];
  const names = new Set(declared.map(({ name }) => name));
  const found = Object.keys(recordOf(origin.sample)).filter(
    (name) => !names.has(name),
  );
  const fields = [
    ...declared.map((field) => declaredField(origin, field)),
    ...found.map((name) => foundField(origin, name)),
  ];
  const nested =
    depth < deepest ? fields.flatMap((one) => below(one, depth)) : [];
  return [...fields.map(({ option }) => option), ...nested];
}

/** A field, and where it leads to. */
interface Step {
  option: PathOption;
  origin: Origin | null;
}

function declaredField(origin: Origin, field: Field): Step {
  const value = recordOf(origin.sample)[field.name] ?? field.sample;
  const shape = fieldShape(origin.book, field);
  const isLink = "target" in field;
  const kind = shape && shape.kind !== "value" ? shape.kind : scalarKind(field);
  const option = {
    ...optionFor(origin, field.name, value),
    label: field.label ?? asWords(field.name),
    kind,
    ...(isLink && { target: field.target }),
  };
  const record = shape && "of" in shape ? shape.of : null;
  return {
    option,
    origin: isLink ? inner(origin, option, record, value) : null,
  };
}

function scalarKind({ type }: Field): PathKind {
  return type === "OneToOneLink" || type === "OneToManyLink" ? "record" : type;
}

/** What the sample has and the schema does not declare can be read all the same. */
function foundField(origin: Origin, name: string): Step {
  const value = recordOf(origin.sample)[name];
  const option = optionFor(origin, name, value);
  const leads = option.kind === "record" || isListOfRecords(value);
  return { option, origin: leads ? inner(origin, option, null, value) : null };
}

function optionFor(origin: Origin, name: string, value: unknown): PathOption {
  return {
    path: pathWith(origin.path, name),
    label: asWords(name),
    kind: kindOf(value),
    sample: sampleText(value, origin.locale),
    from: origin.from,
  };
}

export function kindOf(value: unknown): PathKind {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "record";
  if (typeof value === "number") return "Number";
  return isDate(value) ? "Date" : "String";
}

function inner(
  origin: Origin,
  { path, label }: PathOption,
  record: DataCollection | null,
  sample: unknown,
): Origin {
  const isTop = origin.path === "" || !/[.[]/.test(origin.path);
  const from = isTop ? label : `${origin.from} › ${label}`;
  return { ...origin, path, from, record, sample };
}

/** Of a list, only the lists within it: they can be gone through together. */
function below({ option, origin }: Step, depth: number): PathOption[] {
  if (!origin) return [];
  if (option.kind === "record") return fieldOptions(origin, depth + 1);
  const [first]: unknown[] = Array.isArray(origin.sample) ? origin.sample : [];
  return fieldOptions({ ...origin, sample: first }, deepest)
    .filter(({ kind }) => kind === "list")
    .map((one) => ({
      ...one,
      label: `${option.label} › ${one.label}`,
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
  const isRecord =
    typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? { ...value } : {};
}
