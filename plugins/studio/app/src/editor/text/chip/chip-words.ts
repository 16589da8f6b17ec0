import type { Editor } from "../../model/editor.js";
import { asWords, keysOf } from "../../scope/path-text.js";
import {
  nearestRepeat,
  type RepeatScope,
  scopeNamed,
  type ScopeBook,
  shapeAt,
} from "../../scope/symbol-table.js";
import { nameOf } from "../../scope/path-options.js";
import { expressionOf } from "../model/template-parts.js";
import { type Aggregate, type ChipBase, readChip } from "./chip-value.js";

export interface ChipWords {
  words: string;
  /** An expression that is shown as it is written. */
  isFormula: boolean;
}

const longest = 24;

/** What a chip says; read again when the collections or the schema change. */
export function chipWords(
  editor: Editor,
  owner: string | null,
  source: string,
): ChipWords {
  const value = readChip(source);
  if (!value) return { words: shortened(source), isFormula: true };
  const scope = scopeAround(editor, owner);
  const words = baseWords(editor.scopes.value, scope, value.base);
  return { words, isFormula: false };
}

/** The innermost collection at a component, without watching the rest of the definition. */
export function scopeAround(
  editor: Editor,
  owner: string | null,
): RepeatScope | null {
  const { repeats } = editor.scopes.value;
  if (owner === null) return null;
  return nearestRepeat(editor.tree.peek(), repeats, owner, true);
}

function baseWords(
  book: ScopeBook,
  scope: RepeatScope | null,
  base: ChipBase,
): string {
  if (base.kind === "today") return "Today";
  if (base.kind === "path") return labelAt(book, scope, base.keys);
  const list = keysOf(base.list) ?? [];
  const name = labelAt(book, scope, list);
  if (base.field === "") return `${AGGREGATE_WORDS[base.name]} of ${name}`;
  const keys = keysOf(base.field) ?? [base.field];
  const field = labelAt(book, scope, [...list, ...keys]);
  return `${AGGREGATE_WORDS[base.name]} of ${field}`;
}

const AGGREGATE_WORDS: Readonly<Record<Aggregate, string>> = {
  SUM: "Sum",
  AVG: "Average",
  COUNT: "Count",
  MIN: "Smallest",
  MAX: "Largest",
};

const OWN: ReadonlyMap<string, string> = new Map([
  ["number", "no."],
  ["index", "no. from 0"],
  ["first", "is the first"],
  ["last", "is the last"],
]);

/** The labels along a path: "Customer › Name". */
function labelAt(
  book: ScopeBook,
  scope: RepeatScope | null,
  keys: readonly string[],
): string {
  const [first = "", ...rest] = keys;
  const owner = scopeNamed(first, scope);
  const isStart = owner !== null || first === "root";
  if (isStart && rest.length === 0) return owner ? nameOf(owner) : "Record";
  const [own = ""] = rest;
  const special = rest.length === 1 && owner ? OWN.get(own) : undefined;
  if (owner && special !== undefined && !shapeAt(book, scope, keys))
    return `${nameOf(owner)} ${special}`;
  const from = isStart ? 1 : 0;
  return keys
    .slice(from)
    .map((key, at) => labelOf(book, scope, keys.slice(0, from + at + 1), key))
    .join(" › ");
}

function labelOf(
  book: ScopeBook,
  scope: RepeatScope | null,
  keys: readonly string[],
  key: string,
): string {
  return fieldAt(book, scope, keys)?.label ?? asWords(key);
}

/** The declared field at the end of a path. */
function fieldAt(
  book: ScopeBook,
  scope: RepeatScope | null,
  keys: readonly string[],
) {
  const around = shapeAt(book, scope, keys.slice(0, -1));
  const fields = around && "of" in around ? around.of?.fields : undefined;
  return fields?.find(({ name }) => name === keys.at(-1));
}

function shortened(source: string): string {
  const text = expressionOf(source).replaceAll(/\s+/g, " ");
  if (text.length <= longest) return text === "" ? "empty" : text;
  return `${text.slice(0, longest - 1)}…`;
}
