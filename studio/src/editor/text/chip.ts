import type { Editor } from "../model/editor.js";
import { kindOf, type PathKind, nameOf } from "../scope/path-options.js";
import { appendToPath, keysOf, quoted, asWords } from "../scope/path-text.js";
import { getSampleAt } from "../scope/samples.js";
import {
  findNearestRepeat,
  type RepeatScope,
  scopeNamed,
  type SymbolTable,
  getShapeAt,
} from "../scope/symbol-table.js";
import { getExpression } from "./template.js";
import { locale, t } from "../../messages/index.js";

const AGGREGATES = ["SUM", "AVG", "COUNT", "MIN", "MAX"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

// A chip: a variable in a text, its value and filters, and how the studio labels it.

/** The value of a chip before its filters. */
type ChipBase =
  | { kind: "path"; path: string; keys: readonly string[] }
  /** `field` is empty for a count; `formula` is calculated for each element instead of reading a field. */
  | {
      kind: "aggregate";
      name: Aggregate;
      list: string;
      field: string;
      formula?: readonly FormulaPart[];
    }
  | { kind: "today" }
  /** `date` is a path or `TODAY()`; a negative amount is an earlier date. */
  | { kind: "dateAdd"; date: string; amount: number; unit: DateUnit }
  /** `parts` is null for a formula that is not arithmetic. */
  | { kind: "formula"; text: string; parts: readonly FormulaPart[] | null };

export const DATE_UNITS = ["days", "weeks", "months", "years"] as const;
export type DateUnit = (typeof DATE_UNITS)[number];

/** A piece of an arithmetic formula: a path, or an operator, a number, a parenthesis or a call. */
type FormulaPart = { keys: readonly string[] } | { text: string };

export interface ChipFilter {
  name: string;
  args: readonly (string | number)[];
}

/** How a field is written: divided, then formatted. */
export interface FieldStyle {
  divisor?: number;
  filters: readonly ChipFilter[];
}

/** An expression that can be edited with controls: a value, then filters. */
export interface ChipValue {
  base: ChipBase;
  filters: readonly ChipFilter[];
}

const TODAY_CALL = /^TODAY\(\s*\)$/;
const PIECES = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[|,()]|[^"'|,()]+/gy;

/** Null for an expression that is incomplete. */
export function parseChip(source: string): ChipValue | null {
  const steps = splitOutsideQuotes(getExpression(source), "|");
  const [first, ...rest] = steps ?? [];
  const base = first === undefined ? null : parseBase(first.trim());
  const filters = rest.map(parseFilter);
  if (!base || !filters.every((filter) => filter !== null)) return null;
  return { base, filters };
}

export function serializeChip({ base, filters }: ChipValue): string {
  const steps = [serializeBase(base), ...filters.map(serializeFilter)];
  return `{{ ${steps.join(" | ")} }}`;
}

/** The source of a chip that prints a field. */
export function createFieldText(
  path: string,
  { divisor, filters }: FieldStyle,
): string {
  const base: ChipBase =
    divisor === undefined
      ? { kind: "path", path, keys: [] }
      : { kind: "formula", text: `${path} / ${divisor}`, parts: null };
  return serializeChip({ base, filters });
}

function serializeBase(base: ChipBase): string {
  if (base.kind === "path") return base.path;
  if (base.kind === "today") return TODAY;
  if (base.kind === "dateAdd")
    return `DATE_ADD(${base.date}, ${base.amount}, "${base.unit}")`;
  if (base.kind === "formula") return base.text;
  const { name, list, field, formula } = base;
  if (field === "") return `${name}(${list})`;
  return `${name}(${list}, ${formula ? field : serializeField(field)})`;
}

export const TODAY = "TODAY()";

/** The date of a base that is a date, and what is added to it. */
export function getDateOffset(
  base: ChipBase,
): { date: string; amount: number; unit: DateUnit } | null {
  if (base.kind === "dateAdd") return base;
  if (base.kind !== "path" && base.kind !== "today") return null;
  const date = base.kind === "path" ? base.path : TODAY;
  return { date, amount: 0, unit: "days" };
}

/** A date with something added to it; only the date for nothing. */
export function createDateBase(
  date: string,
  amount: number,
  unit: DateUnit,
): ChipBase {
  if (amount !== 0) return { kind: "dateAdd", date, amount, unit };
  const keys = keysOf(date);
  return keys ? { kind: "path", path: date, keys } : { kind: "today" };
}

/** A field whose name is a path needs no quotes. */
function serializeField(field: string): string {
  return keysOf(field) ? field : quoted(field);
}

function serializeFilter({ name, args }: ChipFilter): string {
  if (args.length === 0) return name;
  const written = args.map((argument) =>
    typeof argument === "number" ? String(argument) : quoted(argument),
  );
  return `${name}(${written.join(", ")})`;
}

function parseBase(text: string): ChipBase | null {
  const keys = keysOf(text);
  if (keys) return { kind: "path", path: text, keys };
  if (TODAY_CALL.test(text)) return { kind: "today" };
  const call = parseCall(text);
  const date = call?.name === "DATE_ADD" ? parseDateAdd(call.args) : null;
  if (date) return date;
  const name = AGGREGATES.find((aggregate) => aggregate === call?.name);
  const [list = "", field = "", ...rest] = call?.args ?? [];
  const isCount = name === "COUNT" && field === "";
  if (!name || rest.length > 0 || !keysOf(list)) return parseFormula(text);
  const named = parseLiteral(field);
  if (!isCount && !keysOf(field) && !named) {
    const formula = parseArithmetic(field);
    if (!formula) return parseFormula(text);
    return { kind: "aggregate", name, list, field, formula };
  }
  return {
    kind: "aggregate",
    name,
    list,
    field: typeof named === "string" ? named : field,
  };
}

/** Null for arguments that are expressions. */
function parseDateAdd(args: readonly string[]): ChipBase | null {
  const [date = "", second = "", third = "", ...rest] = args;
  const amount = parseLiteral(second);
  const unit = DATE_UNITS.find(
    (candidate) => candidate === parseLiteral(third),
  );
  const isDate = keysOf(date) !== null || TODAY_CALL.test(date);
  if (!isDate || typeof amount !== "number" || !unit || rest.length > 0)
    return null;
  return { kind: "dateAdd", date: keysOf(date) ? date : TODAY, amount, unit };
}

/**
 * The expression on an element that has the same value as a base inside the element's collection; null for a base that
 * reads anything else.
 * @param name of the collection
 */
export function toElementExpression(
  base: ChipBase,
  name: string,
): string | null {
  const parts: readonly FormulaPart[] | null =
    base.kind === "path"
      ? [{ keys: base.keys }]
      : base.kind === "formula"
        ? base.parts
        : null;
  const written = parts?.map((part) => {
    if ("text" in part) return part.text;
    const [first, ...rest] = part.keys;
    return first === name && rest.length > 0
      ? rest.reduce(appendToPath, "")
      : null;
  });
  return written?.every((piece) => piece !== null) ? written.join(" ") : null;
}

/** Null for a formula that ends in an operator. */
function parseFormula(text: string): ChipBase | null {
  if (text === "" || /(?:[-+*/%~=<>]|\b(?:and|or|not|if|else))$/.test(text))
    return null;
  return { kind: "formula", text, parts: parseArithmetic(text) };
}

const FORMULA_PIECE =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<operator>[-+*/%()])|(?<path>[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}\p{M}\p{N}_$]+|\["(?:[^"\\]|\\[^])*"\])*)(?!\s*\())\s*/guy;

