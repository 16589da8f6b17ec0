// Habits from other template languages (Handlebars, Liquid, Jinja, Carbone, JavaScript, Excel), and what to write
// instead. Only used for messages.

import { findMeantDatePattern } from "./foreign-dates.js";

/** What is wrong and how to write it here. */
interface Advice {
  message: string;
  hint: string;
}

type Parses = (text: string) => boolean;
type Habit = readonly [pattern: RegExp, message: string, hint: Hint];
type Hint = readonly [ofComponents: string, ofMarkup: string];

/** Whether the hints are for HTML and MJML with directives. */
let isForMarkup = false;

/** Runs a check whose hints are about components, or about the elements of markup. */
export function hintFor<T>(place: "components" | "markup", check: () => T): T {
  const before = isForMarkup;
  isForMarkup = place === "markup";
  try {
    return check();
  } finally {
    isForMarkup = before;
  }
}

const choose = ([ofComponents, ofMarkup]: Hint) =>
  isForMarkup ? ofMarkup : ofComponents;

const YES_OR_NO = 'Inside a text, write {{ "yes" if $test else "no" }}.';
const SHOW = `Give the component that it shows a condition: "condition": { "combinator": "and", "rules": [$rule] }. ${YES_OR_NO} -> Give the element that it shows data-if=$quotedTest. ${YES_OR_NO}`;
const LIST = 'To list values in one text, write {{ JOIN($path.name, ", ") }}.';
const REPEAT = `Give the component that it repeats a collection: "collection": { "collectionId": "$item", "path": "$path" }, and write {{ $item.name }} inside it. ${LIST} -> Give the element that it repeats data-each="$item in $path", and write {{ $item.name }} inside it. ${LIST}`;
/** A section of Mustache, which shows a value or repeats a list. */
const SECTION = `${REPEAT.replace(" -> ", " If $path is no list, give it a condition instead. -> ")} If $path is no list, give it data-if instead.`;
const ENTRIES =
  'Give the component that it repeats a collection: "collection": { "collectionId": "entry", "path": "$path", "entries": true }, and write {{ entry.key }} and {{ entry.value }} inside it. -> Give the element that it repeats data-each="entry in $path" data-entries, and write {{ entry.key }} and {{ entry.value }} inside it.';
const LOOP = String.raw`(?:(?<item>\w+)\s+in\s+)?\.*(?<path>\w+(?:\.\w+)*)?`;
/** Two names, or a call that lists the entries of an object. */
const ENTRIES_LOOP = String.raw`\(?\s*(?:(?:const|let)\s+)?(?:[([]?\w+\s*,\s*\w+[)\]]?\s+(?:in|of)\s+|(?:\w+\s+(?:in|of)\s+)?(?=[^]*\b(?:items|keys|entries)\())(?:Object\.\w+\()?(?<path>\w+(?:\.\w+)*?)(?:\.(?:items|keys|entries)\b|[\s)]|$)`;
const ESCAPED =
  "Write {{ $value }}. For text with formatting write {{ $value | markdown }}, or use an html component.";

/** For a test that is no expression here. */
const WITHOUT_TEST: Hint = [
  `Give the component that it shows a condition. ${YES_OR_NO}`,
  `Give the element that it shows data-if. ${YES_OR_NO}`,
];

/** What a hint names when the text does not. */
const EXAMPLES: Readonly<Record<string, string>> = {
  block: "terms",
  item: "item",
  name: "name",
  path: "root.lines",
  test: "root.paid",
  value: "root.text",
  variable: "index",
};

/**
 * @param table a line for each habit: a pattern, what is wrong, and what to write, with the groups of the pattern; at the
 *   end what to write in markup, where this is something else
 */
function readHabits(table: string): readonly Habit[] {
  return readRows(table).map(
    ([pattern = "", message = "", hint = "", ofMarkup = hint]) => {
      return [new RegExp(pattern, "u"), message, [hint, ofMarkup]];
    },
  );
}

