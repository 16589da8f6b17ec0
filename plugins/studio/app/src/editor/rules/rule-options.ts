import type { Editor } from "../model/editor.js";
import type { PathOption } from "../scope/field-options.js";
import { keysOf } from "../scope/path-text.js";
import { sampleAt } from "../scope/sample-value.js";
import { pathOptions, type PathUse, scopesAt } from "../scope/scopes.js";

/** Whether rules are about the elements of the component's own collection, or about what is around it. */
export type LogicUse = Extract<PathUse, "condition" | "filter">;

/** What rules may ask about: fields, whether lists and links have something, and how many a list has. */
export function ruleOptions(
  editor: Editor,
  owner: string,
  where: LogicUse,
): PathOption[] {
  return pathOptions(editor, owner, where).flatMap((option) =>
    option.kind === "list" ? [option, countOption(option)] : [option],
  );
}

/** What can be put in order and grouped by: single values of the element itself. */
export function elementFields(editor: Editor, owner: string): PathOption[] {
  const around = pathOptions(editor, owner, "collection");
  const outer = new Set(around.map(({ path }) => path));
  const odd = ["list", "record", "special"];
  return pathOptions(editor, owner, "filter").filter(
    ({ path, kind }) => !outer.has(path) && !odd.includes(kind),
  );
}

const mostExamples = 30;

/** The different values that the sample has there, as they are written in it. */
export function examplesOf(
  editor: Editor,
  owner: string,
  where: LogicUse,
  field: string,
): (string | number)[] {
  const keys = keysOf(field);
  if (!keys) return [];
  const samples = {
    definition: editor.definition.value,
    facts: editor.facts.value,
  };
  const scope = scopesAt(editor, owner, where);
  const isOwn = where === "filter" && scope?.ownerId === owner;
  const list = isOwn ? (keysOf(scope.collection.path) ?? []) : [];
  const all = isOwn
    ? sampleAt(samples, scope.parent, [...list, ...keys])
    : undefined;
  const found: unknown = all ?? sampleAt(samples, scope, keys);
  const values: unknown[] = Array.isArray(found) ? found : [found];
  const plain = values.filter(
    (one) => typeof one === "number" || typeof one === "string",
  );
  const different = new Set(plain.filter((one) => one !== ""));
  return [...different].slice(0, mostExamples);
}

function countOption({ path, label, from, sample }: PathOption): PathOption {
  return {
    path: `COUNT(${path})`,
    label: `How many ${label.toLowerCase()}`,
    kind: "Number",
    sample: sample.replace(/\D+/g, ""),
    from,
  };
}
