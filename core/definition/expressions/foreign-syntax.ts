import { suggestNames } from "../../plugin-api/index.js";

// Habits from other template languages (Handlebars, Liquid, Jinja, Carbone, JavaScript, Excel), and what to write
// instead. Only used for messages.

/** What is wrong and how to write it here. */
interface Advice {
  message: string;
  hint: string;
}

type Parses = (text: string) => boolean;

/** The first habit whose pattern fits a text explains it. @param groups what the pattern captures */
type Habit = readonly [
  pattern: RegExp,
  message: string,
  hint: string | ((groups: string[], parses: Parses) => string),
];

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
  return (
    findHabit(BLOCKS, text, parses) ??
    findHabit(OPERATORS, blankStrings(text), parses) ??
    explainFilter(text, parses) ??
    explainHelperCall(text)
  );
}

function findHabit(
  habits: readonly Habit[],
  text: string,
  parses: Parses,
): Advice | null {
  for (const [pattern, message, written] of habits) {
    const match = pattern.exec(text);
    if (!match) continue;
    const groups = match.slice(1).map((group) => group ?? "");
    return {
      message: message.replace("$1", () => groups[0] ?? ""),
      hint: typeof written === "string" ? written : written(groups, parses),
    };
  }
  return null;
}

const unescaped = ([inner = ""]: string[]) =>
  `Write {{ ${inner.trim() || "root.text"} }}. For text with formatting write {{ ${inner.trim() || "root.text"} | markdown }}, or use an html component.`;

const BLOCK_END: Habit = [
  /^(\/.*|end(?:if|for|each|unless|case|with)?)$/is,
  'Text has no blocks, so there is nothing that "$1" ends.',
  "Remove it. A condition or collection belongs to the component that it shows or repeats.",
];

const LOOP = String.raw`(?:(\w+)(?:\s*,\s*\w+)?\s+in\s+)?\.*([\w.]+)?`;
const repeat = ([item = "", list = ""]: string[]) =>
  explainLoop(item || "item", list || "lines");
const showWhen = ([test = ""]: string[], parses: Parses) =>
  explainCondition(test, false, parses);
const showUnless = ([test = ""]: string[], parses: Parses) =>
  explainCondition(test, true, parses);

