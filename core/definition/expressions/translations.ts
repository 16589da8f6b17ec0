import {
  type MessageFormatElement,
  parse,
  TYPE,
} from "@formatjs/icu-messageformat-parser";
import { LRUCache } from "lru-cache";
import { bindingError, getProblem, type BindingProblem } from "./problem.js";
import {
  calculate,
  isEmpty,
  type Numeric,
  formatNumber,
  numberFormatFor,
  pluralRulesFor,
  safeLocale,
  toNumeric,
  toText,
} from "./values.js";

// The texts of a definition in several languages, in the message format of ICU. Values of the data are only ever
// compared with the cases of a text, and inserted into it.

/** Texts by key, by locale. */
export type TranslationTable = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** Longer texts are refused, so that neither parsing nor nesting takes long. */
const MAX_MESSAGE_LENGTH = 4_000;

interface FoundText {
  readonly text: string;
  /** The locale whose text it is. */
  readonly locale: string;
  /** Whether it is of another language than the one that was asked for. */
  readonly isForeign: boolean;
}

interface Language {
  readonly locale: string;
  /** The locale without its region. */
  readonly language: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** Where a locale looks for its texts. */
interface SearchOrder {
  readonly language: string;
  readonly languages: readonly Language[];
}

export class Translations {
  readonly #languages: readonly Language[];
  readonly #defaultLocale: string;
  readonly #orders = new LRUCache<string, SearchOrder>({ max: 50 });
  readonly #messages = new Map<string, Message>();
  #keys: ReadonlySet<string> | undefined;

  constructor(table: TranslationTable, defaultLocale: string) {
    this.#languages = Object.entries(table).map(([locale, texts]) => ({
      locale: canonical(locale),
      language: languageOf(locale),
      texts: new Map(Object.entries(texts)),
    }));
    this.#defaultLocale = canonical(defaultLocale);
  }

  get isEmpty(): boolean {
    return this.#languages.length === 0;
  }

  /** All keys that at least one language has. */
  get keys(): ReadonlySet<string> {
    return (this.#keys ??= new Set(
      this.#languages.flatMap(({ texts }) => [...texts.keys()]),
    ));
  }

  /** The valid texts of a key in all languages. */
  *list(key: string): Iterable<{ locale: string; message: Message }> {
    for (const { locale, texts } of this.#languages) {
      const text = texts.get(key);
      if (text !== undefined && findMessageProblem(this, text) === null)
        yield { locale, message: this.getMessage(text) };
    }
  }

  /**
   * The text of a key: of the locale, of its language, of the default locale, of any other. Null when no language has
   * the key.
   */
  find(key: string, wanted: string): FoundText | null {
    const order = this.#getOrder(wanted);
    for (const { locale, language, texts } of order.languages) {
      const text = texts.get(key);
      if (text !== undefined)
        return { text, locale, isForeign: language !== order.language };
    }
    return null;
  }

  /** @throws PlatenError `invalid_definition` for a text that is no message */
  getMessage(text: string): Message {
    const cached = this.#messages.get(text);
    if (cached) return cached;
    const message = parseMessage(text);
    this.#messages.set(text, message);
    return message;
  }

  #getOrder(wanted: string): SearchOrder {
    const cached = this.#orders.get(wanted);
    if (cached) return cached;
    const language = languageOf(wanted);
    const languages = new Set([
      ...this.#findLocales(withAncestors(canonical(wanted))),
      ...this.#languages.filter((candidate) => candidate.language === language),
      ...this.#findLocales(withAncestors(this.#defaultLocale)),
      ...this.#languages,
    ]);
    const order = { language, languages: [...languages] };
    this.#orders.set(wanted, order);
    return order;
  }

  #findLocales(locales: readonly string[]): Language[] {
    return locales.flatMap((locale) =>
      this.#languages.filter((language) => language.locale === locale),
    );
  }
}

export const NO_TRANSLATIONS = new Translations({}, "en-US");

/** The tag as it is usually written and without extensions. */
function canonical(tag: string): string {
  return new Intl.Locale(safeLocale(tag)).baseName;
}

function languageOf(tag: string): string {
  return new Intl.Locale(safeLocale(tag)).language;
}

