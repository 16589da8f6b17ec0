import { read as readCallback } from "node:fs";
import { promisify } from "node:util";
import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { CsvError, parse } from "csv-parse";
import {
  parseLosslessNumber,
  PlatenError,
  type TableFormat,
} from "../../core/plugin-api/index.js";
import {
  createColumnsError,
  createEmptyError,
  createFileError,
  limits,
  type RowTaker,
  type Sheet,
  type TableSource,
} from "./table-source.js";
import {
  createDecoder,
  detectLegacyEncoding,
  ForeignLines,
} from "./text-encoding.js";

const readAt = promisify(readCallback);

export async function readStart(fd: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  const { bytesRead } = await readAt(fd, buffer, 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

/** All bytes of a file. A stream of Node's would close the descriptor when its reader stops early. */
export async function* readBytes(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await readAt(
      fd,
      Buffer.allocUnsafe(partBytes),
      0,
      partBytes,
      at,
    );
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const partBytes = 128 * 1024;
const sampleBytes = 256 * 1024;
const byteOrderMarks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

/** A label of the WHATWG Encoding Standard for what the file is written in. @throws PlatenError when it is not certain. */
async function detectEncoding(fd: number): Promise<string> {
  const start = await readStart(fd, sampleBytes);
  for (const [encoding, mark] of byteOrderMarks)
    if (mark.every((byte, at) => start[at] === byte)) return encoding;
  if (start.includes(0)) return detectUtf16(start);
  if (start.includes("\u001b$")) return "iso-2022-jp";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = new ForeignLines();
  let isUtf8 = true;
  for await (const chunk of readBytes(fd)) {
    isUtf8 &&= canDecode(decoder, chunk);
    lines.add(chunk);
  }
  isUtf8 &&= canDecode(decoder);
  return isUtf8 ? "utf-8" : detectLegacyEncoding(lines.finish());
}

function canDecode(
  decoder: InstanceType<typeof TextDecoder>,
  chunk?: Buffer,
): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** Without a byte order mark: in the right order, tables have delimiters and line feeds, and nothing that is no text. */
function detectUtf16(start: Buffer): "utf-16le" | "utf-16be" {
  const even = start.subarray(0, start.length - (start.length % 2));
  const counts = (["utf-16le", "utf-16be"] as const).map((encoding) => {
    const text = new TextDecoder(encoding).decode(even);
    const isText = !/[^\P{Cc}\s]|[\p{Cn}\p{Co}]/u.test(text);
    const count = text.match(/[\n\r\t,;0-9 ]/g)?.length ?? 0;
    return { encoding, count: isText ? count : 0 };
  });
  const [best, other] = counts.toSorted(
    (guess, another) => another.count - guess.count,
  );
  if (best && best.count > (other?.count ?? 0)) return best.encoding;
  throw createBinaryError();
}

function createBinaryError(): PlatenError {
  return createFileError(
    "unknown_format",
    "The file is neither text nor a workbook. Send CSV, XLSX, ODS, JSON or JSON Lines.",
  );
}

function isKnownEncoding(label: string): boolean {
  try {
    return createDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

/** @throws PlatenError `invalid_request` for an unknown encoding, and for bytes that it does not have. */
async function* decodeText(
  fd: number,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  const isUnicode = encoding.startsWith("utf-");
  let line = 1;
  try {
    for await (const chunk of readBytes(fd)) {
      const text = decoder.decode(chunk, { stream: true });
      if (!isUnicode && /[\u0080-\u009f]/.test(text))
        throw createFileError(
          "wrong_encoding",
          `The file is not in ${encoding.toUpperCase()}, in which it has control characters (at line ${line} or after it). Save it as UTF-8, or name another "encoding".`,
          { encoding },
        );
      // Vietnamese letters have their marks apart in it.
      yield encoding === "windows-1258" ? text.normalize() : text;
      line += text.split("\n").length - 1;
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createFileError(
      "wrong_encoding",
      `The file is not valid ${encoding.toUpperCase()} (at line ${line} or after it). Save it as UTF-8, or name its "encoding", such as "windows-1252".`,
      { encoding },
      error,
    );
  }
}

interface TextOptions {
  fileName: string;
  delimiter?: string | undefined;
  encoding?: string | undefined;
}

/** CSV, JSON or JSON Lines, by the file's ending or else by its first character. */
export async function openText(
  fd: number,
  { fileName, delimiter, encoding: given }: TextOptions,
): Promise<TableSource> {
  if (given !== undefined && !isKnownEncoding(given))
    throw new PlatenError(
      "invalid_request",
      `Unknown encoding "${given.slice(0, 40)}". Use a name such as "utf-8", "utf-16le" or "windows-1252".`,
    );
  const encoding =
    given === undefined
      ? await detectEncoding(fd)
      : createDecoder(given).encoding;
  const first = await decodeText(fd, encoding).next();
  const start = first.done ? "" : first.value;
  if (start.trim() === "") throw createEmptyError();
  if (start.includes("\0")) throw createBinaryError();
  if (markup.test(start))
    throw createFileError(
      "markup",
      "The file is HTML or XML, as some programs save it with the ending .xls. Open it in a spreadsheet program and save it as XLSX or CSV.",
    );
  const format = findTextFormat(fileName, start);
  if (format !== "csv") return new JsonSource(fd, format, encoding);
  const [line = "", named] = separatorLine.exec(start) ?? [];
  const namedDelimiter = named === "\\t" ? "\t" : named;
  return new CsvSource(
    fd,
    encoding,
    delimiter ?? namedDelimiter ?? detectDelimiter(start),
    line.length,
  );
}

/** A first line that names the delimiter, as Excel reads it; programs that know nothing of it may add delimiters. */
const separatorLine =
  /^"?sep=(\\t|[^\w\s"]|\t)"?(?:[;,|]|[^\S\r\n])*(?:\r\n?|\n|$)/i;

const markup = /^\s*<(?:!doctype|html|head|body|table|meta|\?xml)[\s>]/i;

function findTextFormat(
  fileName: string,
  start: string,
): "csv" | "json" | "jsonl" {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  if (["csv", "tsv", "tab", "txt"].includes(ending)) return "csv";
  if (["jsonl", "ndjson"].includes(ending)) return "jsonl";
  if (ending !== "json" && !isMeantAsJson(start)) return "csv";
  const first = start.trimStart().charAt(0);
  if (first === "[") return "json";
  if (first === "{") return "jsonl";
  throw createFileError(
    "no_objects",
    "The JSON file must contain a list of objects.",
  );
}

/** A table may begin with `[Draft]` or `{name}`. */
function isMeantAsJson(start: string): boolean {
  const text = start.trimStart();
  if (/^(?:\[\s*)?\{\s*(?:["']|\w+\s*:)/.test(text)) return true;
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return /^\[\s*\{/.test(text);
  }
}

const delimiters = [",", ";", "\t", "|"];
const comparedRows = 50;

/** The delimiter that divides the first rows most evenly; a comma for a single column. */
function detectDelimiter(start: string): string {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of delimiters) {
    const counts = countDelimiters(start, delimiter);
    // Rows above the table, such as those of the account in a bank's export, have others.
    for (const count of new Set(counts)) {
      const same = counts.filter((other) => other === count).length;
      const score =
        count === 0
          ? 0
          : (same / counts.length) * (1 + Math.min(count, 50) / 100);
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}

/** How often it occurs in each row, outside of quoted values; the last row may be cut off and is left out. */
function countDelimiters(start: string, delimiter: string): number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  let isBlank = true;
  let before = "\n";
  for (const letter of start) {
    const isStart = [delimiter, "\n", '"'].includes(before);
    before = letter;
    if (letter === '"' && (isQuoted || isStart)) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === delimiter) count += 1;
    else if (letter === "\n") {
      if (!isBlank) counts.push(count);
      if (counts.length === comparedRows) return counts;
      count = 0;
      isBlank = true;
      continue;
    }
    if (letter !== "\r") isBlank = false;
  }
  return counts.length === 0 ? [count] : counts;
}

class CsvSource implements TableSource {
  readonly format = "csv";
  readonly sheets = [];

  constructor(
    private readonly fd: number,
    readonly encoding: string,
    readonly delimiter: string,
    /** The characters of a first line that names the delimiter. */
    private readonly separatorLength: number,
  ) {}

  async read(_sheet: Sheet, take: RowTaker): Promise<void> {
    const { delimiter, separatorLength } = this;
    const quoted = new QuotedTexts(delimiter);
    const parser = parse({
      delimiter,
      info: true,
      relax_column_count: true,
      // Spreadsheets copy `12" pipe` as it is; only values with tabs or line breaks get quotation marks around them.
      relax_quotes: delimiter === "\t",
      max_record_size: limits.rowCharacters,
    });
    // The line that names the delimiter is the first row of the file.
    let row = separatorLength > 0 ? 1 : 0;
    let line = row;
    const drain = () => {
      for (;;) {
        const result: unknown = parser.read();
        if (result === null) return;
        // What the option `info` makes of a record.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const { info, record } = result as {
          info: { lines: number };
          record: string[];
        };
        row += 1;
        if (record.length > limits.columns) throw createColumnsError();
        for (const cell of record)
          if (cell.length > limits.cellCharacters)
            throw createFileError(
              "long_value",
              `A value in row ${row} has more than ${limits.cellCharacters} characters. ${unclosedHint}`,
              { row, count: limits.cellCharacters },
            );
        take.row(row, record.map(unwrapText));
        line = info.lines + (separatorLength > 0 ? 1 : 0);
      }
    };
    let failure: Error | null = null;
    parser.on("error", (error) => (failure = error));
    const check = () => {
      drain();
      if (failure) throw describeCsvError(failure, row + 1, line + 1);
    };
    const write = async (text: string) => {
      await new Promise<void>((resolve) => {
        parser.write(text, () => resolve());
        drain();
      });
      check();
    };
    let skipped = separatorLength;
    for await (const text of decodeText(this.fd, this.encoding)) {
      await write(quoted.add(text.slice(skipped)));
      skipped = 0;
    }
    await write(quoted.end());
    await new Promise<void>((resolve) => {
      parser.once("end", resolve);
      parser.once("error", () => resolve());
      parser.on("readable", drain);
      parser.end();
      drain();
    });
    check();
  }
}

/** `="0042"`, by which spreadsheet programs are made to keep a text as it is. */
const textFormula = /^="((?:[^"]|"")*)"$/;
/** `'01067`, as web shops export digits for spreadsheet programs. */
const textMark = /^'(?=\+?\d[\d\s()/.-]{2,}$)/;

/** The text of a value, with line feeds as line breaks. */
function unwrapText(cell: string): string {
  const lines = cell.includes("\r") ? cell.replaceAll(/\r\n?/g, "\n") : cell;
  if (lines.startsWith("'")) return lines.replace(textMark, "");
  if (!lines.startsWith('="')) return lines;
  const text = textFormula.exec(lines)?.[1];
  return text === undefined ? lines : text.replaceAll('""', '"');
}

/**
 * Puts values such as `="0042"` and `=""0042""` into quotation marks; CSV that is written correctly has them as
 * `"=""0042"""`.
 */
class QuotedTexts {
  readonly #formula: RegExp;
  /** The beginning of a value whose end has not arrived. */
  #rest = "";
  #isQuoted = false;
  #isStart = true;

  constructor(private readonly delimiter: string) {
    const end = `(?=[\\r\\n${delimiter.replace(/[\]\\^-]/, "\\$&")}]|$)`;
    this.#formula = new RegExp(
      `="((?:[^"\\r\\n]|"")*)"${end}|=""([^"\\r\\n]+)""${end}`,
      "y",
    );
  }

  add(text: string): string {
    return this.#convert(this.#rest + text, false);
  }

  end(): string {
    return this.#convert(this.#rest, true);
  }

  #convert(text: string, isWhole: boolean): string {
    this.#rest = "";
    let result = "";
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at];
      if (letter === '"') this.#isQuoted = !this.#isQuoted;
      else if (letter === "=" && this.#isStart && !this.#isQuoted) {
        // What follows decides: all of it is on this line.
        if (!isWhole && !/[\r\n]/.test(text.slice(at, at + maxHeld))) {
          this.#rest = text.slice(at);
          return result + text.slice(start, at);
        }
        this.#formula.lastIndex = at;
        const match = this.#formula.exec(text);
        if (match) {
          result += `${text.slice(start, at)}"${match[1] ?? match[2] ?? ""}"`;
          at += match[0].length - 1;
          start = at + 1;
        }
      }
      this.#isStart =
        letter === this.delimiter || letter === "\n" || letter === "\r";
    }
    return result + text.slice(start);
  }
}

/** Characters of a line. */
const maxHeld = limits.rowCharacters;

const unclosedHint =
  "Check the quotation marks before it: one may be opened and never closed.";

function describeCsvError(error: Error, row: number, line: number): Error {
  if (!(error instanceof CsvError)) return error;
  const where = `Row ${row} (line ${line})`;
  const place = { row, line };
  const hint =
    'Put the whole value in quotation marks, and write those inside it twice: "12"" pipe".';
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return createFileError(
        "open_quote",
        `${where} has a quotation mark that is opened and never closed. ${hint}`,
        place,
      );
    case "CSV_INVALID_CLOSING_QUOTE":
      return createFileError(
        "stray_quote",
        `${where} has a quotation mark in the middle of a quoted value, or one that was not closed. ${hint}`,
        place,
      );
    case "INVALID_OPENING_QUOTE":
      return createFileError(
        "stray_quote",
        `${where} has a quotation mark in a value without quotation marks around it. ${hint}`,
        place,
      );
    case "CSV_MAX_RECORD_SIZE":
      return createFileError(
        "long_row",
        `${where} has more than ${limits.rowCharacters} characters. ${unclosedHint}`,
        { ...place, count: limits.rowCharacters },
      );
    default:
      return createFileError(
        "unreadable_row",
        `${where} cannot be read as CSV.`,
        place,
        error,
      );
  }
}

