import { createFileError } from "./table-source.js";
import { scoreWord, type WordScore } from "./letter-statistics.js";

// Which encoding bytes are in that are neither UTF-8 nor UTF-16. Each has 20 others that read the same bytes as other
// letters, so that one is taken only when what it reads are words and what all others read are none.

/** Labels of the WHATWG Encoding Standard, with the logarithm of how much more common they are than others. */
const CANDIDATES: readonly (readonly [encoding: string, prior: number])[] = [
  ["windows-1252", 3],
  ["windows-1250", 0],
  ["windows-1251", 0],
  ["windows-1253", 0],
  ["windows-1254", 0],
  ["windows-1255", 0],
  ["windows-1256", 0],
  ["windows-1257", 0],
  ["windows-1258", 0],
  ["windows-874", 0],
  ["gb18030", 0],
  ["big5", 0],
  ["shift_jis", 0],
  ["euc-kr", 0],
  ["koi8-u", -1],
  ["iso-8859-2", -1],
  ["euc-jp", -2],
  ["iso-8859-7", -4],
  ["iso-8859-5", -3],
  ["iso-8859-6", -3],
  ["iso-8859-15", -3],
  ["ibm866", -5],
  ["macintosh", -5],
  ["ibm850", -5],
  ["ibm852", -5],
  ["x-mac-cyrillic", -8],
];

/** What the bytes from 0x80 on are in encodings of DOS, which Excel for Windows saves as "CSV (MS-DOS)". */
const DOS_LETTERS: Readonly<Record<string, string>> = {
  ibm850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  ibm852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
};

export interface Decoder {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** @throws RangeError for an unknown encoding; its decoder throws TypeError for bytes that the encoding does not have. */
export function createDecoder(label: string): Decoder {
  const encoding = label
    .trim()
    .toLowerCase()
    .replace(/^cp-?(?=85[02]$)/, "ibm");
  const letters = DOS_LETTERS[encoding];
  if (letters === undefined) return new TextDecoder(label, { fatal: true });
  return {
    encoding,
    decode: (bytes = new Uint8Array()) =>
      Buffer.from(bytes)
        .toString("latin1")
        .replaceAll(/[\u0080-\u00ff]/g, (letter) =>
          letters.charAt(letter.charCodeAt(0) - 0x80),
        ),
  };
}

/** By how much the best reading must be more probable than another: e to the power of 6 is 400. */
const CERTAIN = 6;
/** Candidates that are so much worse after the first lines are given up. */
const HOPELESS = 80;
const FIRST_LINES = 100;
/** Any two bytes are characters of several East Asian encodings, so that few of them prove little. */
const EAST_ASIAN = new Set([
  "gb18030",
  "big5",
  "shift_jis",
  "euc-kr",
  "euc-jp",
]);
const FEW_CHARACTERS = 3;
const MAX_LINES = 5000;
const MAX_BYTES = 512 * 1024;
/** How many words may look wrong. */
const MAX_FAULTY = 0.1;

/** The lines of a file that have bytes beyond ASCII; no encoding but UTF-16 has a line feed's byte in another character. */
export class ForeignLines {
  readonly #lines = new Map<string, Buffer>();
  #size = 0;
  #rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (this.#size > MAX_BYTES || this.#lines.size >= MAX_LINES) return;
    const bytes = Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(0x0a, start);
      if (end < 0) break;
      this.#addLine(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length > MAX_BYTES) this.finish();
  }

