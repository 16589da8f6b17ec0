import type { Editor } from "../model/editor.js";
import {
  fieldOptions,
  kindOf,
  type Origin,
  type PathOption,
  recordOf,
} from "./field-options.js";
import { asWords, keysOf } from "./path-text.js";
import {
  elementShape,
  nearestRepeat,
  outward,
  type RepeatScope,
  rootShape,
  shapeAt,
} from "./scope-book.js";
import { elementOf, roundOf, sampleAt, type Samples } from "./sample-value.js";
import { sampleText } from "./sample-text.js";

export type { PathKind, PathOption } from "./field-options.js";

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