/** Blocks and other tags of Handlebars, Mustache, Liquid and Jinja, by how the text between the braces begins. */
const BLOCKS: readonly Habit[] = [
  [
    /^\{\{([^]*)\}\}$/,
    "An expression is written without braces here.",
    ([inner = ""]) => `Write ${inner.trim()}.`,
  ],
  [
    /^\{+([^]*?)\}*$/,
    "Values are always escaped, so {{{ }}} is not available.",
    unescaped,
  ],
  [
    /^&(?!&)([^]*)$/,
    "Values are always escaped, so {{& }} is not available.",
    unescaped,
  ],
  [
    /^!(?:--|\s|$)|^\/\*|^\/\//,
    "Comments are not available in a text.",
    'Remove it, or keep the note in a property of the component that starts with x-, such as "x-note".',
  ],
  [
    /^>|^(?:include|import|extends|partial)\b/,
    "A text does not include other templates.",
    'Use a reusable block, { "type": "partial", "name": "…" }, or write the components here. What appears on every page belongs into page.header or page.footer, and a look that is used often into styles.',
  ],
  [
    /^@root\b/,
    '"@root" is not available.',
    "Start the path with root: {{ root.name }}.",
  ],
  [
    /^@(\w*)/,
    '"@$1" is not available.',
    ([name = ""]) =>
      `Write the collectionId before it: {{ item.${findOwn(LOOP_VARIABLES, name) ?? "index"} }}; item.number counts from 1, item.index from 0.`,
  ],
  [
    /^(?:\.\.?\/)+([^]*)$/,
    "A path does not go up with ../.",
    ([path]) =>
      `Start it with the collectionId of the enclosing collection, or with root: {{ root.${path} }}.`,
  ],
  [
    /^\.(?:$|(\w[^]*))/,
    "A path does not start with a dot.",
    ([path]) =>
      `Start it with root or a collectionId: {{ root.${path || "name"} }}.`,
  ],
  BLOCK_END,
  [
    /^(?:else|elsif|elseif|elif)\b/,
    "Text has no else block.",
    'Put the other components into "else": [ … ] of the component\'s condition, or write {{ "yes" if root.paid else "no" }}.',
  ],
  [/^#?\s*(?:if|case)\b\s*(\S[^]*)$/, "Text has no if blocks.", showWhen],
  [/^(?:#?\s*unless\b|\^)\s*(\S[^]*)$/, "Text has no if blocks.", showUnless],
  [
    new RegExp(String.raw`^#?\s*(?:each|for|foreach|range|repeat)\s+${LOOP}`),
    "Text has no loops.",
    repeat,
  ],
  [
    /^(?:set|assign|let|var|const|capture|with)\s/,
    "Templates have no variables.",
    "Write the expression where its value is used, or declare a computed field in the schema.",
  ],
  // Mustache: a section is a loop or a condition.
  [
    new RegExp(String.raw`^#\s*(?!if\b|unless\b|case\b)${LOOP}`),
    "Text has no loops.",
    repeat,
  ],
];

/** What belongs to JavaScript, Excel, Liquid or Carbone inside an expression. Tested on text without its strings. */
const OPERATORS: readonly Habit[] = [
  [
    /\.\s*([\p{L}_$][\w$]*)\s*\(/u,
    'A value has no methods, so ".$1()" is not available.',
    ([method = ""]) =>
      suggestFunction(method) ??
      "Use a filter, such as {{ root.total | number(2) }}, or a function, such as LEN(root.name).",
  ],
  [
    /^new\s/,
    "Objects cannot be created.",
    "For the current date write TODAY(), or NOW() with the time.",
  ],
  [
    /\?\?/,
    '"??" is not an operator.',
    "Write COALESCE(a, b), or a | default(b).",
  ],
  [/\?\./, '"?." is not needed.', "A missing value prints nothing: write a.b."],
  [/\?/, '"?" is not an operator.', "Write value if condition else other."],
  [/&&/, '"&&" is not an operator.', "Write a and b."],
  [/\|\|/, '"||" is not an operator.', "Write a or b, or a | default(b)."],
  [/={3}|!==/, '"===" is not an operator.', "Write = or !=."],
  [/<>/, '"<>" is not an operator.', "Write a != b."],
  [/=>/, "Functions cannot be defined.", "Write the expression itself."],
  [
    /`/,
    "Text is written in quotes.",
    'Join values with ~: "No. " ~ root.number.',
  ],
  [/!(?!=)/, '"!" is not an operator.', "Write not a."],
  [/;/, "An expression does not end with a semicolon.", "Remove it."],
  [/\*\*|\^/, "There is no operator for powers.", "Multiply the values."],
  [
    /\[\s*[a-z]\w*(?:\s*\+\s*1)?\s*\]/i,
    "Elements of a list have no index here.",
    'Repeat the component: "collection": { "collectionId": "item", "path": "root.lines" }, and write {{ item.name }}.',
  ],
  [
    /\sis\s/,
    '"is" is not an operator.',
    "Compare with = or !=; to test for a missing value, write a = null.",
  ],
  [
    /\s(in|contains)\s/,
    '"$1" is not an operator.',
    'Use the operator "in" or "contains" of a condition\'s rule.',
  ],
  [
    /\s(AND|OR|NOT)\s/,
    '"$1" is not an operator.',
    ([word = ""]) => `Write it in small letters: ${word.toLowerCase()}.`,
  ],
  [
    /\s(eq|ne|gt|lt|gte|lte)\s/,
    '"$1" is not an operator.',
    ([word]) =>
      `Write a ${{ eq: "=", ne: "!=", gt: ">", lt: "<", gte: ">=", lte: "<=" }[word ?? ""]} b.`,
  ],
];

/** A word such as `endif`, which would be a field, for which the schema declares none. */
export function explainUndeclaredName(name: string): Advice | null {
  return findHabit([BLOCK_END], name, Boolean);
}

/** The condition of a component for a test, and the same test inside a text. */
function explainCondition(
  tag: string,
  isNegated: boolean,
  parses: Parses,
): string {
  const condition = tag
    .replace(/\s*[{%:]$/, "")
    .replace(/^\(([^()]*)\)$/, "$1");
  const test = parses(condition) ? condition : "root.paid";
  const field = /^[\w.]+$/.test(test) ? test : "root.paid";
  const operator = isNegated ? "empty" : "notEmpty";
  return `Give the component that it shows a condition: "condition": { "combinator": "and", "rules": [{ "field": "${field}", "operator": "${operator}" }] }. Inside a text, write {{ "yes" if ${isNegated ? "not " : ""}${test} else "no" }}.`;
}

function explainLoop(item: string, list: string): string {
  const path = list.includes(".") ? list : `root.${list}`;
  return `Give the component that it repeats a collection: "collection": { "collectionId": "${item}", "path": "${path}" }, and write {{ ${item}.name }} inside it. To list values in one text, write {{ JOIN(${path}.name, ", ") }}.`;
}

/** Variables of loops in Handlebars, Liquid and Jinja, by their name there. */
const LOOP_VARIABLES: Readonly<Record<string, string>> = {
  index: "index",
  index0: "index",
  index1: "number",
  first: "first",
  last: "last",
  key: "key",
};

/** A hint for a first word that means something in another language. */
export function suggestScope(path: string): string | undefined {
  const [first = "", ...keys] = path.split(".");
  const rest = keys.join(".");
  const counter = first === "loop" && rest === "index" ? "number" : undefined;
  switch (first) {
    case "loop":
    case "forloop":
      return `Inside a collection, write its collectionId: item.${counter ?? findOwn(LOOP_VARIABLES, rest) ?? "number"}.`;
    case "this":
    case "self":
      return `Write the collectionId of the collection, or root${rest && `: root.${rest}`}.`;
    case "d":
    case "data":
    case "record":
    case "doc":
      return rest === ""
        ? undefined
        : `The record is called root: root.${rest}.`;
    default:
      return undefined;
  }
}

/** The name here of a filter that is named here or elsewhere. */
function findFilter(name: string): string | undefined {
  const meant = FILTERS.has(name) ? name : findAlias(FILTER_ALIASES, name);
  return meant !== undefined && FILTERS.has(meant) ? meant : undefined;
}

function findAlias(
  aliasMap: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return findOwn(aliasMap, toKey(name));
}

/** Names of the definition may be those of Object.prototype. */
function findOwn<T>(record: Readonly<Record<string, T>>, name: string) {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g;

/** Strings become spaces, so that their content is not mistaken for operators. */
function blankStrings(text: string): string {
  return text.replaceAll(
    STRING,
    (string) => `"${" ".repeat(string.length - 2)}"`,
  );
}

/** `root.due | date: "%Y"` of Liquid, and `d.due:formatD("YYYY")` of Carbone. */
function explainFilter(text: string, parses: Parses): Advice | null {
  const plain = blankStrings(text);
  const match = /\|\s*([\w-]+)\s*:|\w:(\w+)/.exec(plain);
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined) return null;
  const filter = findFilter(name);
  if (filter === undefined)
    return {
      message: `Unknown filter "${name}".`,
      hint: suggestFilter(name) ?? suggestNames(name, FILTERS, String),
    };
  const end = match.index + match[0].length;
  const [, args = ""] = /^\s*\(?([^|()]*)/.exec(text.slice(end)) ?? [];
  const value = text.slice(0, match.index + (match[1] ? 0 : 1)).trim();
  const written = args.trim().replaceAll(STRING, toDatePattern);
  const whole = `${value.replace(/^d\./, "root.")} | ${filter}${written && `(${written})`}`;
  return {
    message: "The arguments of a filter are written in parentheses.",
    hint: `Write {{ ${parses(whole) ? whole : 'root.date | date("dd MMM yyyy")'} }}.`,
  };
}

/** `{{ uppercase root.name }}`: a helper of Handlebars. */
function explainHelperCall(text: string): Advice | null {
  const [, name = "", value = ""] =
    /^([a-z]\w*)\s+([\p{L}_$][\w.]*)(?:\s+[^]*)?$/u.exec(text) ?? [];
  const filter = FILTERS.has(name) ? name : findAlias(FILTER_ALIASES, name);
  if (filter === undefined) return null;
  return {
    message: `"${name}" is not called this way.`,
    hint: FILTERS.has(filter)
      ? `Write the filter after the value: {{ ${value} | ${filter} }}.`
      : filter,
  };
}

/** All filters of this language; a test compares them with the filters themselves. */
const FILTERS: ReadonlySet<string> = new Set(
  (
    "number percent currency date upper lower title truncate default mask " +
    "markdown nl2br words ordinal"
  ).split(" "),
);

// Names of filters and functions elsewhere.

/** What each name means: a name here, or a sentence. @param table a line for each meaning, behind the names that have it */
function aliases(table: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    table
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [names = "", meaning = ""] = line.trim().split(" => ");
        return names.split(" ").map((name) => [toKey(name), meaning]);
      }),
  );
}

const FILTER_ALIASES = aliases(`
  money moneyWithCurrency formatCurrency currencyFormat toCurrency formatC price => currency
  dateFormat formatDate formatD strftime toDate dateTime formatDateTime moment time convDate toLocaleDateString toDateString => date
  formatNumber numberFormat formatN numeral toFixed fixed decimal floatFormat intComma toLocaleString thousands float int => number
  upperCase upCase toUpper toUpperCase toLocaleUpperCase ucase caps => upper
  lowerCase downCase toLower toLowerCase toLocaleLowerCase lcase => lower
  titleCase titleize capitalize capitalizeFirst capFirst ucFirst ucWords proper startCase => title
  spellOut toWords inWords numberToWords numToWords => words
  percentage toPercent formatPercent pct => percent
  truncateWords ellipsis excerpt limitTo shorten cut substr => truncate
  ifEmpty fallback orElse ifNull defaultIfNone d => default
  md markdownify convertToHtml markdownToHtml => markdown
  newlineToBr newlinesToBr lineBreaks lineBreaksBr convCRLF => nl2br
  ordinalize nth => ordinal
  escape e h escapeOnce urlEncode forceEscape => Values are always escaped; remove this filter.
  safe raw noEscape html safeString => Values are always escaped. For text with formatting write {{ root.text | markdown }}, or use an html component.
  size length len count => Write LEN(root.name) for a text, or COUNT(root.lines) for a collection.
  join implode arrayJoin => Write JOIN(root.lines.name, ", ").
  sum aggSum => Write SUM(root.lines, amount).
  avg average mean => Write AVG(root.lines, amount).
  min minimum => Write MIN(root.lines, amount).
  max maximum => Write MAX(root.lines, amount).
  round => Write ROUND(root.amount, 2).
  ceil ceiling => Write CEIL(root.amount).
  floor => Write FLOOR(root.amount).
  abs => Write ABS(root.amount).
  plus add => Write the operator: root.a + root.b.
  minus sub subtract => Write the operator: root.a - root.b.
  times mul multiply => Write the operator: root.a * root.b.
  dividedBy div divide => Write the operator: root.a / root.b.
  modulo mod => Write the operator: root.a % root.b.
  append prepend concat => Join text with ~: root.name ~ "!".
  first head => Write the index: root.lines.0.
  sort sortBy orderBy sortNatural reverse => Repeat a component with "collection"; its "sort" orders the elements.
  where filter select reject => Repeat a component with "collection"; its "filter" selects the elements.
  groupBy group => Repeat a component with "collection"; its "groupBy" makes groups.
  map pluck => Write the field after the collection: root.lines.name.
`);

const FUNCTION_ALIASES = aliases(`
  if iif ifelse switch case choose => Write "yes" if root.paid else "no".
  average mean => Did you mean AVG?
  concatenate textJoin => Did you mean CONCAT?
  ifNull nvl isNull ifEmpty ifError default => Did you mean COALESCE?
  length size strlen => Did you mean LEN?
  countA rows total => Did you mean COUNT?
  addDays dateAdd eDate addMonths => Did you mean DATE_ADD?
  dateDif datedIf days daysBetween => Did you mean DATE_DIFF?
  currentDate curDate => Did you mean TODAY?
  ceiling roundUp => Did you mean CEIL?
  roundDown trunc int => Did you mean FLOOR?
`);

/** `date_format`, `date-format` and `dateFormat` are the same name. */
function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** A hint for a filter that has another name in other languages. */
export function suggestFilter(name: string): string | undefined {
  const meant = findAlias(FILTER_ALIASES, name);
  return meant === undefined ? undefined : suggestAlias(meant);
}

function suggestAlias(meant: string): string {
  return /^\w+$/.test(meant) ? `Did you mean ${meant}?` : meant;
}

/** A hint for a function that has another name in other languages, or is a filter here. */
export function suggestFunction(name: string): string | undefined {
  const alias = findAlias(FUNCTION_ALIASES, name);
  if (alias !== undefined) return alias;
  const filter = findFilter(toKey(name)) ?? findFilter(name);
  return filter !== undefined
    ? `Use the filter: {{ root.value | ${filter} }}.`
    : undefined;
}

// Date patterns.

/** @param pairs a code there and here each, such as `Y=yyyy` */
function codes(pairs: string): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.split(" ").map((pair) => pair.split("=")));
}

const STRFTIME = codes(
  "Y=yyyy y=yy m=MM -m=M d=dd -d=d e=d B=MMMM b=MMM h=MMM H=HH -H=H " +
    "I=hh -I=h M=mm S=ss p=a A=EEEE a=EEE j=D Z=z z=xx F=yyyy-MM-dd " +
    "D=MM/dd/yy T=HH:mm:ss R=HH:mm",
);
const PHP = codes(
  "Y=yyyy y=yy m=MM n=M d=dd j=d F=MMMM M=MMM H=HH G=H i=mm s=ss " +
    "l=EEEE D=EEE",
);

/**
 * The pattern that one of strftime or PHP means, such as `yyyy-MM-dd` for `%Y-%m-%d`; null for a pattern that
 * is none of theirs.
 */
export function findMeantDatePattern(pattern: string): string | null {
  if (/%-?[A-Za-z]/.test(pattern))
    return pattern.replaceAll(
      /%(-?[A-Za-z])/g,
      (_, code: string) => findOwn(STRFTIME, code) ?? "",
    );
  // One letter for each part, with a year of four digits: d.m.Y
  if (
    /^[djnmYFMlDHGis\s.,:/-]+$/.test(pattern) &&
    /(?<![A-Za-z])Y(?![A-Za-z])/.test(pattern) &&
    /[A-Za-z][\s.,:/-]/.test(pattern) &&
    !/([A-Za-z])\1/.test(pattern)
  )
    return pattern.replaceAll(/[A-Za-z]/g, (code) => PHP[code] ?? code);
  return null;
}

function toDatePattern(string: string): string {
  const meant = /%-?[A-Za-z]/.test(string)
    ? findMeantDatePattern(string.slice(1, -1))
    : null;
  return meant === null ? string : JSON.stringify(meant);
}

// Other languages' braces in the text around expressions. They may be meant literally.

const PATH = String.raw`[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+|\[[\w+]*\])*`;
const LITERALS: readonly [
  pattern: RegExp,
  describe: (inner: string, parses: Parses) => string,
][] = [
  [/\{%[-~]?\s*([^%{}]{0,200}?)\s*[-~]?%\}/u, explainTag],
  [
    /\{#\s*([^#{}]{0,200}?)\s*#\}/u,
    () =>
      "Remove the comment, or keep it in a property of the component that starts with x-.",
  ],
  [/<%[-=#_]?\s*([^%]{0,200}?)\s*[-_]?%>/u, explainPrinted],
  [
    new RegExp(String.raw`[$#]\{\s*(${PATH}[^{}]{0,200}?)\s*\}`, "u"),
    explainPrinted,
  ],
  [new RegExp(String.raw`\[\[\s*(${PATH})\s*\]\]`, "u"), explainPrinted],
  [
    new RegExp(
      String.raw`(?<![{\\])\{([dc]\.${PATH}[^{}]{0,200}?)\}(?!\})`,
      "u",
    ),
    (inner, parses) =>
      explainPrinted(inner.replace(/^d\.(?![^:]*:)/, "root."), parses),
  ],
  [new RegExp(String.raw`(?<![{\\])\{([#/^]${PATH})\}(?!\})`, "u"), explainTag],
];

function explainTag(inner: string, parses: Parses): string {
  return (
    findHabit(BLOCKS, inner, parses)?.hint ??
    "Text has no tags: show and repeat components with condition and collection."
  );
}

function explainPrinted(inner: string, parses: Parses): string {
  if (parses(inner)) return `Write {{ ${inner} }}.`;
  return (
    explainForeignSyntax(inner, parses)?.hint ??
    "Write {{ root.name }}, with a path of your data."
  );
}

/** What a literal text contains that is an expression in another language. */
interface ForeignText {
  text: string;
  hint: string;
}

/** @param isField whether a name or path belongs to the data, so that `{name}` is probably meant as an expression */
export function findForeignText(
  literal: string,
  isField: (path: string) => boolean,
  parses: Parses,
): ForeignText | null {
  if (!/[{[<]/.test(literal)) return null;
  for (const [pattern, describe] of LITERALS) {
    const match = pattern.exec(literal);
    if (match)
      return { text: match[0], hint: describe(match[1] ?? "", parses) };
  }
  const single = new RegExp(
    String.raw`(?<![{\\])\{\s*(${PATH})\s*\}(?!\})`,
    "u",
  ).exec(literal);
  const path = single?.[1];
  return single && path !== undefined && isField(path)
    ? { text: single[0], hint: `Write {{ ${path} }}.` }
    : null;
}
