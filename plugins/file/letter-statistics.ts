import { COMMON_WORDS } from "./common-words.js";

// How plausible a text is as words of some language, by the names that ICU has in it: of countries, languages, currencies,
// months and days. It decides which of several readings of the same bytes is right.

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  Latin:
    "en de fr es it pt nl ca ga sv nb da fi is fo et lv lt pl cs sk hu ro hr sl sq tr vi".split(
      " ",
    ),
  Cyrillic: ["ru", "uk", "bg", "sr", "be", "mk"],
  Greek: ["el"],
  Hebrew: ["he"],
  Arabic: ["ar", "fa", "ur"],
  Thai: ["th"],
};

const LETTERS = Array.from({ length: 26 }, (_, index) =>
  String.fromCodePoint(65 + index),
);
const PAIRS = LETTERS.flatMap((first) =>
  LETTERS.map((second) => first + second),
);
/** Probability of a letter that the names do not have. */
const UNSEEN = 1e-5;

/** Which letter follows which two, in one language. */
class LetterModel {
  readonly #counts = new Map<string, number>();
  #total = 0;
  /** What kinds of letters stand beside each letter. */
  readonly #kinds = new Map<string, number>();

  constructor(
    language: string,
    private readonly hasKinds: boolean,
  ) {
    for (const name of listNames(language))
      for (const word of name.split(/[^\p{L}\p{M}'’]+/u))
        if (word !== "") this.#learn(word.normalize().toLowerCase());
    // They are what files have; there are fewer of them.
    for (const word of (COMMON_WORDS[language] ?? "").split(" "))
      for (let time = 0; time < 4; time += 1)
        this.#learn(word.normalize().toLowerCase());
  }

  #learn(word: string): void {
    const letters = ["^", "^", ...toLetters(word), "$"];
    for (const [at, letter] of letters.entries()) {
      if (at < 2) continue;
      const [first = "", second = ""] = letters.slice(at - 2, at);
      for (const key of [
        letter,
        `${second}${letter}`,
        `${first}${second}${letter}`,
        `${second}>`,
        `${first}${second}>`,
      ])
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      this.#total += 1;
      if (letter > "\u007f") {
        const after = kindOf(letters[at + 1] ?? "$");
        for (const key of [
          letter,
          `${kindOf(second)}${letter}`,
          `${letter}${after}`,
        ])
          this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + 1);
      }
    }
  }

  #scoreKinds(before: string, letter: string, after: string): number {
    const total = (this.#kinds.get(letter) ?? 0) + 1;
    const left = (this.#kinds.get(`${kindOf(before)}${letter}`) ?? 0) + 0.33;
    const right = (this.#kinds.get(`${letter}${kindOf(after)}`) ?? 0) + 0.33;
    return Math.log(left / total) + Math.log(right / total);
  }

  /** The logarithm of the probability of a word in lower case. */
  score(word: string): number {
    let sum = 0;
    let first = "^";
    let second = "^";
    const letters = [...toLetters(word), "$"];
    for (const [at, letter] of letters.entries()) {
      if (letter > "\u007f" && this.hasKinds)
        sum += this.#scoreKinds(second, letter, letters[at + 1] ?? "$");
      const pair = second + letter;
      const single = (this.#counts.get(letter) ?? 0) / this.#total;
      const double =
        (this.#counts.get(pair) ?? 0) / (this.#counts.get(`${second}>`) ?? 1);
      const triple =
        (this.#counts.get(first + pair) ?? 0) /
        (this.#counts.get(`${first}${second}>`) ?? 1);
      sum += Math.log(0.45 * triple + 0.35 * double + 0.2 * single + UNSEEN);
      first = second;
      second = letter;
    }
    return sum;
  }
}

/** Vowels, consonants, and the ends of a word. */
function kindOf(letter: string): string {
  if (letter === "^" || letter === "$") return "$";
  const base = letter.normalize("NFD").charAt(0);
  return /[aeiouyæøœıəў]/.test(base) ? "V" : "C";
}

function listNames(language: string): string[] {
  const names: string[] = [];
  const add = (type: Intl.DisplayNamesType, codes: readonly string[]) => {
    const list = new Intl.DisplayNames(language, { type, fallback: "none" });
    for (const code of codes) names.push(list.of(code) ?? "");
  };
  add("region", PAIRS);
  add(
    "language",
    PAIRS.map((pair) => pair.toLowerCase()),
  );
  add("currency", Intl.supportedValuesOf("currency"));
  for (let month = 0; month < 12; month += 1) {
    const day = new Date(Date.UTC(2026, month, month + 1));
    for (const options of [
      { month: "long", day: "numeric" },
      { month: "long" },
      { weekday: "long" },
    ] as const)
      names.push(
        day.toLocaleDateString(language, { ...options, timeZone: "UTC" }),
      );
  }
  return names;
}

const models = new Map<string, readonly LetterModel[]>();

function getModels(script: string): readonly LetterModel[] {
  const list =
    models.get(script) ??
    (LANGUAGES[script] ?? []).map(
      (language) => new LetterModel(language, script === "Latin"),
    );
  models.set(script, list);
  return list;
}

const EAST_ASIAN = ["Han", "Hiragana", "Katakana", "Hangul"];
const scripts = [...Object.keys(LANGUAGES), ...EAST_ASIAN].map(
  (script) => [script, new RegExp(`\\p{scx=${script}}`, "u")] as const,
);

function findScript(letter: string): string {
  return scripts.find(([, pattern]) => pattern.test(letter))?.[0] ?? "";
}

/** The characters that many texts have, by the encoding whose rows list them. */
function listCharacters(
  encoding: string,
  from: number,
  to: number,
): Set<string> {
  const bytes: number[] = [];
  for (let lead = from; lead <= to; lead += 1)
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) bytes.push(lead, trail);
  return new Set(new TextDecoder(encoding).decode(new Uint8Array(bytes)));
}

const eastAsian = new Map<string, ReadonlyMap<string, number>>();

/** The logarithms of the probabilities of the characters of Chinese, Japanese or Korean. */
function getCharacters(language: string): ReadonlyMap<string, number> {
  let list = eastAsian.get(language);
  if (list) return list;
  const rows: Readonly<Record<string, [string, number, number]>> = {
    zh: ["gb18030", 0xb0, 0xd7],
    "zh-Hant": ["big5", 0xa4, 0xc6],
    ja: ["euc-jp", 0xb0, 0xcf],
    ko: ["euc-kr", 0xb0, 0xc8],
  };
  const [encoding, from, to] = rows[language] ?? ["utf-8", 0, 0];
  const common = listCharacters(encoding, from, to);
  const counts = new Map<string, number>();
  let total = 0;
  const words = (COMMON_WORDS[language] ?? "").repeat(8);
  for (const letter of words + listNames(language).join("")) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
    total += 1;
  }
  list = new Map(
    [...new Set([...common, ...counts.keys()])].map((letter) => [
      letter,
      Math.log(
        (0.5 * (counts.get(letter) ?? 0)) / total +
          (common.has(letter) ? 0.5 / common.size : UNSEEN / 10),
      ),
    ]),
  );
  eastAsian.set(language, list);
  return list;
}

/** How well a reading of bytes fits some language. */
export interface WordScore {
  /** The logarithm of a probability. */
  score: number;
  /** Whether signs, cases or scripts are mixed as in no word. */
  isFaulty: boolean;
}

const scores = new Map<string, WordScore>();

/** Scores a text without spaces. */
export function scoreWord(text: string): WordScore {
  const word = text.normalize();
  let score = scores.get(word);
  if (score === undefined) {
    score = computeScore(word);
    scores.set(word, score);
  }
  return score;
}

/** Signs of many texts. */
const COMMON = new Set(
  "€£§©®™°±²³µ½–—‘’“”„‚«»‹›…•·¿¡×ªº№\u00a0、。「」（）！？：；，・ー々\u3000",
);
/** Signs that stand before a word, after one, and in one, without a space between. */
const BEFORE = new Set("“‘„‚«»‹¿¡–—•·№”\u00a0°µ");
const AFTER = new Set("”’“‘»«›…–—™®©ªº\u00a0");
const INSIDE = new Set("’\u00ad\u0640\u200c\u200d");
/** Logarithms of probabilities. */
const IMPOSSIBLE = -1000;
const MISPLACED_SIGN = -12;
const MIXED_SCRIPTS = -10;
const MISPLACED_CAPITAL = -7;
const UNKNOWN_LETTER = -12;

function computeScore(word: string): WordScore {
  const letters = toLetters(word);
  const runs: { text: string; script: string }[] = [];
  let score = 0;
  let penalty = 0;
  for (const [at, letter] of letters.entries()) {
    const before = letters[at - 1] ?? "";
    const last = isLetter(before) ? runs.at(-1) : undefined;
    if (!isLetter(letter)) {
      if (letter < "\u0080") continue;
      score += scoreSign(letter);
      penalty += judgeSign(before, letter, letters[at + 1] ?? "");
      continue;
    }
    const script =
      last && /\p{M}/u.test(letter) ? last.script : findScript(letter);
    if (last?.script === script) {
      last.text += letter;
      continue;
    }
    if (last) penalty += judgeScripts(before, letter);
    runs.push({ text: letter, script });
  }
  for (const { text, script } of runs) {
    score += scoreRun(text, script);
    penalty += MISPLACED_CAPITAL * countMisplacedCapitals(text);
  }
  return { score: score + penalty, isFaulty: penalty <= MISPLACED_CAPITAL };
}

function scoreSign(sign: string): number {
  if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(sign)) return IMPOSSIBLE;
  if (INSIDE.has(sign)) return -3;
  return COMMON.has(sign) ? -5 : -11;
}

function judgeSign(before: string, sign: string, after: string): number {
  if (isEastAsian(before) || isEastAsian(after)) return 0;
  const isAfter = isLetter(before);
  const isBefore = isLetter(after);
  const isArea = before === "m" && (sign === "²" || sign === "³");
  const isCatalan = sign === "·" && before === "l" && after === "l";
  if (isAfter && isBefore)
    return INSIDE.has(sign) || isCatalan ? 0 : MISPLACED_SIGN;
  const isPlaced =
    (!isAfter || isArea || AFTER.has(sign)) && (!isBefore || BEFORE.has(sign));
  return isPlaced ? 0 : MISPLACED_SIGN;
}

/** Names in capitals stand beside Chinese characters, other Latin letters do not. */
function judgeScripts(before: string, letter: string): number {
  if (isEastAsian(before) && isEastAsian(letter)) return 0;
  return /[A-Z]/.test(isEastAsian(before) ? letter : before) &&
    (isEastAsian(before) || isEastAsian(letter))
    ? MIXED_SCRIPTS / 2
    : MIXED_SCRIPTS;
}

function isLetter(letter: string): boolean {
  return /[\p{L}\p{M}]/u.test(letter) && !/[ªºµ]/.test(letter);
}

function isEastAsian(letter: string): boolean {
  return /[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}]/u.test(
    letter,
  );
}

function scoreRun(run: string, script: string): number {
  if (EAST_ASIAN.includes(script)) {
    // Katakana of half width come in words.
    const isRare = /^[\uff61-\uff9f]$/.test(run);
    const sums = ["zh", "zh-Hant", "ja", "ko"].map((language) => {
      const characters = getCharacters(language);
      let sum = isRare ? UNKNOWN_LETTER : 0;
      for (const letter of run)
        sum += characters.get(letter.normalize("NFKC")) ?? UNKNOWN_LETTER - 2;
      return sum;
    });
    return Math.max(...sums);
  }
  const lower = run.toLowerCase();
  const sums = getModels(script).map((model) => model.score(lower));
  return Math.max(UNKNOWN_LETTER * run.length, ...sums);
}

/** Capitals as in `MŸller`; those of ASCII are the same in all encodings. */
function countMisplacedCapitals(run: string): number {
  const letters = toLetters(run);
  return letters.filter((letter, at) => {
    const before = letters[at - 1] ?? "";
    const after = letters[at + 1] ?? "";
    return (
      at > 0 &&
      isUpper(letter) &&
      /[^\u0020-\u007e]/.test(before + letter + after) &&
      (isLower(before) || isLower(after))
    );
  }).length;
}

/** Code points, not what people take for one letter: marks are counted too. */
function toLetters(word: string): string[] {
  return Array.from(word);
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

function isLower(letter: string): boolean {
  return letter !== letter.toUpperCase();
}