const maxDepth = 50;

/** An object of a file: of a list, or a line. */
type JsonPlace = { item: number } | { line: number };

function describePlace(place: JsonPlace): string {
  return "item" in place ? `Item ${place.item}` : `Line ${place.line}`;
}

function createLongRowError(place: JsonPlace): PlatenError {
  return createFileError(
    "long_row",
    `${describePlace(place)} has more than ${limits.rowCharacters} characters.`,
    { ...place, count: limits.rowCharacters },
  );
}

/** A list of objects, or one object in each line. */
class JsonSource implements TableSource {
  readonly sheets = [];
  readonly #columns = new Map<string, number>();

  constructor(
    private readonly fd: number,
    readonly format: Extract<TableFormat, "json" | "jsonl">,
    readonly encoding: string,
  ) {}

  names(): readonly string[] {
    return [...this.#columns.keys()];
  }

  async read(_sheet: Sheet, take: RowTaker): Promise<void> {
    if (this.format === "json") await this.#readList(take);
    else await this.#readLines(take);
  }

  async #readLines(take: RowTaker): Promise<void> {
    let rest = "";
    let line = 0;
    const add = (text: string) => {
      line += 1;
      if (text.trim() === "") return;
      take.row(line, this.#toCells(parseLine(text, line), { line }));
    };
    for await (const text of decodeText(this.fd, this.encoding)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const lineText of lines) add(lineText);
      if (rest.length > limits.rowCharacters)
        throw createLongRowError({ line: line + 1 });
    }
    add(rest);
  }

