// How texts of cells are read as yes or no. A word is listed only if it means the same in all languages that have it.

export const BOOLEAN_STYLES = [
  "literals",
  "marks",
  "crosses",
  "words",
] as const;
/**
 * How the texts of a column write yes and no: as the booleans of a spreadsheet, TRUE and FALSE; by a mark alone, so that an
 * empty cell is no; by a cross for yes and a word for no; by words, beside which a cross may be either.
 */
export type BooleanStyle = (typeof BOOLEAN_STYLES)[number];

/** TRUE and FALSE in the languages of Excel. */
const LITERALS: Words = {
  yes: "true wahr vrai verdadero vero verdadeiro waar sant sand sann tosi prawda pravda igaz doğru adevărat истина",
  no: "false falsch faux falso onwaar falskt falsk usann epätosi fałsz nepravda hamis yanlış yanliş fals ложь",
};
const WORDS: Words = {
  yes: "yes ja oui sí si sì sim kyllä kylla jah jā igen tak áno ano taip evet bai да так ναι はい 是 예 네 نعم כן हाँ 1 checked ✓ ✔ ☑ ✅ √",
  no: "no nein non não nao nee nej nei ei nem nie ne nē hayır hayir ez нет не ні όχι いいえ 否 아니요 아니오 لا לא नहीं 0 unchecked ☐ ❌",
};
/** What may also be a code, or a word of another kind of column. */
const WEAK_WORDS: Words = { yes: "y j s t v da on", no: "n f nu off" };
const TICKS = split("✓ ✔ ☑ ✅ √ checked");
/** Yes, unless another value of the column is. */
const CROSSES = split("x ☒");
/** No, if another value of the column is yes. */
const STRIKES = split("✗ ✘ ×");

interface Words {
  yes: string;
  no: string;
}

function split(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

const yes = split(`${LITERALS.yes} ${WORDS.yes} ${WEAK_WORDS.yes}`);
const no = split(`${LITERALS.no} ${WORDS.no} ${WEAK_WORDS.no}`);
const trueLiterals = split(LITERALS.yes);
const falseLiterals = split(LITERALS.no);
const sureAlone = split(
  "true wahr vrai false falsch faux checked unchecked ✓ ✔ ☑ ✅ √ ☐ ❌ x ☒",
);

const maxCharacters = 12;

function toWord(text: string): string {
  return text.length > 2 * maxCharacters
    ? ""
    : text.normalize("NFC").replaceAll("\uFE0F", "").trim().toLowerCase();
}

/** Yes or no as a text says it; null for other texts, and for a mark that only its column explains. */
export function parseBooleanText(
  text: string,
  style: BooleanStyle | null = null,
): boolean | null {
  const word = toWord(text);
  if (yes.has(word)) return true;
  if (no.has(word)) return false;
  if (CROSSES.has(word) && (style === "marks" || style === "crosses"))
    return true;
  return STRIKES.has(word) && style === "words" ? false : null;
}

/** Whether a text is no more than a mark, which may mean yes or no. */
export function isAmbiguousMark(text: string): boolean {
  const word = toWord(text);
  return CROSSES.has(word) || STRIKES.has(word);
}

/** Whether a text is the FALSE of a spreadsheet: a text, and thus true as a condition. */
export function isFalseLiteral(text: string): boolean {
  return falseLiterals.has(toWord(text));
}

/** What the texts of a column have in common. */
export class BooleanProfile {
  readonly #words = new Set<string>();
  #isLiteral = true;

  /** Whether the text may mean yes or no. */
  add(text: string): boolean {
    const word = toWord(text);
    const isBoolean =
      yes.has(word) || no.has(word) || CROSSES.has(word) || STRIKES.has(word);
    if (isBoolean) this.#words.add(word);
    this.#isLiteral &&= isLiteral(text, word);
    return isBoolean;
  }

  /** Null without a text that means yes or no. */
  get style(): BooleanStyle | null {
    if (this.#words.size === 0) return null;
    const isFalse = this.#some(falseLiterals);
    if (this.#isLiteral && (isFalse || this.#words.has("true")))
      return "literals";
    const words = [...this.#words];
    if (words.every((word) => TICKS.has(word))) return "marks";
    if (words.every((word) => CROSSES.has(word))) return "marks";
    const hasMarks = this.#some(CROSSES) || this.#some(STRIKES);
    return this.#some(yes) || !hasMarks ? "words" : "crosses";
  }

  /** Whether the texts are hardly anything but yes and no, if each of them may be: a word alone may be a code, such as NO. */
  get isSure(): boolean {
    const isPair = this.#some(no) && (this.#some(yes) || this.#some(CROSSES));
    return isPair || [...this.#words].every((word) => sureAlone.has(word));
  }

  #some(list: ReadonlySet<string>): boolean {
    return [...this.#words].some((word) => list.has(word));
  }
}

/** In other languages than English in capital letters alone: `Falsch` is an answer. */
function isLiteral(text: string, word: string): boolean {
  if (word === "true" || word === "false") return true;
  const isKnown = trueLiterals.has(word) || falseLiterals.has(word);
  return isKnown && text === text.toUpperCase();
}