/** The pieces of a formula of at least one field and one operator; null for any other expression. */
function parseArithmetic(text: string): FormulaPart[] | null {
  const parts: FormulaPart[] = [];
  let read = 0;
  for (const { 0: piece, groups = {} } of text.matchAll(FORMULA_PIECE)) {
    read += piece.length;
    const { number, operator, path } = groups;
    const keys = path === undefined ? null : keysOf(path);
    if (path !== undefined && !keys) return null;
    parts.push(keys ? { keys } : { text: number ?? operator ?? "" });
  }
  const isOperator = (part: FormulaPart) =>
    "text" in part && /^[-+*/%]$/.test(part.text);
  const isArithmetic =
    parts.some(isOperator) && parts.some((part) => "keys" in part);
  return read === text.length && isArithmetic ? parts : null;
}

function parseFilter(text: string): ChipFilter | null {
  const name = text.trim();
  if (/^[a-z]\w*$/i.test(name)) return { name, args: [] };
  const call = parseCall(name);
  const args = call?.args.map(parseLiteral) ?? [];
  if (!call || !args.every((argument) => argument !== null)) return null;
  return { name: call.name, args };
}

/** `name(one, two)`; null for anything else. */
function parseCall(text: string): { name: string; args: string[] } | null {
  const [, name, inner] = /^([a-z]\w*)\s*\(([^]*)\)$/i.exec(text) ?? [];
  if (name === undefined || inner === undefined) return null;
  if (inner.trim() === "") return { name, args: [] };
  const args = splitOutsideQuotes(inner, ",")?.map((argument) =>
    argument.trim(),
  );
  return args ? { name, args } : null;
}

