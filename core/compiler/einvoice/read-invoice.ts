import type { Decimal } from "decimal.js";
import {
  compileRepeat,
  compileValue,
  describeValue,
  type Evaluator,
  ExactDecimal,
  findFirstPath,
  formatIso,
  fromDayNumber,
  isEmpty,
  isUsable,
  parseExpression,
  repeatTypes,
  type Scope,
  type ScopeTypes,
  toDateValue,
  toDayNumber,
  toNumeric,
  toText,
  withoutControls,
  writeStep,
} from "../../definition/expressions/index.js";
import {
  type EinvoiceMap,
  listEntries,
  parseEach,
} from "../../definition/schema/einvoice-schema.js";
import {
  type DocumentTerm,
  EINVOICE_LEVELS,
  EINVOICE_MODEL,
  type EinvoiceLevel,
  type EinvoiceTerm,
  type EinvoiceTermKind,
  type LineTerm,
} from "../../definition/schema/einvoice-terms.js";
import type { Problem } from "../../plugin-api/index.js";
import type { EinvoiceProblem } from "../program.js";
import { toCountryCode, toUnitCode } from "./code-names.js";
import { isIban } from "./iban.js";

/** Where a term comes from, for problems. */
export interface TermSource {
  /** The JSON path of the field in the data, or of the term in the definition when no field provides it. */
  path: string;
  /** The field, such as `customer.country`; null when no field provides it. */
  field: string | null;
  isMapped: boolean;
  /** Its place in the map. */
  term: string;
}

interface TermValue {
  /** A date as YYYY-MM-DD. */
  text: string;
  /** Null for texts, codes and dates. */
  number: Decimal | null;
}

type GroupTerms = Readonly<Record<string, string>>;

/** The terms of an invoice, of a line or of another group. Empty values are left out. */
export class Entry<
  Term extends string = string,
  Groups extends GroupTerms = GroupTerms,
> {
  constructor(
    private readonly values: Map<string, TermValue>,
    private readonly lists: Readonly<Record<string, readonly Entry[]>>,
    private readonly findSource: (term: string) => TermSource,
    private readonly unreadable: ReadonlySet<string>,
  ) {}

  setDefault(term: Term, text: string): void {
    if (!this.values.has(term)) this.values.set(term, { text, number: null });
  }

  has(term: Term): boolean {
    return this.values.has(term);
  }

  /** Empty without a value. */
  text(term: Term): string {
    return this.values.get(term)?.text ?? "";
  }

  /** Whether the record has a value that is not of the term's kind. */
  isUnreadable(term: Term): boolean {
    return this.unreadable.has(term);
  }

  number(term: Term): Decimal | null {
    return this.values.get(term)?.number ?? null;
  }

  list<Group extends keyof Groups & string>(
    group: Group,
  ): readonly Entry<Groups[Group]>[] {
    return this.lists[group] ?? [];
  }

  /** Whether the group has no value. */
  get isEmpty(): boolean {
    return this.values.size === 0 && this.unreadable.size === 0;
  }

  source(term: Term): TermSource {
    return this.findSource(term);
  }
}

type TermsOf<Groups> = {
  [Group in keyof Groups]: Groups[Group] extends { terms: infer Terms }
    ? keyof Terms & string
    : never;
};

export type Line = Entry<LineTerm, TermsOf<typeof EINVOICE_MODEL.lines.groups>>;

export type AllowanceTerm =
  keyof typeof EINVOICE_MODEL.groups.documentAllowances.terms;

/** An invoice as the data has it, before anything is calculated. */
export interface Invoice {
  document: Entry<DocumentTerm, TermsOf<typeof EINVOICE_MODEL.groups>>;
  lines: readonly Line[];
}

export type ReadInvoice = (root: Scope) => {
  invoice: Invoice;
  problems: EinvoiceProblem[];
};

/** JSON paths in the data, by the names that expressions use. */
type DataPaths = ReadonlyMap<string, string>;

type ReadEntries = (
  scope: Scope,
  paths: DataPaths,
  problems: EinvoiceProblem[],
) => Entry[];

/** The most lines of an e-invoice. */
const MAX_LINES = 20_000;

/**
 * Compiles the terms that documents of the level contain.
 * @param currency of invoices that name none
 * @throws PlatenError `invalid_definition`
 */
