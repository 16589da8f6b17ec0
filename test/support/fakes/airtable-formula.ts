import type { FakeRecord, FakeTable } from "./fake-airtable.js";

// Formulas as `filterByFormula` takes them. Refused, each with INVALID_FILTER_BY_FORMULA:
// - a field by its id, or by a name that the table does not have: "Unknown field names: fldcxsg01lijsin4p"
//   (github.com/gtalarico/pyairtable/issues/158, github.com/Airtable/airtable.js/issues/321, and the answer of Airtable's
//   support in github.com/bluedotimpact/bluedot/issues/820)
// - a name with `}` that is not written `\}`, and a name with more than one, written in whatever way; `{` is not escaped
//   (`field_name` in pyairtable's formulas.py and its tests, github.com/gtalarico/pyairtable/pull/371)
// - a string with its quote in it that is not written `\"` or `\'` (github.com/TappNetwork/laravel-airtable/issues/82)
// - functions, operators and punctuation that Airtable does not have, or that Platen does not use: "Invalid formula. Please
//   check your formula text." (the same issue)

const invalidFormula = "Invalid formula. Please check your formula text.";

type Value = string | number | boolean | null;
type Evaluate = (record: FakeRecord) => Value;

const tokens =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\{((?:\\\}|[^}])+)\}|([A-Z_]+)\(|(!=|>=|<=|[=<>&,)]))/y;

const functions: Record<string, (...values: Value[]) => Value> = {
  AND: (...values) => values.every(Boolean),
  OR: (...values) => values.some(Boolean),
  NOT: (value = null) => !value,
  TRUE: () => true,
  BLANK: () => null,
  LOWER: (value = null) => toText(value).toLowerCase(),
  SEARCH: (wanted = null, text = null) =>
    toText(text).indexOf(toText(wanted)) + 1,
  IS_SAME: (one = null, other = null) =>
    one !== null && toText(one).slice(0, 10) === toText(other).slice(0, 10),
  IS_BEFORE: (one = null, other = null) => toTime(one) < toTime(other),
  IS_AFTER: (one = null, other = null) => toTime(one) > toTime(other),
};

const comparisons: Record<string, (one: Value, other: Value) => boolean> = {
  // Airtable takes 0 for blank.
  "=": (one, other) => (one ?? 0) === (other ?? 0) || one === other,
  "!=": (one, other) => (one ?? 0) !== (other ?? 0),
  ">=": (one, other) => Number(one) >= Number(other),
  "<=": (one, other) => Number(one) <= Number(other),
  ">": (one, other) => Number(one) > Number(other),
  "<": (one, other) => Number(one) < Number(other),
};

function toText(value: Value): string {
  return value === null || value === false ? "" : String(value);
}

function toTime(value: Value): number {
  return value === null ? Number.NaN : new Date(toText(value)).getTime();
}

function toValue(cell: unknown): Value {
  if (typeof cell === "number" || typeof cell === "boolean") return cell;
  if (typeof cell === "string") return cell === "" ? null : cell;
  return Array.isArray(cell) && cell.length > 0 ? JSON.stringify(cell) : null;
}

/** Parses a formula by which records are filtered. @throws Error with Airtable's reason. */
export function parseFormula(
  table: FakeTable,
  formula: string,
): (record: FakeRecord) => boolean {
  const parser = new FormulaParser(table, formula);
  const evaluate = parser.parseComparison();
  parser.assertEnd();
  return (record) => Boolean(evaluate(record));
}

class FormulaParser {
  #at = 0;

  constructor(
    private readonly table: FakeTable,
    private readonly formula: string,
  ) {}

  assertEnd(): void {
    if (this.formula.slice(this.#at).trim() !== "")
      throw new Error(invalidFormula);
  }

  parseComparison(): Evaluate {
    const one = this.#parseText();
    const operator = this.#peek();
    const compare = comparisons[operator];
    if (!compare) return one;
    this.#next();
    const other = this.#parseText();
    return (record) => compare(one(record), other(record));
  }

  #parseText(): Evaluate {
    let left = this.#parseOperand();
    while (this.#peek() === "&") {
      this.#next();
      const [one, other] = [left, this.#parseOperand()];
      left = (record) => toText(one(record)) + toText(other(record));
    }
    return left;
  }

  #parseOperand(): Evaluate {
    const [, number, text, field, called] = this.#next();
    if (number !== undefined) return () => Number(number);
    if (text !== undefined) {
      const value = text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
      return () => value;
    }
    if (field !== undefined) {
      const id = this.#findField(field);
      return ({ cells }) => toValue(cells.get(id));
    }
    if (called === undefined) throw new Error(invalidFormula);
    const values = this.#parseArguments();
    if (called === "RECORD_ID") return ({ id }) => id;
    const call = functions[called];
    if (!call) throw new Error(invalidFormula);
    return (record) => call(...values.map((value) => value(record)));
  }

  #parseArguments(): Evaluate[] {
    const values: Evaluate[] = [];
    while (this.#peek() !== ")") {
      if (values.length > 0 && this.#next()[5] !== ",")
        throw new Error(invalidFormula);
      values.push(this.parseComparison());
    }
    this.#next();
    return values;
  }

  #findField(reference: string): string {
    const parts = reference.split("\\}");
    if (parts.length > 2) throw new Error(invalidFormula);
    const name = parts.join("}");
    const field = this.table.fields.find((one) => one.name === name);
    if (field) return field.id;
    throw new Error(`Unknown field names: ${name.toLowerCase()}`);
  }

  /** The operator that follows; "" for anything else. */
  #peek(): string {
    tokens.lastIndex = this.#at;
    return tokens.exec(this.formula)?.[5] ?? "";
  }

  #next(): RegExpExecArray {
    tokens.lastIndex = this.#at;
    const found = tokens.exec(this.formula);
    if (!found) throw new Error(invalidFormula);
    this.#at = tokens.lastIndex;
    return found;
  }
}
