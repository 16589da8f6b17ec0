import type { ExpressionFunction } from "../views.js";
import {
  AGGREGATE_USAGES,
  FILTER_USAGES,
  FUNCTION_USAGES,
} from "../../definition/expressions/index.js";

// Descriptions of functions and filters for users. A test evaluates each example with a record whose `lines` have the
// amounts 20 and 30, on July 31, 2026.

type Description = readonly [
  description: string,
  example: string,
  result: string,
];

const FUNCTIONS: Readonly<Record<string, Description>> = {
  SUM: ["Adds up a field of a list", "SUM(root.lines, amount)", "50"],
  AVG: ["The average of a field of a list", "AVG(root.lines, amount)", "25"],
  MIN: ["The least value in a list", "MIN(root.lines, amount)", "20"],
  MAX: ["The greatest value in a list", "MAX(root.lines, amount)", "30"],
  COUNT: ["How many elements a list has", "COUNT(root.lines)", "2"],
  ROUND: ["Rounds to so many decimals", "ROUND(2.345, 2)", "2.35"],
  CEIL: ["Rounds up", "CEIL(2.1)", "3"],
  FLOOR: ["Rounds down", "FLOOR(2.9)", "2"],
  ABS: ["Drops the minus sign", "ABS(-4)", "4"],
  LEN: ["How many characters a text has", 'LEN("Platen")', "6"],
  CONCAT: ["Joins values into one text", 'CONCAT("No. ", 7)', "No. 7"],
  JOIN: [
    "Joins a list, with something between its elements",
    'JOIN(root.lines.amount, " + ")',
    "20 + 30",
  ],
  COALESCE: [
    "The first value that is not empty",
    'COALESCE("", "none")',
    "none",
  ],
  TODAY: ["The day on which the document is made", "TODAY()", "2026-07-31"],
  NOW: [
    "The moment at which the document is made",
    'NOW() | date("yyyy")',
    "2026",
  ],
  DATE_ADD: [
    "A date so much later",
    'DATE_ADD("2026-07-31", 14, "days")',
    "2026-08-14",
  ],
  sequence: [
    "The next number, without gaps; zeros in a test",
    'sequence("invoices", "RE-{yyyy}-{0000}")',
    "RE-2026-0000",
  ],
  DATE_DIFF: [
    "How far two dates are apart",
    'DATE_DIFF("2026-08-14", "2026-07-31", "days")',
    "14",
  ],
};

const FILTERS: Readonly<Record<string, Description>> = {
  number: ["As a number", '1234.5 | number("0,0.00")', "1,234.50"],
  percent: ["As a percentage", "0.19 | percent(1)", "19.0%"],
  currency: ["As an amount of money", '1234.5 | currency("USD")', "$1,234.50"],
  date: ["As a date", '"2026-07-31" | date("long")', "July 31, 2026"],
  upper: ["In capitals", '"anna" | upper', "ANNA"],
  lower: ["In small letters", '"ANNA" | lower', "anna"],
  title: ["Each word with a capital", '"new york" | title', "New York"],
  truncate: [
    "Cut to so many characters",
    '"A long text" | truncate(6)',
    "A long…",
  ],
  default: ["What to print instead of nothing", '"" | default("-")', "-"],
  mask: [
    "Its characters in a pattern",
    '"12345678" | mask("####-####")',
    "1234-5678",
  ],
  replace: [
    "With a part replaced everywhere",
    '"12/26" | replace("/", "-")',
    "12-26",
  ],
  split: [
    "The list of its parts",
    'JOIN("red, blue" | split(", "), " + ")',
    "red + blue",
  ],
  slice: [
    "So many characters or elements, from a place on",
    '"AB-1234" | slice(0, 2)',
    "AB",
  ],
  contains: [
    "Whether a part or an element is in it",
    '"red, blue" | contains("red")',
    "true",
  ],
  startsWith: [
    "Whether it starts with a part",
    '"AB-1234" | startsWith("AB")',
    "true",
  ],
  markdown: ["With Markdown formatting", '"**bold**" | markdown', "bold"],
  nl2br: ["With its line breaks", '"one line" | nl2br', "one line"],
  words: ["A number in words", '21 | words("en-US")', "twenty-one"],
  ordinal: ["A place in an order", '2 | ordinal("en-US")', "2nd"],
};

/** All functions and filters, each with a description and an example. */
export function expressionWords(): {
  functions: ExpressionFunction[];
  filters: ExpressionFunction[];
} {
  return {
    functions: [...AGGREGATE_USAGES, ...FUNCTION_USAGES].flatMap(
      wordFrom(FUNCTIONS),
    ),
    filters: FILTER_USAGES.flatMap(wordFrom(FILTERS)),
  };
}

function wordFrom(descriptions: Readonly<Record<string, Description>>) {
  return (usage: string): ExpressionFunction[] => {
    const [name = ""] = /^\w+/.exec(usage) ?? [];
    const [description, example, result] = descriptions[name] ?? [];
    return description === undefined || !example || result === undefined
      ? []
      : [{ name, usage, description, example, result }];
  };
}
