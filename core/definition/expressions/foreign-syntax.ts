import { suggestNames } from "../../plugin-api/index.js";

// Habits from other template languages (Handlebars, Liquid, Jinja, Carbone, JavaScript, Excel), and what to write
// instead. Only used for messages.

/** What is wrong and how to write it here. */
interface Advice {
  message: string;
  hint: string;
}

/**
 * Explains an expression that did not parse, when it is written in another template language.
 * @param source the text between the braces
 * @param parses whether a text is a valid expression
 */
export function explainForeignSyntax(
  source: string,
  parses: (text: string) => boolean,
): Advice | null {
  const whole = source.trim();
  if (/^\{\{[^]*\}\}$/.test(whole))
    return {
      message: "An expression is written without braces here.",
      hint: `Write ${whole.slice(2, -2).trim()}.`,
    };
  const text = whole.replace(/^[~-]+|[~-]+$/g, "").trim();
  if (text !== whole && parses(text))
    return {
      message: "Spaces around an expression are kept as they are.",
      hint: `Write {{ ${text} }}.`,
    };
  return (
    explainBlock(text, parses) ??
    explainOperators(text, parses) ??
    explainHelperCall(text)
  );
}

const NO_PARTIALS: Advice = {
  message: "A text does not include other templates.",
  hint: 'Use a reusable block, { "type": "partial", "name": "…" }, or write the components here. What appears on every page belongs into page.header or page.footer, and a look that is used often into styles.',
};

const NO_VARIABLES: Advice = {
  message: "Templates have no variables.",
  hint: "Write the expression where its value is used, or declare a computed field in the schema.",
};