  finish(): readonly Buffer[] {
    this.#addLine(this.#rest);
    this.#rest = Buffer.alloc(0);
    return [...this.#lines.values()];
  }

  #addLine(line: Buffer): void {
    if (this.#lines.size >= MAX_LINES || !line.some((byte) => byte >= 0x80))
      return;
    this.#lines.set(line.toString("latin1"), Buffer.from(line));
    this.#size += line.length;
  }
}

interface Reading {
  encoding: string;
  text: string;
  score: number;
  isFaulty: boolean;
}

/** @throws PlatenError `invalid_request` that names two encodings when it is none for sure */
export function detectLegacyEncoding(lines: readonly Buffer[]): string {
  const first = joinLines(lines.slice(0, FIRST_LINES));
  let readings = readAll(first, CANDIDATES);
  if (lines.length > FIRST_LINES) {
    const least = (readings[0]?.score ?? 0) - HOPELESS;
    const hopeful = new Set(
      readings
        .filter(({ score }) => score > least)
        .flatMap(({ text }) =>
          CANDIDATES.filter(([encoding]) => decode(first, encoding) === text),
        ),
    );
    readings = readAll(joinLines(lines), [...hopeful]);
  }
  const [best, other] = readings;
  if (best === undefined)
    throw createFileError(
      "no_encoding",
      "The file is in no encoding that can be read. Save it as UTF-8.",
    );
  const characters = best.text.match(/\P{ASCII}/gu)?.length ?? 0;
  const isShort = EAST_ASIAN.has(best.encoding) && characters < FEW_CHARACTERS;
  const margin = best.score - (other?.score ?? -Infinity);
  const isCertain =
    !best.isFaulty && margin >= (isShort ? 2 * CERTAIN : CERTAIN);
  if (!isCertain) throw createAmbiguityError(best, findRival(readings));
  return best.encoding;
}

/** The Western reading where it may be meant, since most people can judge it; else the next one. */
function findRival([best, next, ...others]: readonly Reading[]) {
  const western = others.find(({ encoding }) => encoding === "windows-1252");
  return best && western && best.score - western.score < 2 * CERTAIN
    ? western
    : next;
}

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
}

function decode(bytes: Buffer, encoding: string): string | null {
  try {
    return createDecoder(encoding).decode(bytes).normalize();
  } catch {
    return null;
  }
}

/** Different readings, the most probable first. */
function readAll(
  bytes: Buffer,
  candidates: typeof CANDIDATES,
): readonly Reading[] {
  const readings = new Map<string, Reading>();
  for (const [encoding, prior] of candidates) {
    const text = decode(bytes, encoding);
    // Control characters prove that it is another encoding.
    if (text === null || /[\u0080-\u009f]/.test(text)) continue;
    if (!readings.has(text))
      readings.set(text, { encoding, text, ...scoreText(text, prior) });
  }
  return [...readings.values()].toSorted(
    (reading, other) => other.score - reading.score,
  );
}

function scoreText(text: string, prior: number): WordScore {
  const words = new Set(text.split(/[ \n\r\t,;|"]+/));
  let score = prior;
  let count = 0;
  let faulty = 0;
  for (const word of words) {
    if (!/\P{ASCII}/u.test(word)) continue;
    const wordScore = scoreWord(word);
    score += wordScore.score;
    count += 1;
    if (wordScore.isFaulty) faulty += 1;
  }
  return { score, isFaulty: faulty > count * MAX_FAULTY };
}

function createAmbiguityError(best: Reading, other: Reading | undefined) {
  const hint =
    'Name its "encoding", or save the file as UTF-8 (in Excel: "CSV UTF-8").';
  const { encoding } = best;
  if (other === undefined) {
    const first = shortenFirst(best.text);
    return createFileError(
      "ambiguous_encoding",
      `The encoding of the file is not certain: in ${encoding}, a value would be "${first}". ${hint}`,
      { text: first, encoding },
    );
  }
  const values = best.text.split(/[\n\t,;|"]/);
  const others = other.text.split(/[\n\t,;|"]/);
  const at = values.findIndex((value, index) => value !== others[index]);
  const text = shortenFirst(values[at] ?? "");
  const otherText = shortenFirst(others[at] ?? "");
  return createFileError(
    "ambiguous_encoding",
    `The encoding of the file is not certain: a value is "${text}" in ${encoding}, but "${otherText}" in ${other.encoding}. ${hint}`,
    { text, encoding, other: otherText, otherEncoding: other.encoding },
  );
}

/** The first line, or its beginning. */
function shortenFirst(text: string): string {
  const value = text.split("\n")[0]?.trim() ?? "";
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