function parseLiteral(text: string): string | number | null {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!/^(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')$/.test(text)) return null;
  return text
    .slice(1, -1)
    .replace(/\\([^])/g, (_, char: string) =>
      char === "n" ? "\n" : char === "t" ? "\t" : char,
    );
}

/** Splits at the separators outside of quotes and parentheses; null if those are unbalanced. */
function splitOutsideQuotes(
  text: string,
  separator: "|" | ",",
): string[] | null {
  const parts = [""];
  let depth = 0;
  let read = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    read += piece.length;
    if (piece === "(") depth++;
    if (piece === ")") depth--;
    if (depth < 0) return null;
    if (piece === separator && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return depth === 0 && read === text.length ? parts : null;
}

/** Filters that replace each other. A chip keeps filters of no group. */
type FilterGroup = "format" | "letters" | "length" | "fallback" | "markup";

const GROUPS: Readonly<Record<FilterGroup, readonly string[]>> = {
  format: ["number", "currency", "percent", "date", "words", "ordinal"],
  letters: ["upper", "lower", "title"],
  length: ["truncate"],
  markup: ["markdown", "nl2br"],
  fallback: ["default"],
};

export function findFilter(
  { filters }: ChipValue,
  group: FilterGroup,
): ChipFilter | null {
  return filters.find(({ name }) => GROUPS[group].includes(name)) ?? null;
}

/** Replaces or removes the filter of a group. A new filter goes before the fallback, which stays last. */
export function withFilter(
  value: ChipValue,
  group: FilterGroup,
  filter: ChipFilter | null,
): ChipValue {
  const { filters } = value;
  const at = filters.findIndex(({ name }) => GROUPS[group].includes(name));
  const fallback = filters.findIndex(({ name }) => name === "default");
  const isFront = group !== "fallback" && fallback >= 0;
  const place = at >= 0 ? at : isFront ? fallback : filters.length;
  const next = filters.toSpliced(
    place,
    at >= 0 ? 1 : 0,
    ...(filter ? [filter] : []),
  );
  return { ...value, filters: next };
}

/** Empty for a filter without arguments. */
export function getFirstArgument(filter: ChipFilter | null): string {
  const [first] = filter?.args ?? [];
  return first === undefined ? "" : String(first);
}

interface ChipLabel {
  label: string;
  /** Whether the label is the expression itself. */
  isFormula: boolean;
}

const MAX_FORMULA_LENGTH = 24;

/** Read in an effect, it runs again when the collections or the schema change. */
export function getChipLabel(
  editor: Editor,
  owner: string | null,
  source: string,
): ChipLabel {
  const value = parseChip(source);
  const isFormula = value?.base.kind === "formula" && !value.base.parts;
  if (!value || isFormula)
    return { label: shortenFormula(source), isFormula: true };
  const scope = findScope(editor, owner);
  const label = getBaseLabel(editor.scopes.value, scope, value.base);
  return { label, isFormula: false };
}

/** The innermost collection around a component; does not subscribe to the rest of the definition. */
export function findScope(
  editor: Editor,
  owner: string | null,
): RepeatScope | null {
  const { repeats } = editor.scopes.value;
  if (owner === null) return null;
  return findNearestRepeat(editor.tree.peek(), repeats, owner, true);
}

function getBaseLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  base: ChipBase,
): string {
  if (base.kind === "today") return t("rules.today");
  if (base.kind === "dateAdd") return getDateLabel(scopes, scope, base);
  if (base.kind === "path") return getPathLabel(scopes, scope, base.keys);
  if (base.kind === "formula")
    return getFormulaLabel(scopes, scope, base.parts ?? [], []);
  const list = keysOf(base.list) ?? [];
  const name = getPathLabel(scopes, scope, list);
  if (base.field === "")
    return t("text.functionOfName", {
      function: AGGREGATE_LABELS[base.name],
      name,
    });
  const keys = keysOf(base.field) ?? [base.field];
  const field = base.formula
    ? getFormulaLabel(scopes, scope, base.formula, list)
    : getPathLabel(scopes, scope, [...list, ...keys]);
  return t("text.functionOfField", {
    function: AGGREGATE_LABELS[base.name],
    field,
  });
}

/** Such as "Issued on + 14 days". */
function getDateLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  { date, amount, unit }: Extract<ChipBase, { kind: "dateAdd" }>,
): string {
  const keys = keysOf(date);
  const name = keys ? getPathLabel(scopes, scope, keys) : t("rules.today");
  return t(amount < 0 ? "text.dateMinus" : "text.datePlus", {
    date: name,
    time: formatTime(Math.abs(amount), unit)
      .map(({ value }) => value)
      .join(""),
  });
}

/** Such as "14 days", in parts. */
export function formatTime(
  amount: number,
  unit: DateUnit,
): Intl.NumberFormatPart[] {
  const style = {
    style: "unit",
    unit: unit.slice(0, -1),
    unitDisplay: "long",
  } as const;
  return new Intl.NumberFormat(locale, style).formatToParts(amount);
}

const OPERATOR_SIGNS: Readonly<Record<string, string>> = {
  "*": "×",
  "/": "÷",
  "-": "−",
};