function readRows(table: string): readonly string[][] {
  const lines = table.trim().split("\n");
  return lines.map((line) => line.trim().split(" -> "));
}

/** Blocks and other tags of Handlebars, Mustache, Liquid and Jinja, by how the text between the braces begins. */
const BLOCKS = readHabits(String.raw`
  ^\{\{\s*(?<value>[^]*?)\s*\}\}$ -> An expression is written without braces here. -> Write $value.
  ^\{+\s*(?<value>[^]*?)\s*\}*$ -> Values are always escaped, so {{{ }}} is not available. -> ${ESCAPED}
  ^&(?!&)\s*(?<value>[^]*) -> Values are always escaped, so {{& }} is not available. -> ${ESCAPED}
  ^!(?:--|\s|$)|^\/[*\/]|^#[^]*#$ -> Comments are not available in a text. -> Remove it, or keep the note in a property of the component that starts with x-, such as "x-note". -> Remove it, or write <!-- a comment -->.
  ^(?:>|(?:include|import|extends|partial|render)\b)\s*["']?(?<block>[a-z][\w-]*)? -> A text does not include other templates. -> Use a reusable block, { "type": "partial", "name": "$block" }, or write the components here. What appears on every page belongs into page.header or page.footer, and a look that is used often into styles. -> Write <template data-partial="$block"></template> for a reusable block, or write the elements here.
  ^@root\b -> "@root" is not available. -> Start the path with root: {{ root.name }}.
  ^@key\b -> "@key" is not available. -> ${ENTRIES.replaceAll("$path", "root.prices")}
  ^(?<word>@(?<variable>index|first|last)?\w*) -> "$word" is not available. -> Write the collectionId before it: {{ item.$variable }}; item.number counts from 1, item.index from 0. -> Write the name in data-each before it: {{ item.$variable }}; item.number counts from 1, item.index from 0.
  ^(?:\.\.?\/)+(?<name>[^]*) -> A path does not go up with ../. -> Start it with the collectionId of the enclosing collection, or with root: {{ root.$name }}.
  ^\.(?:$|(?<name>\w[^]*)) -> A path does not start with a dot. -> Start it with root or a collectionId: {{ root.$name }}.
  ^(?<word>\/[^]*|end(?:if|for|each|unless|case|with)?)$ -> Text has no blocks, so there is nothing that "$word" ends. -> Remove it. A condition or collection belongs to the component that it shows or repeats. -> Remove it. data-if and data-each belong to the element that they show or repeat.
  ^(?:else|elsif|elseif|elif)\b -> Text has no else block. -> Put the other components into "else": [{ "type": "text", "text": "no" }] of the component's condition, or write {{ "yes" if root.paid else "no" }}. -> Write data-else, or data-else-if="root.paid", on the element after the one with data-if, or write {{ "yes" if root.paid else "no" }} in a text.
  ^#?\s*(?:case|switch|when)\s+\S -> Text has no case blocks. -> Write a chain: {{ "A" if root.kind = 1 else "B" if root.kind = 2 else "C" }}.
  ^#?\s*if\b\s*(?<if>\S[^]*?)\s*[{%:]?$ -> Text has no if blocks. -> ${SHOW}
  ^(?:#?\s*unless\b|\^)\s*(?<unless>\S[^]*?)\s*[{%:]?$ -> Text has no if blocks. -> ${SHOW}
  ^#?\s*(?:each|for|foreach)\b\s*${ENTRIES_LOOP} -> Text has no loops. -> ${ENTRIES}
  ^#?\s*(?:each|for|foreach|range|repeat)(?:\s+|$)${LOOP} -> Text has no loops. -> ${REPEAT}
  ^#\s*with\s+(?<path>\w+(?:\.\w+)*) -> Text has no with blocks. -> Write the whole path: {{ $path.name }}.
  ^#?\s*(?:set|assign|let|var|const|capture|with)\s -> Templates have no variables. -> Write the expression where its value is used, or declare a computed field in the schema.
  ^#\s*(?!if\b|unless\b|case\b)${LOOP} -> Text has no loops. -> ${SECTION}
`);