  async #readList(take: RowTaker): Promise<void> {
    const tokenizer = new LosslessTokenizer();
    const values = new TokenParser({ paths: ["$.*"], keepStack: false });
    const objects = new OpenObjects();
    let count = 0;
    let size = 0;
    values.onValue = ({ value }) => {
      count += 1;
      size = 0;
      take.row(count, this.#toCells(value, { item: count }));
    };
    tokenizer.onToken = (token) => {
      objects.check(token, { item: count + 1 });
      values.write(token);
    };
    try {
      for await (const text of decodeText(this.fd, this.encoding)) {
        tokenizer.write(text);
        size += text.length;
        if (size > 2 * limits.rowCharacters)
          throw createLongRowError({ item: count + 1 });
      }
      endJson(tokenizer, values);
    } catch (error) {
      if (error instanceof PlatenError) throw error;
      throw createFileError(
        "invalid_json",
        `The file is not valid JSON, in item ${count + 1}.`,
        { item: count + 1 },
        error,
      );
    }
  }

  #toCells(value: unknown, place: JsonPlace): unknown[] {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw createFileError(
        "no_objects",
        `${describePlace(place)} is not an object. The file must contain objects, one for each document.`,
        place,
      );
    const cells: unknown[] = [];
    for (const [name, cell] of Object.entries(value)) {
      let index = this.#columns.get(name);
      if (index === undefined) {
        index = this.#columns.size;
        if (index >= limits.columns) throw createColumnsError();
        this.#columns.set(name, index);
      }
      while (cells.length < index) cells.push(null);
      cells[index] = cell;
    }
    return cells;
  }
}