/** `zh-Hant-TW`, `zh-Hant`, `zh`. */
function withAncestors(tag: string): string[] {
  const parts = tag.split("-");
  return parts.map((_part, index) =>
    parts.slice(0, parts.length - index).join("-"),
  );
}

/** A parsed text. */
export interface Message {
  /** The values that it needs. */
  readonly names: ReadonlySet<string>;
  /** @param onNotNumber called with the name of a value that has to be a number */
  format(
    values: ReadonlyMap<string, unknown>,
    locale: string,
    onNotNumber: (name: string) => void,
  ): string;
}

/** @throws PlatenError `invalid_definition`, with the line and column */
function parseMessage(text: string): Message {
  if (text.length > MAX_MESSAGE_LENGTH)
    throw bindingError({
      code: "invalid_message",
      message: `The text is longer than ${MAX_MESSAGE_LENGTH} characters.`,
      hint: "Split it into several texts.",
    });
  const elements = parseElements(text);
  const names = new Set<string>();
  collectNames(elements, text, names);
  return {
    names,
    format: (values, locale, onNotNumber) =>
      new MessageWriter(values, locale, onNotNumber).write(elements, null),
  };
}

/** The problem of a text; null when there is none. */
export function findMessageProblem(
  translations: Translations,
  text: string,
): BindingProblem | null {
  try {
    translations.getMessage(text);
    return null;
  } catch (error) {
    return getProblem(error);
  }
}

function parseElements(text: string): MessageFormatElement[] {
  try {
    return parse(text, { ignoreTag: true, captureLocation: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = getStart(error);
    const [message, hint] = text.includes("{{")
      ? BRACES
      : (ERRORS[error.message] ?? OTHER_ERROR);
    const where = text.includes("\n") ? ` It is in line ${line}.` : "";
    throw bindingError({
      code: "invalid_message",
      message: message + where,
      hint,
      expression: text.split("\n")[line - 1] ?? text,
      column,
    });
  }
}

function getStart(error: SyntaxError): { line: number; column: number } {
  const location: unknown = Reflect.get(error, "location");
  const start: unknown = Object(location).start;
  const { line, column } = Object(start);
  return { line: Number(line ?? 1), column: Number(column ?? 1) };
}

type Explanation = readonly [message: string, hint: string];

const PLURAL_HINT = "Write {count, plural, one {# item} other {# items}}.";
const SELECT_HINT = "Write {kind, select, paid {Paid} other {Open}}.";
const QUOTE_HINT =
  "Close every {. A literal brace is written in single quotes: '{'.";
const BRACES: Explanation = [
  "The text of a translation has no {{ }}.",
  'Name the value in the text, {days}, and pass it: {{ t("due", days = root.days) }}.',
];
const OTHER_ERROR: Explanation = [
  "The text is not a valid ICU message.",
  QUOTE_HINT,
];
/** By the name of the parser's error. */
const ERRORS: Readonly<Record<string, Explanation>> = {
  EXPECT_ARGUMENT_CLOSING_BRACE: ["A closing } is missing.", QUOTE_HINT],
  UNCLOSED_QUOTE_IN_ARGUMENT_STYLE: ["A closing ' is missing.", QUOTE_HINT],
  EMPTY_ARGUMENT: ["The name of a value is missing.", "Write {name}."],
  MALFORMED_ARGUMENT: [
    "The name of a value consists of letters, digits and underscores.",
    "Write {name}. A literal brace is written in single quotes: '{'.",
  ],
  EXPECT_ARGUMENT_TYPE: ["The type of a value is missing.", PLURAL_HINT],
  INVALID_ARGUMENT_TYPE: [
    "A value has the type number, plural, selectordinal or select.",
    PLURAL_HINT,
  ],
  EXPECT_PLURAL_ARGUMENT_SELECTOR: ["A case is missing.", PLURAL_HINT],
  EXPECT_PLURAL_ARGUMENT_SELECTOR_FRAGMENT: [
    "The text of a case is missing.",
    PLURAL_HINT,
  ],
  INVALID_PLURAL_ARGUMENT_SELECTOR: ["A case is not valid.", PLURAL_HINT],
  DUPLICATE_PLURAL_ARGUMENT_SELECTOR: ["A case is given twice.", PLURAL_HINT],
  EXPECT_SELECT_ARGUMENT_OPTIONS: ["The cases are missing.", PLURAL_HINT],
  EXPECT_SELECT_ARGUMENT_SELECTOR: ["A case is missing.", SELECT_HINT],
  EXPECT_SELECT_ARGUMENT_SELECTOR_FRAGMENT: [
    "The text of a case is missing.",
    SELECT_HINT,
  ],
  DUPLICATE_SELECT_ARGUMENT_SELECTOR: ["A case is given twice.", SELECT_HINT],
  MISSING_OTHER_CLAUSE: ['The case "other" is missing.', PLURAL_HINT],
};

const NUMBER_STYLES: Readonly<Record<string, Intl.NumberFormatOptions>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: "percent" },
};