/** What belongs to JavaScript, Excel, Liquid or Carbone inside an expression. Tested on text without its strings. */
const OPERATORS = readHabits(String.raw`
  [\p{L}\p{N}_]\[\s*-?\d*\s*:\s*-?\d*\s*\] -> A part of a text or list is not written in brackets. -> Write the filter slice with the start and the length, as in {{ root.code | slice(0, 3) }}.
  ^new\s -> Objects cannot be created. -> For the current date write TODAY(), or NOW() with the time.
  (?<word>&(?:[a-zA-Z]+|#\d+);) -> "$word" is not read as a character here. -> Write the character itself, as in a > b.
  \?\? -> "??" is not an operator. -> Write COALESCE(a, b), or a | default(b).
  \?\. -> "?." is not needed. -> A missing value prints nothing: write a.b.
  \? -> "?" is not an operator. -> Write value if condition else other.
  && -> "&&" is not an operator. -> Write a and b.
  & -> "&" is not an operator. -> Join text with ~: a ~ b.
  \|\| -> "||" is not an operator. -> Write a or b, or a | default(b).
  ={3}|!== -> "===" is not an operator. -> Write = or !=.
  <> -> "<>" is not an operator. -> Write a != b.
  => -> Functions cannot be defined. -> Write the expression itself.
  \x60 -> Text is written in quotes. -> Join values with ~: "No. " ~ root.number.
  !(?!=) -> "!" is not an operator. -> Write not a.
  \bIF\s*\( -> There is no function IF. -> Write "yes" if root.paid else "no".
  \([^]*; -> Arguments are separated by commas. -> Write a comma, as in ROUND(root.total, 2).
  ; -> An expression does not end with a semicolon. -> Remove it.
  \*\*|\^ -> There is no operator for powers. -> Multiply the values.
  \[\s*[a-zA-Z]\w*(?:\s*\+\s*1)?\s*\] -> Elements of a list have no index here. -> Repeat the component: "collection": { "collectionId": "item", "path": "root.lines" }, and write {{ item.name }}. -> Repeat the element: data-each="item in root.lines", and write {{ item.name }}.
  \sis\s -> "is" is not an operator. -> Compare with = or !=; to test for a missing value, write a = null.
  \snot\s+(?<word>in|contains)\s -> The word "not" stands before a comparison with "$word". -> Write not a $word b.
  \sin\s*\( -> A list is written in brackets. -> Write a in ["b", "c"].
  \s(?<word>(?:[Ss]tart|[Bb]egin)s\s?[Ww]ith)\s -> "$word" is not an operator. -> Write the filter: (a | startsWith("b")).
  \s(?<word>AND|OR|NOT)\s -> "$word" is not an operator. -> Write and, or and not in small letters.
  \s(?<word>eq|ne|gt|lt|gte|lte)\s -> "$word" is not an operator. -> Write =, !=, >, <, >= or <=.
`);

const JOIN = 'Write JOIN(root.lines.name, ", ").';