export function compileReader(
  map: EinvoiceMap,
  level: EinvoiceLevel,
  types: ScopeTypes,
  currency: string,
): ReadInvoice {
  const { lines: lineMap, ...documentMap } = map;
  const where = "$.einvoice.map";
  const model = { terms: EINVOICE_MODEL.terms, groups: EINVOICE_MODEL.groups };
  const readDocument = compileEntry(documentMap, model, where, level, types);
  const readLines = compileGroup(
    lineMap,
    EINVOICE_MODEL.lines,
    `${where}.lines`,
    level,
    types,
  );
  return (root) => {
    const problems: EinvoiceProblem[] = [];
    const paths: DataPaths = new Map([["root", "$.data"]]);
    const document = readDocument(root, paths, problems);
    document.setDefault("currencyCode", currency);
    const lines = readLines(root, paths, problems);
    if (lines.length > MAX_LINES)
      problems.push({
        path: `${where}.lines`,
        term: "lines",
        code: "too_many_lines",
        message: `The invoice has ${lines.length} lines, and an e-invoice at most ${MAX_LINES}.`,
        hint: "Divide it into several invoices.",
      });
    return { invoice: { document, lines }, problems };
  };
}

interface EntryModel {
  terms: Readonly<Record<string, EinvoiceTerm>>;
  groups?: Readonly<Record<string, EntryModel>>;
}

function compileGroup(
  group: object | undefined,
  model: EntryModel,
  where: string,
  level: EinvoiceLevel,
  types: ScopeTypes,
): ReadEntries {
  const isWritten = Object.values(model.terms).some(({ from }) =>
    isIncluded(from, level),
  );
  const entries = isWritten ? listEntries<object>(group, where) : [];
  const readers = entries.map(({ entry, path }) =>
    compileEntries(entry, model, path, level, types),
  );
  return (scope, paths, problems) =>
    readers.flatMap((read) => read(scope, paths, problems));
}

/** One entry, or with `each` one for every element. Entries without a value are left out, except for lines. */
function compileEntries(
  written: object,
  model: EntryModel,
  where: string,
  level: EinvoiceLevel,
  types: ScopeTypes,
): ReadEntries {
  const { each, ...terms } = { each: undefined, ...written };
  if (typeof each !== "string") {
    const read = compileEntry(terms, model, where, level, types);
    return (scope, paths, problems) => {
      const entry = read(scope, paths, problems);
      return entry.isEmpty ? [] : [entry];
    };
  }
  const repeat = parseEach(each);
  const scopes = compileRepeat(repeat, `${where}.each`, types);
  const inside = repeatTypes(repeat, types);
  const read = compileEntry(terms, model, where, level, inside);
  const list = findFirstPath(parseExpression(repeat.path))?.keys ?? [];
  return (scope, paths, problems) => {
    const listPath = findDataPath(list, paths);
    const entries = scopes(scope).map((element) => {
      const ownPaths = new Map(paths);
      if (listPath === null) ownPaths.delete(repeat.collectionId);
      else ownPaths.set(repeat.collectionId, `${listPath}[${element.index}]`);
      return read(element, ownPaths, problems);
    });
    return model === EINVOICE_MODEL.lines
      ? entries
      : entries.filter((entry) => !entry.isEmpty);
  };
}

function findDataPath(
  keys: readonly string[],
  paths: DataPaths,
): string | null {
  const [first = "", ...rest] = keys;
  const start = paths.get(first);
  return start === undefined ? null : start + rest.map(writeStep).join("");
}

function compileEntry(
  written: Readonly<Record<string, unknown>>,
  model: EntryModel,
  where: string,
  level: EinvoiceLevel,
  types: ScopeTypes,
): (scope: Scope, paths: DataPaths, problems: EinvoiceProblem[]) => Entry {
  const sources = new Map<string, readonly string[]>();
  const terms: { name: string; kind: EinvoiceTermKind; read: Evaluator }[] = [];
  const groups: { name: string; read: ReadEntries }[] = [];
  for (const [name, value] of Object.entries(written)) {
    const term = model.terms[name];
    const group = model.groups?.[name];
    const path = `${where}.${name}`;
    if (group && typeof value === "object" && value !== null)
      groups.push({
        name,
        read: compileGroup(value, group, path, level, types),
      });
    if (!term || typeof value !== "string" || !isIncluded(term.from, level))
      continue;
    const first = findFirstPath(parseExpression(value));
    sources.set(name, first?.keys ?? []);
    const read = compileValue(value, path, types);
    terms.push({ name, kind: term.kind, read });
  }
  return (scope, paths, problems) => {
    const findSource = (term: string): TermSource => {
      const keys = sources.get(term);
      const path = keys && findDataPath(keys, paths);
      return {
        path: path ?? `${where}.${term}`,
        field: path ? path.slice("$.data.".length) : null,
        isMapped: keys !== undefined,
        term: `${where}.${term}`.slice("$.einvoice.map.".length),
      };
    };
    const values = new Map<string, TermValue>();
    const unreadable = new Set<string>();
    for (const { name, kind, read } of terms) {
      const raw = read(scope);
      if (isEmpty(raw)) continue;
      const value = toTermValue(name, kind, raw, scope.context.timeZone);
      if ("problem" in value) {
        unreadable.add(name);
        problems.push({ ...locate(findSource(name)), ...value.problem });
      } else if (value.text !== "") values.set(name, value);
    }
    const lists = groups.map(
      ({ name, read }) => [name, read(scope, paths, problems)] as const,
    );
    return new Entry(values, Object.fromEntries(lists), findSource, unreadable);
  };
}