/** `#if x`, `/if`, `else`, `#each x`, `> partial`, `{ raw }` and their relatives without a sign. */
function explainBlock(
  text: string,
  parses: (text: string) => boolean,
): Advice | null {
  if (text.startsWith("{"))
    return notEscaped("{{{ }}}", text.replace(/^\{+|\}+$/g, ""));
  if (text.startsWith("&") && !text.startsWith("&&"))
    return notEscaped("{{& }}", text.slice(1));
  if (/^!(?:--|\s|$)|^\/\*|^\/\//.test(text))
    return {
      message: "Comments are not available in a text.",
      hint: 'Remove it, or keep the note in a property of the component that starts with x-, such as "x-note".',
    };
  if (
    text.startsWith(">") ||
    /^(?:include|import|extends|partial)\b/.test(text)
  )
    return NO_PARTIALS;
  const [, sign = "", word = "", rest = ""] =
    /^([#/^@%]?)\s*([\p{L}_]\w*)?\s*([^]*)$/u.exec(text) ?? [];
  const isBlock = sign !== "" && sign !== "@";
  if (sign === "@") return explainLoopVariable(word);
  if (/^\.\.?\//.test(text))
    return {
      message: "A path does not go up with ../.",
      hint: `Start it with the collectionId of the enclosing collection, or with root: {{ root.${text.replace(/^(?:\.\.?\/)+/, "")} }}.`,
    };
  if (/^\.(?:\w|$)/.test(text))
    return {
      message: "A path does not start with a dot.",
      hint: `Start it with root or a collectionId: {{ root${text === "." ? ".name" : text} }}.`,
    };
  if (sign === "/" || /^end(?:if|for|each|unless|case|with)?$/.test(word))
    return rest === "" || sign === "/" ? explainBlockEnd(text) : null;
  if (/^(?:else|elsif|elseif|elif)$/.test(word))
    return {
      message: "Text has no else block.",
      hint: 'Put the other components into "else": [ … ] of the component\'s condition, or write {{ "yes" if root.paid else "no" }}.',
    };
  if (word === "if" || word === "unless" || word === "case")
    return rest === "" || (!isBlock && parses(`${text} else null`))
      ? null
      : explainCondition(rest, word === "unless", parses);
  if (/^(?:each|for|foreach|range|repeat)$/.test(word) && rest !== "")
    return explainLoop(rest);
  if (/^(?:set|assign|let|var|const|capture|with)$/.test(word) && rest !== "")
    return NO_VARIABLES;
  if (sign === "^") return explainCondition(`${word}${rest}`, true, parses);
  // Mustache: a section is a loop or a condition.
  return sign === "#" && word !== "" ? explainLoop(`${word}${rest}`) : null;
}

function notEscaped(form: string, inner: string): Advice {
  const value = inner.trim() || "root.text";
  return {
    message: `Values are always escaped, so ${form} is not available.`,
    hint: `Write {{ ${value} }}. For text with formatting write {{ ${value} | markdown }}, or use an html component.`,
  };
}

function explainBlockEnd(text: string): Advice {
  return {
    message: `Text has no blocks, so there is nothing that ${JSON.stringify(text)} ends.`,
    hint: "Remove it. A condition or collection belongs to the component that it shows or repeats.",
  };
}

/** A word such as `endif`, which would be a field, for which the schema declares none. */
export function explainUndeclaredName(name: string): Advice | null {
  return /^(?:end|endif|endfor|endeach|endunless|endcase)$/i.test(name)
    ? explainBlockEnd(name)
    : null;
}

function explainCondition(
  tag: string,
  isNegated: boolean,
  parses: (text: string) => boolean,
): Advice {
  const test = cleanTest(tag);
  const rule = JSON.stringify(toRule(test, isNegated, parses)).replaceAll(
    /([{:,])(?=")/g,
    "$1 ",
  );
  return {
    message: "Text has no if blocks.",
    hint: `Give the component that it shows a condition: "condition": { "combinator": "and", "rules": [${rule.replace(/\}$/, " }")}] }. Inside a text, write {{ "yes" if ${isNegated ? "not " : ""}${translatable(test, parses) ?? "root.paid"} else "no" }}.`,
  };
}

/** `(x) {` and `x %` without what belongs to the tag. */
function cleanTest(test: string): string {
  return test
    .trim()
    .replace(/\s*[{%:]$/, "")
    .replace(/^\(([^()]*)\)$/, "$1");
}

function toRule(
  test: string,
  isNegated: boolean,
  parses: (text: string) => boolean,
): Record<string, unknown> {
  const field = translatable(test, parses) ?? "root.paid";
  const [, path = "", operator = "", literal = ""] =
    /^([\w.]+)\s*(=|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)$/.exec(
      field,
    ) ?? [];
  if (path !== "" && !isNegated) {
    const value = /^["']/.test(literal)
      ? literal.slice(1, -1)
      : Number(literal);
    return { field: path, operator, value };
  }
  return /^[\w.]+$/.test(field)
    ? { field, operator: isNegated ? "empty" : "notEmpty" }
    : { field, operator: "=", value: !isNegated };
}

function explainLoop(rest: string): Advice {
  const [, item = "item", list = "root.lines"] =
    /^(\w+)(?:\s*,\s*\w+)?\s+in\s+([\w.]+)/.exec(rest) ??
    withoutName(/^([\w.]+)/.exec(rest)?.[1]);
  const path = list.includes(".")
    ? list.replace(/^\.+/, "root.")
    : `root.${list}`;
  const collection = `"collection": { "collectionId": "${item}", "path": "${path}" }`;
  return {
    message: "Text has no loops.",
    hint: `Give the component that it repeats a collection: ${collection}, and write {{ ${item}.name }} inside it. To list values in one text, write {{ JOIN(${path}.name, ", ") }}.`,
  };
}

function withoutName(list: string | undefined): (string | undefined)[] {
  return ["", undefined, list];
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

function explainLoopVariable(word: string): Advice {
  const name = findOwn(LOOP_VARIABLES, word) ?? "index";
  return {
    message: `"@${word}" is not available.`,
    hint:
      word === "root"
        ? "Start the path with root: {{ root.name }}."
        : `Write the collectionId before it: {{ item.${name} }}; item.number counts from 1, item.index from 0.`,
  };
}

/** A hint for a first word that means something in another language. */
export function suggestScope(path: string): string | undefined {
  const [first = "", ...keys] = path.split(".");
  const rest = keys.join(".");
  switch (first) {
    case "loop":
    case "forloop":
      return `Inside a collection, write its collectionId: item.${first === "loop" && rest === "index" ? "number" : (findOwn(LOOP_VARIABLES, rest) ?? "number")}.`;
    case "this":
    case "self":
      return `Write the collectionId of the collection, or root${rest && `: root.${rest}`}.`;
    case "d":
    case "range":
      return explainLoop(rest).hint;
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

// JavaScript, Liquid and Carbone inside an expression: translated, and shown when the translation is valid.

/** What each foreign operator is called in messages. */
const OPERATORS: readonly [pattern: RegExp, message: string, hint: string][] = [
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
];

function explainOperators(
  text: string,
  parses: (text: string) => boolean,
): Advice | null {
  const plain = blankStrings(text);
  const translation = translatable(text, parses);
  const written =
    translation === null || translation === text
      ? null
      : `Write {{ ${translation} }}.`;
  const method = /\.\s*([\p{L}_$][\w$]*)\s*\(/u.exec(plain)?.[1];
  if (method !== undefined)
    return {
      message: `A value has no methods, so ".${method}()" is not available.`,
      hint: written ?? methodHint(method),
    };
  if (/^new\s/.test(plain))
    return {
      message: "Objects cannot be created.",
      hint: "For the current date write TODAY(), or NOW() with the time.",
    };
  for (const [pattern, message, hint] of OPERATORS)
    if (pattern.test(plain)) return { message, hint: written ?? hint };
  const called = /\|\s*([\w-]+)\s*:|\w:(\w+)/.exec(plain);
  const filter = called?.[1] ?? called?.[2];
  if (filter !== undefined && findFilter(filter) === undefined)
    return {
      message: `Unknown filter "${filter}".`,
      hint: suggestFilter(filter) ?? suggestNames(filter, FILTERS, String),
    };
  if (filter !== undefined)
    return {
      message: "The arguments of a filter are written in parentheses.",
      hint: written ?? 'Write {{ root.date | date("dd MMM yyyy") }}.',
    };
  const word = /\s(AND|OR|NOT|is|in|contains|eq|ne|gt|lt|gte|lte)\s/.exec(
    plain,
  )?.[1];
  if (word !== undefined)
    return {
      message: `"${word}" is not an operator.`,
      hint:
        written ??
        WORD_HINTS[word] ??
        `Write ${COMPARISONS[word] ?? word.toLowerCase()}.`,
    };
  return null;
}

const WORD_HINTS: Readonly<Record<string, string>> = {
  is: "Compare with = or !=; to test for a missing value, write a = null.",
  in: 'Use the operator "in" or "contains" of a condition\'s rule.',
  contains: 'Use the operator "contains" of a condition\'s rule.',
};

/** The name here of a filter that is named here or elsewhere. */
function findFilter(name: string): string | undefined {
  const meant = FILTERS.has(name) ? name : findAlias(FILTER_ALIASES, name);
  return meant !== undefined && FILTERS.has(meant) ? meant : undefined;
}

function findAlias(
  known: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return findOwn(known, toKey(name));
}

/** Names of the definition may be those of Object.prototype. */
function findOwn<T>(known: Readonly<Record<string, T>>, name: string) {
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

function methodHint(method: string): string {
  const filter = findAlias(FILTER_ALIASES, method);
  return filter === undefined
    ? "Use a filter, such as {{ root.total | number(2) }}, or a function, such as LEN(root.name)."
    : suggestAlias(filter);
}

/** The expression in the words of this language, when that is valid; otherwise null. */
function translatable(
  text: string,
  parses: (text: string) => boolean,
): string | null {
  const translated = translate(text.trim());
  return translated !== "" && parses(translated) ? translated : null;
}

/** Filters that methods of JavaScript correspond to. */
const METHODS: Readonly<Record<string, (args: string) => string>> = {
  toFixed: (args) => `number(${args || "0"})`,
  toUpperCase: () => "upper",
  toLocaleUpperCase: () => "upper",
  toLowerCase: () => "lower",
  toLocaleLowerCase: () => "lower",
  toLocaleString: () => "number",
  toLocaleDateString: () => "date",
  toDateString: () => "date",
};

const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g;

function translate(text: string): string {
  const strings: string[] = [];
  const marked = text.replaceAll(STRING, (string) => {
    strings.push(string);
    return `\uE000${strings.length - 1}\uE000`;
  });
  const translated = translateMarked(marked);
  return translated.replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) =>
    toDatePattern(strings[Number(index)] ?? ""),
  );
}

/** @param text without strings, so that every character is an operator or a part of a name */
function translateMarked(text: string): string {
  const simple = text
    .replaceAll(/\+\s*(?=\uE000)|(?<=\uE000\s*)\+\s*/g, "~ ")
    .replace(/^d\.(?=[\w.]+:)/, "root.")
    .replaceAll("?.", ".")
    .replaceAll("&&", " and ")
    .replaceAll("||", " or ")
    .replaceAll("!==", "!=")
    .replaceAll("===", "=")
    .replaceAll("<>", "!=")
    .replaceAll(/!(?!=)\s*/g, "not ")
    .replaceAll(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replaceAll(
      /\s(eq|ne|gt|lt|gte|lte)\s/g,
      (_, word: string) => ` ${COMPARISONS[word] ?? word} `,
    )
    .replaceAll(
      /([\w$.]+)\.(\w+)\(([^()]*)\)/g,
      (call: string, path: string, name: string, args: string) => {
        const filter = findOwn(METHODS, name)?.(args);
        return filter === undefined ? call : `(${path} | ${filter})`;
      },
    )
    .replaceAll(
      /(\w)\s*:\s*(\w+)\(/g,
      (_, end: string, name: string) => `${end} | ${name}(`,
    )
    .replaceAll(
      /\|\s*([\w-]+)\s*:\s*([^|:]+)/g,
      (_, name: string, args: string) => `| ${name}(${args.trim()}) `,
    )
    .replaceAll(/\|\s*([\w-]+)/g, (whole, name: string) => {
      const filter = findFilter(name);
      return filter === undefined ? whole : `| ${filter}`;
    })
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return translateChoice(simple).replace(
    /^\(([^()]*(?:\([^()]*\))?[^()]*)\)$/,
    "$1",
  );
}

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "=",
  ne: "!=",
  gt: ">",
  lt: "<",
  gte: ">=",
  lte: "<=",
};

/** `a ? b : c` and `a ?? b` */
function translateChoice(text: string): string {
  const [, left, right] = /^([^?]+)\?\?([^?]+)$/.exec(text) ?? [];
  if (left && right) return `COALESCE(${left.trim()}, ${right.trim()})`;
  const at = text.indexOf("?");
  if (at < 0) return text;
  const colon = matchingColon(text, at + 1);
  if (colon < 0) return text;
  const test = text.slice(0, at).trim();
  const value = translateChoice(text.slice(at + 1, colon).trim());
  const other = translateChoice(text.slice(colon + 1).trim());
  return `${value.includes(" if ") ? `(${value})` : value} if ${test} else ${other}`;
}

function matchingColon(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "?") open++;
    if (text[at] === ":" && open-- === 0) return at;
  }
  return -1;
}

/** Strings become spaces, so that their content is not mistaken for operators. */
function blankStrings(text: string): string {
  return text.replaceAll(
    STRING,
    (string) => `"${" ".repeat(string.length - 2)}"`,
  );
}

/** `{{ uppercase root.name }}`: a helper of Handlebars. */
function explainHelperCall(text: string): Advice | null {
  const [, name = "", value = ""] =
    /^([a-z]\w*)\s+([\p{L}_$][\w.]*)(?:\s+[^]*)?$/u.exec(text) ?? [];
  const filter =
    findAlias(FILTER_ALIASES, name) ?? (FILTERS.has(name) ? name : undefined);
  if (filter === undefined) return null;
  return {
    message: `"${name}" is not called this way.`,
    hint: /^\w+$/.test(filter)
      ? `Write the filter after the value: {{ ${value} | ${filter} }}.`
      : suggestAlias(filter),
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

/** The name of a filter here, or a sentence, by the names elsewhere. */
const FILTER_ALIASES = aliases([
  [
    "currency",
    "money moneyWithCurrency formatCurrency currencyFormat toCurrency formatC price",
  ],
  [
    "date",
    "dateFormat formatDate formatD strftime toDate dateTime formatDateTime moment time convDate localDate dateString",
  ],
  [
    "number",
    "formatNumber numberFormat formatN numeral toFixed fixed decimal floatFormat intComma toLocaleString thousands float int",
  ],
  ["upper", "upperCase upCase toUpper toUpperCase ucase caps"],
  ["lower", "lowerCase downCase toLower toLowerCase lcase"],
  [
    "title",
    "titleCase titleize capitalize capitalizeFirst capFirst ucFirst ucWords proper startCase",
  ],
  ["words", "spellOut toWords inWords numberToWords numToWords"],
  ["percent", "percentage toPercent formatPercent pct"],
  ["truncate", "truncateWords ellipsis excerpt limitTo shorten cut substr"],
  ["default", "ifEmpty fallback orElse ifNull defaultIfNone d"],
  ["markdown", "md markdownify convertToHtml markdownToHtml"],
  ["nl2br", "newlineToBr newlinesToBr lineBreaks lineBreaksBr convCRLF"],
  ["ordinal", "ordinalize nth"],
  [
    "Values are always escaped; remove this filter.",
    "escape e h escapeOnce urlEncode forceEscape",
  ],
  [
    "Values are always escaped. For text with formatting write {{ root.text | markdown }}, or use an html component.",
    "safe raw noEscape html safeString",
  ],
  [
    "Write LEN(root.name) for a text, or COUNT(root.lines) for a collection.",
    "size length len count",
  ],
  ['Write JOIN(root.lines.name, ", ").', "join implode arrayJoin"],
  ["Write SUM(root.lines, amount).", "sum aggSum"],
  ["Write AVG(root.lines, amount).", "avg average mean"],
  ["Write MIN(root.lines, amount).", "min minimum"],
  ["Write MAX(root.lines, amount).", "max maximum"],
  ["Write ROUND(root.amount, 2).", "round"],
  ["Write CEIL(root.amount).", "ceil ceiling"],
  ["Write FLOOR(root.amount).", "floor"],
  ["Write ABS(root.amount).", "abs"],
  ["Write the operator: root.a + root.b.", "plus add"],
  ["Write the operator: root.a - root.b.", "minus sub subtract"],
  ["Write the operator: root.a * root.b.", "times mul multiply"],
  ["Write the operator: root.a / root.b.", "dividedBy div divide"],
  ["Write the operator: root.a % root.b.", "modulo mod"],
  ['Join text with ~: root.name ~ "!".', "append prepend concat"],
  ["Write the index: root.lines.0.", "first head"],
  [
    'Repeat a component with "collection"; its "sort" orders the elements.',
    "sort sortBy orderBy sortNatural reverse",
  ],
  [
    'Repeat a component with "collection"; its "filter" selects the elements.',
    "where filter select reject",
  ],
  [
    'Repeat a component with "collection"; its "groupBy" makes groups.',
    "groupBy group",
  ],
  ["Write the field after the collection: root.lines.name.", "map pluck"],
]);

/** What each name means. @param rows a meaning, and the names that have it */
function aliases(rows: readonly [meaning: string, names: string][]) {
  return Object.fromEntries(
    rows.flatMap(([meaning, names]) =>
      names.split(" ").map((name) => [toKey(name), meaning]),
    ),
  );
}

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

const FUNCTION_ALIASES = aliases([
  ['Write "yes" if root.paid else "no".', "if iif ifelse switch case choose"],
  ["Did you mean AVG?", "average mean"],
  ["Did you mean CONCAT?", "concatenate textJoin"],
  ["Did you mean COALESCE?", "ifNull nvl isNull ifEmpty ifError default"],
  ["Did you mean LEN?", "length size strlen"],
  ["Did you mean COUNT?", "countA rows total"],
  ["Did you mean DATE_ADD?", "addDays dateAdd eDate addMonths"],
  ["Did you mean DATE_DIFF?", "dateDif datedIf days daysBetween"],
  ["Did you mean TODAY?", "currentDate curDate"],
  ["Did you mean CEIL?", "ceiling roundUp"],
  ["Did you mean FLOOR?", "roundDown trunc int"],
]);

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

type Parses = (text: string) => boolean;

function explainTag(inner: string, parses: Parses): string {
  return (
    explainBlock(inner, parses)?.hint ??
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
  parses: (text: string) => boolean,
): ForeignText | null {
  if (!/[{[<]/.test(literal)) return null;
  for (const [pattern, describe] of LITERALS) {
    const found = pattern.exec(literal);
    if (found)
      return { text: found[0], hint: describe(found[1] ?? "", parses) };
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
