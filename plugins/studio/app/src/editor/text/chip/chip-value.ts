import { keysOf, quoted } from "../../scope/path-text.js";
import { expressionOf } from "../model/template-parts.js";

const AGGREGATES = ["SUM", "AVG", "COUNT", "MIN", "MAX"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** What a chip shows before it is formatted. */
export type ChipBase =
  | { kind: "path"; path: string; keys: readonly string[] }
  /** `field` is empty for a count. */
  | { kind: "aggregate"; name: Aggregate; list: string; field: string }
  | { kind: "today" };

export interface ChipFilter {
  name: string;
  args: readonly (string | number)[];
}

/** An expression that can be set without being written: a value, then filters. */
export interface ChipValue {
  base: ChipBase;
  filters: readonly ChipFilter[];
}

const PIECES = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[|,()]|[^"'|,()]+/gy;

/** What a chip's source means; null for an expression that is more than a value with filters. */
export function readChip(source: string): ChipValue | null {
  const steps = splitAt(expressionOf(source), "|");
  const [first, ...rest] = steps ?? [];
  const base = first === undefined ? null : readBase(first.trim());
  const filters = rest.map(readFilter);
  if (!base || !filters.every((one) => one !== null)) return null;
  return { base, filters };
}

export function writeChip({ base, filters }: ChipValue): string {
  const steps = [writeBase(base), ...filters.map(writeFilter)];
  return `{{ ${steps.join(" | ")} }}`;
}

function writeBase(base: ChipBase): string {
  if (base.kind === "path") return base.path;
  if (base.kind === "today") return "TODAY()";
  const { name, list, field } = base;
  return `${name}(${field === "" ? list : `${list}, ${fieldArgument(field)}`})`;
}

/** A field of an element is named bare where it is a path. */
function fieldArgument(field: string): string {
  return keysOf(field) ? field : quoted(field);
}

function writeFilter({ name, args }: ChipFilter): string {
  if (args.length === 0) return name;
  const written = args.map((one) =>
    typeof one === "number" ? String(one) : quoted(one),
  );
  return `${name}(${written.join(", ")})`;
}

function readBase(text: string): ChipBase | null {
  const keys = keysOf(text);
  if (keys) return { kind: "path", path: text, keys };
  if (/^TODAY\(\s*\)$/.test(text)) return { kind: "today" };
  const call = callOf(text);
  const name = AGGREGATES.find((one) => one === call?.name);
  const [list = "", field = "", ...rest] = call?.args ?? [];
  const isCount = name === "COUNT" && field === "";
  if (!name || rest.length > 0 || !keysOf(list)) return null;
  if (!isCount && !keysOf(field) && !literalOf(field)) return null;
  const named = literalOf(field);
  return {
    kind: "aggregate",
    name,
    list,
    field: typeof named === "string" ? named : field,
  };
}

function readFilter(text: string): ChipFilter | null {
  const name = text.trim();
  if (/^[a-z]\w*$/i.test(name)) return { name, args: [] };
  const call = callOf(name);
  const args = call?.args.map(literalOf) ?? [];
  if (!call || !args.every((one) => one !== null)) return null;
  return { name: call.name, args };
}

/** `name(one, two)`; null for anything else. */
function callOf(text: string): { name: string; args: string[] } | null {
  const [, name, inner] = /^([a-z]\w*)\s*\(([^]*)\)$/i.exec(text) ?? [];
  if (name === undefined || inner === undefined) return null;
  if (inner.trim() === "") return { name, args: [] };
  const args = splitAt(inner, ",")?.map((one) => one.trim());
  return args ? { name, args } : null;
}

function literalOf(text: string): string | number | null {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!/^(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')$/.test(text)) return null;
  return text
    .slice(1, -1)
    .replace(/\\([^])/g, (_, char: string) =>
      char === "n" ? "\n" : char === "t" ? "\t" : char,
    );
}

/** The text between the separators that stand outside of quotes and parentheses; null where those do not match. */
function splitAt(text: string, separator: "|" | ","): string[] | null {
  const found = [""];
  let depth = 0;
  let read = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    read += piece.length;
    if (piece === "(") depth++;
    if (piece === ")") depth--;
    if (depth < 0) return null;
    if (piece === separator && depth === 0) found.push("");
    else found.push((found.pop() ?? "") + piece);
  }
  return depth === 0 && read === text.length ? found : null;
}