/** @throws PlatenError `invalid_definition` for what a text cannot format */
function collectNames(
  elements: readonly MessageFormatElement[],
  text: string,
  names: Set<string>,
): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    const { value: name, location } = element;
    names.add(name);
    const column = (location?.start.offset ?? 0) + 1;
    const refuse = (message: string, example: string) =>
      bindingError({
        code: "invalid_message",
        message,
        hint: `Write {${name}}, and pass the formatted value: ${example}.`,
        expression: text,
        column,
      });
    if (element.type === TYPE.date || element.type === TYPE.time)
      throw refuse(
        "A text does not format dates.",
        `${name} = root.${name} | date("long")`,
      );
    if (
      element.type === TYPE.number &&
      element.style &&
      !(
        typeof element.style === "string" &&
        Object.hasOwn(NUMBER_STYLES, element.style)
      )
    )
      throw refuse(
        "A text formats numbers as number, integer or percent only.",
        `${name} = root.${name} | currency`,
      );
    if (element.type === TYPE.select || element.type === TYPE.plural)
      for (const { value } of Object.values(element.options))
        collectNames(value, text, names);
  }
}

class MessageWriter {
  constructor(
    private readonly values: ReadonlyMap<string, unknown>,
    private readonly locale: string,
    private readonly onNotNumber: (name: string) => void,
  ) {}

  /** @param count what `#` prints: of the innermost plural */
  write(
    elements: readonly MessageFormatElement[],
    count: string | null,
  ): string {
    return elements.map((element) => this.#writeOne(element, count)).join("");
  }

  #writeOne(element: MessageFormatElement, count: string | null): string {
    switch (element.type) {
      case TYPE.literal:
        return element.value;
      case TYPE.pound:
        return count ?? "#";
      case TYPE.number: {
        const style =
          typeof element.style === "string" ? element.style : "number";
        const number = this.#readNumber(element.value);
        return number === null
          ? this.#readText(element.value)
          : this.#formatNumber(number, style);
      }
      case TYPE.select: {
        const { options, value: name } = element;
        const text = this.#readText(name);
        const isCase = Object.hasOwn(options, text);
        return this.write(options[isCase ? text : "other"]!.value, count);
      }
      case TYPE.plural: {
        const { options, value: name, offset, pluralType } = element;
        const number = this.#readNumber(name);
        if (number === null)
          return this.write(options["other"]!.value, this.#readText(name));
        const left = calculate("-", number, offset) ?? number;
        const exact = `=${toText(number)}`;
        const category = pluralRulesFor(
          this.locale,
          pluralType ?? "cardinal",
        ).select(Number(left));
        const chosen = [exact, category].find((selector) =>
          Object.hasOwn(options, selector),
        );
        return this.write(
          options[chosen ?? "other"]!.value,
          this.#formatNumber(left, "number"),
        );
      }
      default:
        return this.#readText(element.value);
    }
  }

  #readText(name: string): string {
    return toText(this.values.get(name));
  }

  /** Null for an empty value, and for anything but a number, which is reported. */
  #readNumber(name: string): Numeric | null {
    const value = this.values.get(name);
    const number = toNumeric(value);
    if (number === null && !isEmpty(value)) this.onNotNumber(name);
    return number;
  }

  #formatNumber(number: Numeric, style: string): string {
    const options = NUMBER_STYLES[style] ?? {};
    const format = numberFormatFor(this.locale, `message ${style}`, options);
    return formatNumber(number, format);
  }
}