/** Names of filters and functions elsewhere, and what each means: a filter, or what to write. */
const ALIASES: ReadonlyMap<string, Hint> = new Map(
  readRows(`
  currency money moneyWithCurrency formatCurrency currencyFormat toCurrency formatC price -> currency
  date dateFormat formatDate formatD strftime toDate dateTime formatDateTime moment time convDate toLocaleDateString toDateString -> date
  number formatNumber numberFormat formatN numeral toFixed fixed decimal floatFormat intComma toLocaleString thousands float -> number
  int -> Write FLOOR(root.amount), which rounds down.
  upper upperCase upCase toUpper toUpperCase toLocaleUpperCase ucase caps -> upper
  lower lowerCase downCase toLower toLowerCase toLocaleLowerCase lcase -> lower
  title titleCase titleize ucWords proper startCase -> title
  words spellOut toWords inWords numberToWords numToWords -> words
  percent percentage toPercent formatPercent pct -> percent
  truncate ellipsis excerpt limitTo shorten -> truncate(20)
  truncateWords -> Write root.text | truncate(20), which counts characters.
  replace replaceAll substitute gsub translate -> replace("a", "b")
  replaceFirst replaceLast -> Write root.text | replace("a", "b"), which replaces all.
  split explode tokenize -> split(",")
  slice substr substring mid -> slice(0, 3)
  contains includes has hasSubstring -> contains("a")
  startsWith beginsWith hasPrefix -> startsWith("a")
  default defaultIfNone d ifEmpty fallback orElse ifNull -> default("-")
  markdown md markdownify convertToHtml markdownToHtml -> markdown
  nl2br newlineToBr newlinesToBr lineBreaks lineBreaksBr convCRLF -> nl2br
  ordinal ordinalize -> ordinal
  mask -> mask("##")
  escape e h escapeOnce forceEscape -> Values are always escaped; remove this filter.
  safe raw noEscape html safeString -> Values are always escaped. For text with formatting write {{ root.text | markdown }}, or use an html component.
  nvl isNull ifError -> Write COALESCE(root.a, root.b).
  size length len strlen count countA rows total -> Write LEN(root.name) for a text, or COUNT(root.lines) for a collection.
  join implode arrayJoin -> ${JOIN}
  sum aggSum -> Write SUM(root.lines, amount).
  avg average mean -> Write AVG(root.lines, amount).
  min minimum -> Write MIN(root.lines, amount).
  max maximum -> Write MAX(root.lines, amount).
  round -> Write ROUND(root.amount, 0), or another number of decimals.
  ceil ceiling -> Write CEIL(root.amount).
  floor -> Write FLOOR(root.amount).
  abs -> Write ABS(root.amount).
  plus add -> Write the operator: root.a + root.b.
  minus sub subtract -> Write the operator: root.a - root.b.
  times mul multiply -> Write the operator: root.a * root.b.
  dividedBy div divide -> Write the operator: root.a / root.b.
  modulo mod -> Write the operator: root.a % root.b.
  append concat concatenate -> Join text with ~: root.name ~ "!".
  prepend -> Join text with ~: "Mr " ~ root.name.
  textJoin -> Write JOIN(root.tags, ", ").
  not -> Write not root.paid.
  isBlank isEmpty -> Write not root.name.
  format sprintf text -> Write root.total | number("0.00") for a number, or root.due | date("dd.MM.yyyy") for a date.
  vLookup hLookup xLookup lookup -> Declare a OneToOneLink in the schema, and send the linked record with the data.
  year -> Write root.due | date("yyyy").
  month -> Write root.due | date("M").
  sumIf countIf sumIfs countIfs -> Repeat a component with "collection"; its "filter" selects the elements. -> Repeat an element with data-each; its data-filter="amount > 0" selects the elements.
  sumProduct -> Write SUM(root.lines, price * quantity).
  trim strip lstrip rstrip trimStart trimEnd uniq unique urlEncode urlDecode -> There is no filter or function for this.
  last -> Write root.text | slice(-1) for the last character, or JOIN(root.tags | slice(-1), "") for the last value of a list.
  left -> Write root.name | slice(0, 3).
  right -> Write root.name | slice(-3).
  remove cut -> Write root.name | replace("-", "").
  endsWith hasSuffix -> Compare the end: (root.name | slice(-2)) = "th".
  find search indexOf -> Write root.name contains "a".
  keys entries items -> Repeat a component with "collection", whose "entries": true is for each key of an object. -> Repeat an element: data-each="entry in root.prices" data-entries is for each key of an object.
  first head nth -> Write the index: root.lines.0.
  sort sortBy orderBy reverse -> Repeat a component with "collection"; its "sort" orders the elements. -> Repeat an element with data-each; its data-sort="name" orders the elements.
  sortNatural -> Repeat a component with "collection"; its "sort" orders the elements, with "natural": true by their numbers. -> Repeat an element with data-each; its data-sort="name as natural" orders the elements by their numbers.
  where filter select reject -> Repeat a component with "collection"; its "filter" selects the elements. -> Repeat an element with data-each; its data-filter="amount > 0" selects the elements.
  groupBy group -> Repeat a component with "collection"; its "groupBy" makes groups. -> Repeat an element with data-each; its data-group-by="category" makes groups.
  map pluck -> Write the field after the collection: root.lines.name.
  if ifs iif ifElse switch case choose ifEq ifNe ifGt ifGte ifLt ifLte ifIn ifNin ifEm ifNem show showBegin elseShow hideBegin -> Write "yes" if root.paid else "no".
  eDate addMonths -> Write DATE_ADD(root.due, 1, "months").
  addDays dateAdd -> Write DATE_ADD(root.due, 14, "days").
  dateDif datedIf days daysBetween -> Write DATE_DIFF(root.due, root.from, "days"), with the later date first.
  currentDate curDate now today -> Write TODAY(), or NOW() with the time.
`).flatMap(([names = "", meaning = "", ofMarkup = meaning]) =>
    names
      .split(" ")
      .map((name): [string, Hint] => [toKey(name), [meaning, ofMarkup]]),
  ),
);