function parseLine(text: string, line: number): unknown {
  let result: unknown;
  const objects = new OpenObjects();
  const tokenizer = new LosslessTokenizer();
  const values = new TokenParser({ paths: ["$"] });
  values.onValue = ({ value }) => {
    result = value;
  };
  tokenizer.onToken = (token) => {
    objects.check(token, { line });
    values.write(token);
  };
  try {
    tokenizer.write(text);
    endJson(tokenizer, values);
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw createFileError(
      "invalid_json",
      `Line ${line} is not valid JSON. Each line must be one object.`,
      { line },
      error,
    );
  }
  return result;
}

/** @throws Error for a text that ends too early. */
function endJson(tokenizer: Tokenizer, values: TokenParser): void {
  if (!tokenizer.isEnded) tokenizer.end();
  if (!values.isEnded) values.end();
}

/** Numbers that JavaScript would round become texts of their digits. */
class LosslessTokenizer extends Tokenizer {
  protected override parseNumber(text: string): ReturnType<typeof JSON.parse> {
    return parseLosslessNumber(text);
  }
}

/** The objects and lists that a token is inside of. */
class OpenObjects {
  /** The names of each; null for a list. */
  readonly #names: (Set<string> | null)[] = [];
  #last = "";

  /** @throws PlatenError for a name that its object has twice, and for nesting that is too deep. */
  check({ token, value }: Token, place: JsonPlace): void {
    if (token === TokenType.LEFT_BRACE) this.#names.push(new Set());
    else if (token === TokenType.LEFT_BRACKET) this.#names.push(null);
    else if (token === TokenType.STRING) this.#last = String(value);
    else if (token === TokenType.COLON) this.#addName(place);
    else if (
      token === TokenType.RIGHT_BRACE ||
      token === TokenType.RIGHT_BRACKET
    )
      this.#names.pop();
    if (this.#names.length > maxDepth)
      throw createFileError(
        "deep_json",
        `${describePlace(place)} is nested deeper than ${maxDepth} levels.`,
        { ...place, count: maxDepth },
      );
  }

  #addName(place: JsonPlace): void {
    const names = this.#names.at(-1);
    const text = this.#last.slice(0, 60);
    if (names?.has(this.#last))
      throw createFileError(
        "repeated_name",
        `${describePlace(place)} has "${text}" twice. Remove or rename the one that no document needs.`,
        { ...place, text },
      );
    names?.add(this.#last);
  }
}

type Token = Parameters<Tokenizer["onToken"]>[0];