/** A formula with the names of its fields: "Quantity × Price". @param from the keys of the list that its paths start at */
function getFormulaLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  parts: readonly FormulaPart[],
  from: readonly string[],
): string {
  return parts
    .map((part) => {
      if ("text" in part) return OPERATOR_SIGNS[part.text] ?? part.text;
      // A field of the list's elements needs no owner.
      const isOfElement = getShapeAt(scopes, scope, [...from, ...part.keys]);
      const at = from.length > 0 && isOfElement ? part.keys.at(-1) : undefined;
      return at === undefined
        ? getShortLabel(scopes, scope, part.keys)
        : getFieldLabel(scopes, scope, [...from, ...part.keys], at);
    })
    .join(" ")
    .replaceAll(/\(\s|\s\)/g, (match) => match.trim());
}

/** The label of the field at the end of a path. */
function getShortLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  keys: readonly string[],
): string {
  return keys.length < 2
    ? getPathLabel(scopes, scope, keys)
    : getFieldLabel(scopes, scope, keys, keys.at(-1) ?? "");
}

const AGGREGATE_LABELS: Readonly<Record<Aggregate, string>> = {
  SUM: t("text.sum"),
  AVG: t("text.average"),
  COUNT: t("text.count"),
  MIN: t("text.smallest"),
  MAX: t("text.largest"),
};

const REPEAT_LABELS: ReadonlyMap<string, string> = new Map([
  ["number", "no."],
  ["index", t("text.numberFrom0")],
  ["first", t("text.isFirst")],
  ["last", t("text.isLast")],
]);

/** The labels along a path: "Customer › Name". */
function getPathLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  keys: readonly string[],
): string {
  const [first = "", ...rest] = keys;
  const owner = scopeNamed(first, scope);
  const isStart = owner !== null || first === "root";
  if (isStart && rest.length === 0)
    return owner ? nameOf(owner) : t("common.record");
  const [variable = ""] = rest;
  const special =
    rest.length === 1 && owner ? REPEAT_LABELS.get(variable) : undefined;
  if (owner && special !== undefined && !getShapeAt(scopes, scope, keys))
    return `${nameOf(owner)} ${special}`;
  const from = isStart ? 1 : 0;
  return keys
    .slice(from)
    .map((key, at) =>
      getFieldLabel(scopes, scope, keys.slice(0, from + at + 1), key),
    )
    .join(" › ");
}

function getFieldLabel(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  keys: readonly string[],
  key: string,
): string {
  return findField(scopes, scope, keys)?.label ?? asWords(key);
}

/** The field that the schema declares at the end of a path. */
function findField(
  scopes: SymbolTable,
  scope: RepeatScope | null,
  keys: readonly string[],
) {
  const around = getShapeAt(scopes, scope, keys.slice(0, -1));
  const fields = around && "of" in around ? around.of?.fields : undefined;
  return fields?.find(({ name }) => name === keys.at(-1));
}

function shortenFormula(source: string): string {
  const text = getExpression(source).replaceAll(/\s+/g, " ");
  if (text.length <= MAX_FORMULA_LENGTH) return text === "" ? "empty" : text;
  return `${text.slice(0, MAX_FORMULA_LENGTH - 1)}…`;
}

/** The kind of a chip's value, from the schema or else from the sample; "any" for a formula with an unknown result. */
export function getChipKind(
  editor: Editor,
  owner: string | null,
  base: ChipBase,
): PathKind | "any" {
  if (base.kind === "formula") return base.parts ? "Number" : "any";
  if (base.kind === "today" || base.kind === "dateAdd") return "Date";
  if (base.kind === "aggregate") return getAggregateKind(editor, owner, base);
  return getPathKind(editor, owner, base.keys);
}

function getAggregateKind(
  editor: Editor,
  owner: string | null,
  { name, list, field }: Extract<ChipBase, { kind: "aggregate" }>,
): PathKind {
  if (name !== "MIN" && name !== "MAX") return "Number";
  const keys = [...(keysOf(list) ?? []), ...(keysOf(field) ?? [field])];
  const kind = getPathKind(editor, owner, keys);
  return kind === "Date" ? "Date" : "Number";
}

function getPathKind(
  editor: Editor,
  owner: string | null,
  keys: readonly string[],
): PathKind {
  const scope = findScope(editor, owner);
  const shape = getShapeAt(editor.scopes.value, scope, keys);
  if (shape && "of" in shape) return shape.kind;
  if (shape && !("target" in shape.field)) return shape.field.type;
  const samples = {
    definition: editor.definition.peek(),
    facts: editor.facts.peek(),
  };
  const value = getSampleAt(samples, scope, keys);
  const [first = value]: unknown[] = Array.isArray(value) ? value : [];
  return kindOf(first);
}
