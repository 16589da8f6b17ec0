import type { RepeatRules } from "../expressions/index.js";
import type { ValueType } from "../schema/data-schema.js";
import { FLAG_DIRECTIVES } from "./vocabulary.js";

// The attributes that repeat, show and hide elements of markup. They mean the same as `collection` and `condition` of
// components.

/** An expression without braces, and where it begins in the source. */
export interface Expression {
  source: string;
  start: number;
}

/** What `data-each` and its companions say, and where each part begins. */
export interface MarkupRepeat {
  rules: RepeatRules;
  /** The offsets of the parts, by their paths in `rules`: `.path`, `.sort[0].field`. */
  starts: Readonly<Record<string, number>>;
}

interface Written {
  value: string;
  /** Of the value. */
  start: number;
  /** Of the attribute. */
  at: number;
}

interface DirectiveProblem {
  at: number;
  message: string;
  hint: string;
}

interface ReadDirectives {
  each?: MarkupRepeat;
  test?: Expression;
  keepsTogether: boolean;
  pageNumber?: "page" | "pages";
  problems: DirectiveProblem[];
}

/** Those that only make sense with `data-each`. */
const COMPANIONS = [
  "data-entries",
  "data-filter",
  "data-sort",
  "data-group-by",
  "data-offset",
  "data-limit",
];

/** Of attributes in Vue, Angular, Alpine, Thymeleaf and Genshi. */
const FRAMEWORKS = ["v-", "ng-", "*ng", "x-", "th:", "py:"];

/** Directives of other template languages, and what to write. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    'data-if="root.paid"': "if show",
    "data-else": "else",
    'data-else-if="root.paid"': "else-if",
    'data-each="line in root.lines"': "for each repeat",
  }).flatMap(([meant, names]) =>
    FRAMEWORKS.flatMap((prefix) =>
      names.split(" ").map((name): [string, string] => [prefix + name, meant]),
    ),
  ),
  ...Object.entries({
    'data-if="not root.paid"': "unless if-not",
    'data-else-if="root.paid"': "elsif elseif elif",
    'data-each="line in root.lines"': "for foreach for-each",
    'data-entries beside data-each="entry in root.prices"': "keys entry",
    'data-filter="amount > 0"': "where filter-by",
    'data-sort="amount desc, name"':
      "sort-by sortby sorted order-by orderby reverse reversed",
  }).flatMap(([meant, names]) =>
    names.split(" ").map((name): [string, string] => [`data-${name}`, meant]),
  ),
]);

/** A hint for an attribute that is a directive elsewhere; null for any other. */
export function suggestDirective(name: string): string | null {
  const meant = MEANT.get(name);
  return meant === undefined ? null : `Write ${meant}.`;
}

export function readDirectives(
  written: ReadonlyMap<string, Written>,
): ReadDirectives {
  const problems: DirectiveProblem[] = [];
  const read: ReadDirectives = {
    keepsTogether: written.has("data-keep-together"),
    problems,
  };
  for (const name of FLAG_DIRECTIVES) {
    const flag = written.get(name);
    if (flag && flag.value.trim() !== "")
      problems.push({
        at: flag.at,
        message: `${name} takes no value.`,
        hint:
          name === "data-else"
            ? `Write data-else-if="${flag.value}" for a second condition.`
            : `Write ${name} alone.`,
      });
  }
  const tests = ["data-if", "data-else-if"].flatMap(
    (name) => written.get(name) ?? [],
  );
  const [test, second] = tests;
  const branch = written.get("data-else") ?? written.get("data-empty");
  if (second ?? (branch && test))
    problems.push({
      at: (second ?? test)?.at ?? 0,
      message:
        "An element can only have one of data-if, data-else-if, data-else and data-empty.",
      hint: "Wrap it in a <template> that has the other.",
    });
  if (test) {
    if (test.value.trim() === "")
      problems.push({
        at: test.at,
        message: "The condition is missing.",
        hint: 'Write an expression, such as data-if="root.total > 100".',
      });
    else read.test = { source: test.value, start: test.start };
  }
  if (written.has("data-page-number")) read.pageNumber = "page";
  if (written.has("data-page-count")) read.pageNumber = "pages";
  const each = written.get("data-each");
  if (each) {
    const repeat = readRepeat(each, written, problems);
    if (repeat) read.each = repeat;
  } else
    for (const name of COMPANIONS) {
      const companion = written.get(name);
      if (companion)
        problems.push({
          at: companion.at,
          message: `${name} needs data-each on the same element.`,
          hint: 'Add it, such as data-each="line in root.lines".',
        });
    }
  return read;
}