/** Where a problem of the term is. */
export function locate({
  path,
  term,
}: TermSource): Pick<EinvoiceProblem, "path" | "term"> {
  return { path, term };
}

/** Whether documents of the level contain what exists from `from` on. */
export function isIncluded(from: EinvoiceLevel, level: EinvoiceLevel): boolean {
  return EINVOICE_LEVELS.indexOf(from) <= EINVOICE_LEVELS.indexOf(level);
}

type TermProblem = { problem: Omit<Problem, "path"> };

function toTermValue(
  name: string,
  kind: EinvoiceTermKind,
  value: unknown,
  timeZone: string,
): TermValue | TermProblem {
  if (kind === "text" || kind === "code")
    return { text: normalizeText(name, kind, toText(value)), number: null };
  if (kind === "date") {
    const date = isUsable(value, "date", timeZone)
      ? toDateValue(value, timeZone)
      : null;
    if (date === null)
      return wrongType(value, "invalid_date", "a date", "2026-12-31");
    const day = fromDayNumber(toDayNumber(date, timeZone));
    return { text: formatIso(day), number: null };
  }
  const numeric = toNumeric(value);
  if (numeric === null)
    return wrongType(
      value,
      "wrong_type",
      "a number",
      kind === "percent" ? "19 for 19 %" : "1234.5",
    );
  const number = new ExactDecimal(numeric);
  const isMoney = kind === "amount" || kind === "check";
  const rounded = number.toDecimalPlaces(isMoney ? 2 : 8);
  if (isMoney && number.minus(rounded).abs().greaterThan(BINARY_NOISE))
    return {
      problem: {
        code: "BR-DEC",
        message: `The amount ${number.toFixed()} has more than two decimals (BR-DEC).`,
        hint: "Round it.",
      },
    };
  return { text: rounded.toFixed(), number: rounded };
}

/** Sums of binary numbers differ so little from the decimal ones: 0.1 + 0.2. */
const BINARY_NOISE = 0.000001;

function wrongType(
  value: unknown,
  code: string,
  expected: string,
  example: string,
): TermProblem {
  return {
    problem: {
      code,
      message: `Expected ${expected}, but found ${describeValue(value)}.`,
      hint: `Write ${expected} such as ${example}.`,
    },
  };
}

const WITHOUT_SPACES =
  /(?:VatIdentifier|AccountIdentifier|ServiceProviderIdentifier)$/;

/** Characters that XML does not allow, beside those that `withoutControls` removes. */
const NOT_IN_XML = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** A card number is printed as **** **** **** 1234. */
const MASKED_DIGITS = /[\s*•·xX.…-]+/g;

/** Identifiers are printed with spaces, and countries and units written as words. */
function normalizeText(
  name: string,
  kind: EinvoiceTermKind,
  raw: string,
): string {
  const text = withoutControls(raw.replaceAll(NOT_IN_XML, "")).trim();
  if (/Country(?:Code|OfOrigin)$/.test(name)) return toCountryCode(text);
  if (name === "unitOfMeasureCode") return toUnitCode(text);
  if (name === "paymentCardPrimaryAccountNumber")
    return text.replaceAll(MASKED_DIGITS, "");
  if (kind !== "code" && !WITHOUT_SPACES.test(name)) return text;
  const compact = text.replaceAll(/\s+/g, "");
  const upper = compact.toUpperCase();
  const isUpperCase =
    kind === "code" || name.endsWith("VatIdentifier") || isIban(upper);
  return isUpperCase ? upper : compact;
}