/** `date_format`, `date-format` and `dateFormat` are the same name. */
function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** A filter with its example arguments, or what to write. */
function getMeaning(name: string): string | undefined {
  const hint = ALIASES.get(toKey(name));
  return hint && choose(hint);
}

const isFilter = (meaning: string) => /^\w+(?:\(.*\))?$/.test(meaning);

/** Arguments that mean the same here, after the name of the filter. */
const SAME_ARGUMENTS =
  /^(?:number|percent) \d+$|^currency (["'])[A-Z]{3}\1$|^slice (?:0\s*,\s*\d+|-?\d+)$/;

/**
 * A filter, function, method or helper elsewhere as an expression; undefined for what may mean something else here.
 * @param isPipe whether it is a filter there too
 */
function translateCall(
  name: string,
  value: string,
  args: string,
  isPipe = false,
): string | undefined {
  const meaning = getMeaning(name);
  if (meaning === JOIN) return `JOIN(${value}, ${args || '", "'})`;
  const key = toKey(name);
  if (/^\d+$/.test(args) && (key === "left" || key === "right"))
    return `${value} | slice(${key === "left" ? "0, " : "-"}${args})`;
  if (meaning === undefined || !isFilter(meaning)) return undefined;
  if (args === "") return `${value} | ${meaning}`;
  const [filter = "", example = ""] = meaning.split(/(?=\()/);
  const isSame =
    SAME_ARGUMENTS.test(`${filter} ${args}`) ||
    (filter !== "slice" &&
      (isPipe || (example !== "" && countParts(args) === countParts(example))));
  if (!isSame) return undefined;
  const list = filter === "date" ? translateDates(args) : args;
  return `${value} | ${filter}(${list})`;
}

const countParts = (args: string) => splitOutside(args, /,/g).length;

/**
 * A hint for a filter that has another name in other languages.
 * @param source the valid expression with the filter
 */
export function suggestFilter(
  name: string,
  source: string,
): string | undefined {
  const meaning = getMeaning(name);
  if (meaning === undefined) return undefined;
  if (meaning === JOIN) {
    const written = translatePipes(source, () => true);
    return written === null ? meaning : `Write ${written}.`;
  }
  return isFilter(meaning) ? `Did you mean ${meaning}?` : meaning;
}

/**
 * A hint for a function that has another name in other languages, or is a filter here.
 * @param args as they are written
 */
export function suggestFunction(
  name: string,
  [value = "", ...args]: readonly string[] = [],
): string | undefined {
  const meaning = getMeaning(name);
  if (meaning === undefined || (meaning === JOIN && value === ""))
    return meaning;
  const written = translateCall(name, value || "root.value", args.join(", "));
  if (written === undefined)
    return isFilter(meaning)
      ? `Use the filter ${meaning.replace(/\(.*/, "")}, as in {{ root.value | ${meaning} }}.`
      : meaning;
  return meaning === JOIN
    ? `Write {{ ${written} }}.`
    : `Use the filter: {{ ${written} }}.`;
}

/** First words that mean something in another language. */
const SCOPES = readHabits(String.raw`
  ^(?:for)?loop\.index0$ ->  -> Inside a collection, write its collectionId: item.index.
  ^(?:for)?loop\.(?<name>first|last)$ ->  -> Inside a collection, write its collectionId: item.$name.
  ^(?:for)?loop(?:\.|$) ->  -> Inside a collection, write its collectionId: item.number.
  ^(?:this|self)\.(?<name>[^]+) ->  -> Write the collectionId of the collection, or root: root.$name.
  ^(?:this|self)$ ->  -> Write the collectionId of the collection, or root.
  ^(?:d|data|record|doc)\.(?<name>[^]+) ->  -> The record is called root: root.$name.
`);

/** A hint for a path that begins with such a word. */
export function suggestScope(path: string): string | undefined {
  return findHabit(SCOPES, path, () => true)?.hint;
}

/** A word such as `endif`, which would be a field, for which the schema declares none. */
export function explainUndeclaredName(name: string): Advice | null {
  return name.startsWith("end") ? findHabit(BLOCKS, name, () => true) : null;
}

/**
 * Explains an expression that did not parse, when it is written in another template language.
 * @param source the text between the braces
 * @param parses whether a text is a valid expression
 */
export function explainForeignSyntax(
  source: string,
  parses: Parses,
): Advice | null {
  const whole = source.trim();
  const text = whole.replace(/^[~-]+|[~-]+$/g, "").trim();
  if (text !== whole && parses(text))
    return {
      message: "Spaces around an expression are kept as they are.",
      hint: `Write {{ ${text} }}.`,
    };
  // An unfinished `if` is one of this language.
  if (/^if\b/.test(text) && parses(`${text} else null`)) return null;
  const plain = blankStrings(text);
  return (
    findHabit(BLOCKS, text, parses) ??
    explainMethod(text, plain, parses) ??
    findHabit(OPERATORS, plain, parses) ??
    explainArguments(text, plain, parses) ??
    explainHelperCall(text)
  );
}

/** The first habit whose pattern fits a text explains it. */
function findHabit(
  habits: readonly Habit[],
  text: string,
  parses: Parses,
): Advice | null {
  for (const [pattern, message, hint] of habits) {
    const match = pattern.exec(text);
    if (!match) continue;
    const { groups = {} } = match;
    const { path = "", unless, if: test = unless } = groups;
    const rule = test ? writeTest(test, unless !== undefined, parses) : {};
    const values: Readonly<Record<string, string>> = {
      ...groups,
      path: path === "" || path.includes(".") ? path : `root.${path}`,
      ...rule,
    };
    const fill = (line: string) =>
      line.replaceAll(
        /\$(\w+)/g,
        (_, name: string) => values[name] || (EXAMPLES[name] ?? ""),
      );
    const written = choose(rule === null ? WITHOUT_TEST : hint);
    return { message: fill(message), hint: fill(written) };
  }
  return null;
}

const COMPARISON =
  /^([\p{L}_$][\p{L}\p{N}_$.]*)\s*(==?|!=|<=?|>=?|\bcontains\b)\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?[\d.]+|true|false))$/u;

/** Of helpers such as `(eq a "b")`. */
const COMPARISONS = new Map(
  Object.entries({ eq: "=", ne: "!=", gt: ">", gte: ">=", lt: "<", lte: "<=" }),
);
const HELPER =
  /^(eq|ne|gte?|lte?|and|or|contains)\s+([\w.]+)\s+("[^"]*"|'[^']*'|[\w.]+)$/;

/**
 * A test as an expression, and as a rule, which takes false, 0 and what is empty as false as the expression does; null
 * for a test that is none here.
 */
function writeTest(text: string, isNegated: boolean, parses: Parses) {
  const bare = text.replace(/^\(([^]*)\)$/, "$1").trim();
  const helper = bare.replace(
    HELPER,
    (_, name: string, left: string, right: string) =>
      `${left} ${COMPARISONS.get(name) ?? name} ${right}`,
  );
  const written = [bare, text, helper].find(parses);
  if (written === undefined) return null;
  const inner = /^not\s+([\p{L}_$][\p{L}\p{N}_$.]*)$/u.exec(written)?.[1];
  const isInverse = isNegated !== (inner !== undefined);
  const positive = inner ?? written;
  const isPath = /^[\p{L}\p{N}_$.]+$/u.test(positive);
  const inverse = `not ${isPath ? positive : `(${positive})`}`;
  const [, field, operator = "", double, single = double, value] =
    COMPARISON.exec(positive) ?? [];
  const rule =
    field === undefined || isInverse
      ? `{ "field": ${JSON.stringify(inverse)}, "operator": "=", "value": ${isInverse} }`
      : `{ "field": "${field}", "operator": "${operator.replace("==", "=")}", "value": ${value ?? JSON.stringify(single)} }`;
  const test = isInverse ? inverse : positive;
  const quotedTest = test.includes('"')
    ? `'${test.replaceAll("'", "&#39;")}'`
    : `"${test}"`;
  return { rule, test, quotedTest };
}

const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g;

/** Strings become spaces, so that their content is not mistaken for operators. */
function blankStrings(text: string): string {
  return text.replaceAll(STRING, ({ length }) => `"${" ".repeat(length - 2)}"`);
}

/** The parts of a text between separators that are not in strings. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of blankStrings(text).matchAll(separator)) {
    parts.push(text.slice(from, index).trim());
    from = index + mark.length;
  }
  return [...parts, text.slice(from).trim()];
}

function explainMethod(
  text: string,
  plain: string,
  parses: Parses,
): Advice | null {
  const method = /\.\s*([\p{L}_$][\w$]*)\s*\(/u.exec(plain)?.[1];
  if (method === undefined) return null;
  const [, value = "", args = ""] =
    /^([\p{L}_$][\p{L}\p{N}_$.]*)\.[\w$]+\(([^]*)\)$/u.exec(text) ?? [];
  const isWhole = value !== "" && parses(`f(${args})`);
  return {
    message: `A value has no methods, so ".${method}()" is not available.`,
    hint:
      suggestFunction(method, isWhole ? [value, args.trim()] : []) ??
      "Use a filter, such as {{ root.total | number(2) }}, or a function, such as LEN(root.name).",
  };
}

/** `root.due | date: "%Y"` of Liquid, and `d.due:formatD("YYYY")` of Carbone. */
function explainArguments(
  text: string,
  plain: string,
  parses: Parses,
): Advice | null {
  const match = /\|\s*([\w-]+)\s*:|(?<=\w):([A-Za-z]\w*)/.exec(plain);
  if (!match) return null;
  const name = match[1] ?? match[2] ?? "";
  const meaning = getMeaning(name);
  const written = translatePipes(text, parses);
  if (written === null && !(meaning && isFilter(meaning)))
    return {
      message: `Unknown filter "${name}".`,
      hint:
        meaning ??
        "The arguments of a filter are written in parentheses, as in {{ root.text | truncate(20) }}.",
    };
  return {
    message: "The arguments of a filter are written in parentheses.",
    hint: `Write {{ ${written ?? `root.value | ${meaning}`} }}.`,
  };
}

/** `root.codes | split: "," | join: "/"` as an expression; null when a filter is none here. */
function translatePipes(text: string, parses: Parses): string | null {
  const isCarbone = !blankStrings(text).includes("|");
  const [value = "", ...filters] = splitOutside(
    text,
    isCarbone ? /:(?=[A-Za-z]\w*\s*(?:[(:]|$))/g : /\|/g,
  );
  let written = value
    .replace(/^d\./, "root.")
    .replace(/^(["'])(?:now|today)\1$/, "NOW()");
  for (const filter of filters) {
    const [, name = "", afterColon, inParentheses = ""] =
      /^([\w-]+)\s*(?::([^]*)|\(([^]*)\))?$/.exec(filter) ?? [];
    const args = (afterColon ?? inParentheses).trim();
    const call = translateCall(name, written, args, true);
    if (call === undefined) return null;
    written = call;
  }
  return parses(written) ? written : null;
}

function translateDates(args: string): string {
  return args.replaceAll(STRING, (string) => {
    const meant = findMeantDatePattern(string.slice(1, -1));
    return meant === null ? string : JSON.stringify(meant);
  });
}

/** `{{ uppercase root.name }}`: a helper of Handlebars. */
function explainHelperCall(text: string): Advice | null {
  const [, name = "", value = "", rest = ""] =
    /^([a-z]\w*)\s+([\p{L}_$][\w.]*)((?:\s[^]*)?)$/u.exec(text) ?? [];
  const args = rest.match(/"[^"]*"|'[^']*'|[\w.]+/g) ?? [];
  const hint = suggestFunction(name, [value, ...args]);
  return hint === undefined
    ? null
    : { message: `"${name}" is not called this way.`, hint };
}

const PATH = String.raw`[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+|\[[\w+]*\])*`;

/** Other languages' braces in the text around expressions: tags, comments, printed values, and a name alone. */
const FOREIGN_TEXT = new RegExp(
  [
    String.raw`\{%[-~]?\s*(?<tag>[^%{}]{0,200}?)\s*[-~]?%\}`,
    String.raw`\{(#[^#{}]{0,200}#)\}`,
    String.raw`<%[-=#_]?\s*([^%]{0,200}?)\s*[-_]?%>`,
    String.raw`[$#]\{\s*(${PATH}[^{}]{0,200}?)\s*\}`,
    String.raw`\[\[\s*(${PATH})\s*\]\]`,
    String.raw`(?<![{\\])\{([dc]\.${PATH}[^{}]{0,200}?|[#/^]${PATH})\}(?!\})`,
    String.raw`(?<![{\\])\{\s*(?<path>${PATH})\s*\}(?!\})`,
  ].join("|"),
  "gu",
);

/**
 * What a literal text contains that is an expression in another language, and what to write.
 * @param isField whether a name or path belongs to the data, so that `{name}` is probably meant as an expression
 */
export function findForeignText(
  literal: string,
  isField: (path: string) => boolean,
  parses: Parses,
): { text: string; hint: string } | null {
  for (const match of literal.matchAll(FOREIGN_TEXT)) {
    const { path, tag } = match.groups ?? {};
    if (path !== undefined && !isField(path)) continue;
    const inner = match.slice(1).find((group) => group !== undefined) ?? "";
    return { text: match[0], hint: explainText(inner, parses, tag) };
  }
  return null;
}

function explainText(inner: string, parses: Parses, tag?: string): string {
  const block = findHabit(BLOCKS, inner, parses);
  if (block) return block.hint;
  if (tag !== undefined)
    return isForMarkup
      ? "Text has no tags: show and repeat elements with data-if and data-each."
      : "Text has no tags: show and repeat components with condition and collection.";
  const path = inner.replace(/^d\.(?![^:]*:)/, "root.");
  if (parses(path)) return `Write {{ ${path} }}.`;
  return (
    explainForeignSyntax(path, parses)?.hint ??
    "Write {{ root.name }}, with a path of your data."
  );
}