function readRepeat(
  { value, start, at }: Written,
  written: ReadonlyMap<string, Written>,
  problems: DirectiveProblem[],
): MarkupRepeat | null {
  const match = /^(\s*)(\S+)(\s+in\s+)([^]+)$/.exec(value);
  if (!match) {
    problems.push({
      at,
      message: `data-each="${value}" does not say what is repeated.`,
      hint: 'Write a name and a path: data-each="line in root.lines".',
    });
    return null;
  }
  const [, space = "", collectionId = "", between = "", path = ""] = match;
  const rules: RepeatRules = { collectionId, path };
  const idStart = start + space.length;
  const starts: Record<string, number> = {
    ".collectionId": idStart,
    ".path": idStart + collectionId.length + between.length,
  };
  if (written.has("data-entries")) rules.entries = true;
  const filter = written.get("data-filter");
  if (filter?.value.trim()) {
    rules.filter = filter.value;
    starts[".filter"] = filter.start;
  } else if (filter)
    problems.push({
      at: filter.at,
      message: "The filter is missing.",
      hint: 'Write an expression, such as data-filter="amount > 0".',
    });
  const sort = written.get("data-sort");
  if (sort) rules.sort = readSort(sort, starts, problems);
  const group = written.get("data-group-by");
  if (group) {
    const [key, ...more] = splitList(group);
    const read = key && readKey(key);
    if (!read || more.length > 0)
      problems.push({
        at: group.at,
        message: "data-group-by takes one field.",
        hint: 'Write it, such as data-group-by="category" or data-group-by="category desc".',
      });
    else {
      const { field, direction, type } = read;
      rules.groupBy = {
        field,
        ...(direction && { direction }),
        ...type,
      };
      starts[".groupBy.field"] = key.start;
    }
  }
  for (const name of ["offset", "limit"] as const) {
    const count = written.get(`data-${name}`);
    if (!count) continue;
    if (/^\s*\d{1,9}\s*$/.test(count.value)) rules[name] = Number(count.value);
    else
      problems.push({
        at: count.at,
        message: `data-${name}="${count.value}" is not a whole number.`,
        hint: `Write digits, such as data-${name}="10".`,
      });
  }
  return { rules, starts };
}

function readSort(
  sort: Written,
  starts: Record<string, number>,
  problems: DirectiveProblem[],
): NonNullable<RepeatRules["sort"]> {
  return splitList(sort).flatMap((part, index) => {
    const read = readKey(part);
    if (!read) {
      problems.push({
        at: sort.at,
        message: "data-sort has an empty field.",
        hint: 'Write fields with commas between them: data-sort="amount desc, name".',
      });
      return [];
    }
    starts[`.sort[${index}].field`] = part.start;
    const { field, direction = "ASC", type } = read;
    return [{ field, direction, ...type }];
  });
}

interface Part {
  text: string;
  start: number;
}

/** Splits at commas that are not in brackets or quotes. */
function splitList({ value, start }: Written): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: token, index } of value.matchAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|,|$/g,
  )) {
    if (token !== "," && token !== "") continue;
    const text = value.slice(from, index);
    const space = text.length - text.trimStart().length;
    parts.push({ text: text.trim(), start: start + from + space });
    from = index + 1;
  }
  return parts;
}

const TYPES: Readonly<Record<string, { type: ValueType; natural?: true }>> = {
  number: { type: "Number" },
  text: { type: "String" },
  natural: { type: "String", natural: true },
  date: { type: "Date" },
};

/** Reads `field`, `field desc` or `field as number desc`. */
function readKey({ text }: Part) {
  const [, field = "", type, direction] =
    /^(.*?)(?:\s+as\s+(number|text|natural|date))?(?:\s+(asc|desc))?$/is.exec(
      text,
    ) ?? [];
  if (field.trim() === "") return null;
  return {
    field,
    type: type === undefined ? undefined : TYPES[type.toLowerCase()],
    direction: toDirection(direction),
  };
}

function toDirection(word: string | undefined): "ASC" | "DESC" | undefined {
  if (word === undefined) return undefined;
  return word.toLowerCase() === "asc" ? "ASC" : "DESC";
}
