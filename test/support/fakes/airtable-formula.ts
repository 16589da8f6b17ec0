import type { FakeRecord, FakeTable } from "./fake-airtable.js";

type Value = string | number | boolean | null;
type Evaluate = (record: FakeRecord) => Value;

const tokens =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\{([^{}]+)\}|([A-Z_]+)\(|(!=|>=|<=|[=<>&,)]))/y;

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

/** The formulas by which records are filtered. @throws Error for any other one. */
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
      throw new Error("unexpected text");
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
      const { id } = this.table.field(field);
      return ({ cells }) => toValue(cells.get(id));
    }
    if (called === undefined) throw new Error("unexpected operator");
    const values: Evaluate[] = [];
    while (this.#peek() !== ")") {
      values.push(this.parseComparison());
      if (this.#peek() === ",") this.#next();
    }
    this.#next();
    if (called === "RECORD_ID") return ({ id }) => id;
    const call = functions[called];
    if (!call) throw new Error(`unknown function ${called}`);
    return (record) => call(...values.map((value) => value(record)));
  }

  /** The operator that follows; "" for anything else. */
  #peek(): string {
    tokens.lastIndex = this.#at;
    return tokens.exec(this.formula)?.[5] ?? "";
  }

  #next(): RegExpExecArray {
    tokens.lastIndex = this.#at;
    const found = tokens.exec(this.formula);
    if (!found) throw new Error("unexpected text");
    this.#at = tokens.lastIndex;
    return found;
  }
}
