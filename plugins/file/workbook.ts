import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { type CellFault, PlatenError } from "../../core/plugin-api/index.js";
import {
  createColumnsError,
  createFileError,
  limits,
  type CellRange,
  type RowTaker,
  type Sheet,
  type TableSource,
} from "./table-source.js";

// Workbooks: a ZIP of XML files, of which each is read once, from its beginning to its end, and never held whole. Entities
// of a document type are not expanded.

const maxEntries = 10_000;

/** The files of a ZIP, and how much they may unpack to. */
export class Archive {
  #unpacked = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws PlatenError `invalid_request` for a damaged archive, `too_large` for one that unpacks to too much. */
  static async open(fd: number): Promise<Archive> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await fromFdPromise(fd, {
        lazyEntries: true,
        autoClose: false,
      });
      if (zip.entryCount > maxEntries) throw createBombError();
      for await (const entry of zip.eachEntry())
        entries.set(entry.fileName, entry);
      let size = 0;
      for (const entry of entries.values()) size += entry.uncompressedSize;
      if (size > limits.unpackedBytes) throw createBombError();
      return new Archive(zip, entries);
    } catch (error) {
      throw toDamage(error);
    }
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The whole text of a small file, and "" without it. */
  async readText(name: string): Promise<string> {
    let text = "";
    await this.readParts(name, (part) => {
      text += part;
      if (text.length > limits.smallFileCharacters) throw createBombError();
    });
    return text;
  }

  /** Parses an XML file; nothing without it. */
  async readXml(name: string, handlers: XmlHandlers): Promise<void> {
    const parser = new SaxesParser({ xmlns: false, position: false });
    let text = "";
    let depth = 0;
    const endText = () => {
      if (text !== "") handlers.text?.(text);
      text = "";
    };
    parser.on("opentag", (tag: SaxesTagPlain) => {
      endText();
      depth += 1;
      if (depth > 100) throw createDamageError();
      handlers.open(getLocalName(tag.name), tag.attributes);
    });
    parser.on("closetag", (tag: SaxesTagPlain) => {
      endText();
      depth -= 1;
      handlers.close(getLocalName(tag.name));
    });
    const add = (part: string) => {
      text += part;
      if (text.length > limits.cellCharacters) throw createCellError();
    };
    parser.on("text", add);
    parser.on("cdata", add);
    parser.on("error", (error) => {
      throw createDamageError(error);
    });
    await this.readParts(name, (part) => parser.write(part));
    if (this.has(name)) parser.close();
  }

  private async readParts(
    name: string,
    take: (part: string) => void,
  ): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    if (entry.isEncrypted()) throw createEncryptedError();
    try {
      const decoder = new TextDecoder("utf-8");
      const stream = await this.zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        const bytes: Uint8Array = chunk;
        this.#unpacked += bytes.byteLength;
        if (this.#unpacked > limits.unpackedBytes) throw createBombError();
        take(decoder.decode(bytes, { stream: true }));
      }
      take(decoder.decode());
    } catch (error) {
      throw toDamage(error);
    }
  }
}

interface XmlHandlers {
  /** Names are without their prefix, those of attributes with it. */
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text?(text: string): void;
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function toDamage(error: unknown): PlatenError {
  return error instanceof PlatenError ? error : createDamageError(error);
}

function createDamageError(cause?: unknown): PlatenError {
  return createFileError(
    "The workbook is damaged: it cannot be unpacked and read to its end. Open it in your spreadsheet program and save it again as .xlsx or .ods.",
    cause,
  );
}

export function createEncryptedError(): PlatenError {
  return createFileError(
    "The workbook is encrypted. Remove its password in your spreadsheet program, save it, and send it again.",
  );
}

function createBombError(): PlatenError {
  return new PlatenError(
    "too_large",
    `The workbook unpacks to more than ${limits.unpackedBytes / 1024 ** 2} MB. Split it, or save the sheet as CSV.`,
  );
}

function createCellError(): PlatenError {
  return new PlatenError(
    "too_large",
    `A cell has more than ${limits.cellCharacters} characters. Shorten it.`,
  );
}

/** Texts in one block of memory for all: as single strings they would take several times as much. */
class TextPool {
  #bytes = Buffer.allocUnsafe(1024 * 1024);
  #end = 0;
  readonly #ends: number[] = [];

  add(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.#end + size > limits.sharedTextBytes)
      throw new PlatenError(
        "too_large",
        `The texts of the workbook take more than ${limits.sharedTextBytes / 1024 ** 2} MB. Split it, or save the sheet as CSV.`,
      );
    if (this.#end + size > this.#bytes.length) {
      const length = Math.max(2 * this.#bytes.length, this.#end + size);
      const grown = Buffer.allocUnsafe(length);
      this.#bytes.copy(grown, 0, 0, this.#end);
      this.#bytes = grown;
    }
    this.#bytes.write(text, this.#end);
    this.#end += size;
    this.#ends.push(this.#end);
  }

  get(index: number): string | null {
    const end = this.#ends[index];
    if (end === undefined) return null;
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    return this.#bytes.toString("utf8", start, end);
  }
}

interface XlsxSheet extends Sheet {
  file: string;
}

export class XlsxSource implements TableSource {
  readonly format = "xlsx";

  private constructor(
    private readonly archive: Archive,
    readonly sheets: readonly XlsxSheet[],
    private readonly uses1904: boolean,
  ) {}

  static async open(archive: Archive): Promise<XlsxSource> {
    const targets = new Map<string, string>();
    await archive.readXml("xl/_rels/workbook.xml.rels", {
      open: (name, { Id = "", Target = "" }) => {
        if (name !== "Relationship") return;
        const path = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`;
        targets.set(Id, path);
      },
      close: () => undefined,
    });
    const sheets: XlsxSheet[] = [];
    let uses1904 = false;
    await archive.readXml("xl/workbook.xml", {
      open: (tag, attributes) => {
        if (tag === "workbookPr")
          uses1904 = ["1", "true"].includes(attributes["date1904"] ?? "");
        if (tag !== "sheet") return;
        const { name = "", state } = attributes;
        const id = Object.entries(attributes).find(([key]) =>
          key.endsWith(":id"),
        );
        const file = targets.get(id?.[1] ?? "") ?? "";
        const isVisible = state === undefined || state === "visible";
        if (archive.has(file)) sheets.push({ name, isVisible, file });
      },
      close: () => undefined,
    });
    return new XlsxSource(archive, sheets, uses1904);
  }

  async read(sheet: Sheet, take: RowTaker): Promise<void> {
    const file =
      this.sheets.find(({ name }) => name === sheet.name)?.file ?? "";
    const texts = await this.readTexts();
    const styles = await this.readStyles();
    const { uses1904 } = this;
    let row = 0;
    let column = -1;
    let cells: unknown[] = [];
    let cell: XlsxCell = {
      type: "n",
      style: 0,
      value: null,
      hasFormula: false,
    };
    let isValue = false;
    let isHidden = false;
    await this.archive.readXml(file, {
      open(name, attributes) {
        if (name === "row") {
          const number = Number(attributes["r"] ?? row + 1);
          row = Number.isSafeInteger(number) && number > row ? number : row + 1;
          column = -1;
          cells = [];
        } else if (name === "c") {
          column = getColumnIndex(attributes["r"]) ?? column + 1;
          if (column >= limits.columns) throw createColumnsError();
          const { t: type = "n", s = "0" } = attributes;
          cell = { type, style: Number(s), value: null, hasFormula: false };
        } else if (name === "v" || name === "t") {
          isValue = !isHidden;
        } else if (name === "f") cell.hasFormula = true;
        else if (name === "rPh") isHidden = true;
        else if (name === "mergeCell") {
          const range = parseRange(attributes["ref"] ?? "");
          if (range) take.merged(range);
        }
      },
      text(text) {
        if (isValue) cell.value = (cell.value ?? "") + text;
      },
      close(name) {
        if (name === "v" || name === "t") isValue = false;
        else if (name === "rPh") isHidden = false;
        else if (name === "c") {
          while (cells.length < column) cells.push(null);
          cells[column] = toXlsxValue(cell, { texts, styles, uses1904 });
        } else if (name === "row") take.row(row, cells);
      },
    });
  }

  private async readTexts(): Promise<TextPool> {
    const pool = new TextPool();
    let text = "";
    let isValue = false;
    let isHidden = false;
    await this.archive.readXml("xl/sharedStrings.xml", {
      open: (name) => {
        if (name === "si") text = "";
        else if (name === "rPh") isHidden = true;
        else if (name === "t") isValue = !isHidden;
      },
      text: (part) => {
        if (isValue) text += part;
      },
      close: (name) => {
        if (name === "t") isValue = false;
        else if (name === "rPh") isHidden = false;
        else if (name === "si") pool.add(text);
      },
    });
    return pool;
  }

  /** What the number format of each style shows. */
  private async readStyles(): Promise<NumberKind[]> {
    const formats = new Map<number, string>();
    const styles: NumberKind[] = [];
    let isStyle = false;
    await this.archive.readXml("xl/styles.xml", {
      open: (name, attributes) => {
        if (name === "numFmt")
          formats.set(
            Number(attributes["numFmtId"]),
            attributes["formatCode"] ?? "",
          );
        else if (name === "cellXfs") isStyle = true;
        else if (name === "xf" && isStyle) {
          const id = Number(attributes["numFmtId"] ?? 0);
          styles.push(getNumberKind(id, formats.get(id)));
        }
      },
      close: (name) => {
        if (name === "cellXfs") isStyle = false;
      },
    });
    return styles;
  }
}

interface XlsxCell {
  type: string;
  style: number;
  value: string | null;
  hasFormula: boolean;
}

type NumberKind = "number" | "date" | "time";

/** The formats that have a number instead of a code: those of dates in all languages. */
function getNumberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) {
    if (id === 18 || id === 19 || id === 20 || id === 21) return "time";
    const isDate =
      (id >= 14 && id <= 22) ||
      (id >= 27 && id <= 36) ||
      (id >= 50 && id <= 58);
    return isDate ? "date" : "number";
  }
  const [first = ""] = code.split(";");
  const plain = first.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, "");
  if (/[yd]/i.test(plain) || /^m+$/i.test(plain.trim())) return "date";
  return /[hs]/i.test(plain) && !/\[[hms]+\]/i.test(first) ? "time" : "number";
}

function toXlsxValue(
  { type, style, value, hasFormula }: XlsxCell,
  {
    texts,
    styles,
    uses1904,
  }: { texts: TextPool; styles: NumberKind[]; uses1904: boolean },
): unknown {
  if (value === null)
    return hasFormula
      ? toFault(
          "a formula that was never calculated. Open the workbook in your spreadsheet program and save it",
        )
      : null;
  switch (type) {
    case "s":
      return texts.get(Number(value));
    case "b":
      return value === "1";
    case "e":
      return toFault(`the formula error ${value}`);
    case "str":
    case "inlineStr":
    case "d":
      return value;
    default: {
      const number = Number(Number(value).toPrecision(15));
      if (!Number.isFinite(number)) return toFault(`the number ${value}`);
      const kind = styles[style] ?? "number";
      return kind === "number" ? number : fromSerial(number, kind, uses1904);
    }
  }
}

function toFault(fault: string): CellFault {
  return { fault };
}

const dayMs = 86_400_000;

/** Excel counts days from the end of 1899, and counts a 29 February 1900. */
function fromSerial(
  serial: number,
  kind: NumberKind,
  uses1904: boolean,
): unknown {
  const days = uses1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const isClock = kind === "time" && serial >= 0 && serial < 1;
  const seconds = Math.round((days * dayMs) / 1000);
  const time = Date.UTC(1899, 11, 30) + seconds * 1000;
  if (serial < 0 || time > 253_402_300_799_000)
    return toFault(`the number ${serial}, which is no date`);
  const iso = new Date(time).toISOString();
  if (isClock) return iso.slice(11, 16);
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** The index of `B` in `B7`; null when it is not given. */
function getColumnIndex(reference: string | undefined): number | null {
  const letters = /^\$?([A-Z]{1,3})/.exec(reference ?? "")?.[1];
  if (letters === undefined) return null;
  let index = 0;
  for (const letter of letters)
    index = index * 26 + ((letter.codePointAt(0) ?? 0) - 64);
  return index - 1;
}

function parseRange(reference: string): CellRange | null {
  const [first = "", last = first] = reference.split(":");
  const [firstColumn, lastColumn] = [first, last].map(getColumnIndex);
  const [firstRow = 0, lastRow = 0] = [first, last].map((corner) =>
    Number(/\d+$/.exec(corner)?.[0] ?? 0),
  );
  return firstColumn == null || lastColumn == null
    ? null
    : { firstRow, lastRow, firstColumn, lastColumn };
}

/** An OpenDocument spreadsheet, such as LibreOffice saves. */
export class OdsSource implements TableSource {
  readonly format = "ods";

  private constructor(
    private readonly archive: Archive,
    readonly sheets: readonly Sheet[],
  ) {}

  static async open(archive: Archive): Promise<OdsSource> {
    const manifest = await archive.readText("META-INF/manifest.xml");
    if (/<(?:\w+:)?encryption-data\b/.test(manifest))
      throw createEncryptedError();
    const sheets: Sheet[] = [];
    let depth = 0;
    await archive.readXml("content.xml", {
      open: (tag, { "table:name": name = "" }) => {
        if (tag !== "table") return;
        if (depth === 0) sheets.push({ name, isVisible: true });
        depth += 1;
      },
      close: (tag) => {
        if (tag === "table") depth -= 1;
      },
    });
    return new OdsSource(archive, sheets);
  }

  async read({ name: sheet }: Sheet, take: RowTaker): Promise<void> {
    const reader = new OdsReader(sheet, take);
    await this.archive.readXml("content.xml", reader);
  }
}

const odsError =
  /^(?:#(?:REF!|DIV\/0!|N\/A|NAME\?|VALUE!|NUM!|NULL!)|Err:\d+)$/;

class OdsReader implements XmlHandlers {
  #depth = 0;
  #isSheet = false;
  #isNote = false;
  #row = 0;
  #repeatedRows = 1;
  #cells: unknown[] = [];
  #column = 0;
  #attributes: Record<string, string> = {};
  #lines: string[] = [];

  constructor(
    private readonly sheet: string,
    private readonly take: RowTaker,
  ) {}

  open(tag: string, attributes: Record<string, string>): void {
    if (tag === "table") {
      this.#depth += 1;
      if (this.#depth === 1)
        this.#isSheet = attributes["table:name"] === this.sheet;
    }
    if (!this.#isSheet || this.#depth !== 1) return;
    switch (tag) {
      case "table-row":
        this.#cells = [];
        this.#column = 0;
        this.#repeatedRows = getCount(attributes["table:number-rows-repeated"]);
        break;
      case "table-cell":
      case "covered-table-cell":
        this.#attributes = attributes;
        this.#lines = [];
        this.#noteMerge(attributes);
        break;
      case "annotation":
        this.#isNote = true;
        break;
      case "p":
        if (!this.#isNote) this.#lines.push("");
        break;
      case "s":
        this.text(" ".repeat(Math.min(100, getCount(attributes["text:c"]))));
        break;
      case "tab":
      case "line-break":
        this.text(tag === "tab" ? "\t" : "\n");
    }
  }

  text(text: string): void {
    if (!this.#isSheet || this.#isNote || this.#lines.length === 0) return;
    const last = this.#lines.length - 1;
    this.#lines[last] = (this.#lines[last] ?? "") + text;
    if ((this.#lines[last]?.length ?? 0) > limits.cellCharacters)
      throw createCellError();
  }

  close(tag: string): void {
    if (tag === "table") this.#depth -= 1;
    if (!this.#isSheet || this.#depth !== 1) return;
    if (tag === "annotation") this.#isNote = false;
    else if (tag === "table-cell" || tag === "covered-table-cell")
      this.#addCells();
    else if (tag === "table-row") this.#addRows();
  }

  #noteMerge(attributes: Record<string, string>): void {
    const columns = getCount(attributes["table:number-columns-spanned"]);
    const rows = getCount(attributes["table:number-rows-spanned"]);
    if (columns === 1 && rows === 1) return;
    const firstRow = this.#row + 1;
    const firstColumn = this.#column;
    this.take.merged({
      firstRow,
      firstColumn,
      lastRow: firstRow + rows - 1,
      lastColumn: firstColumn + columns - 1,
    });
  }

  #addCells(): void {
    const repeated = getCount(
      this.#attributes["table:number-columns-repeated"],
    );
    const value = toOdsValue(this.#attributes, this.#lines.join("\n"));
    if (value !== null) {
      if (this.#column + repeated > limits.columns) throw createColumnsError();
      while (this.#cells.length < this.#column) this.#cells.push(null);
      for (let at = 0; at < repeated; at += 1) this.#cells.push(value);
    }
    this.#column += repeated;
    this.#lines = [];
  }

  #addRows(): void {
    const last = this.#row + this.#repeatedRows;
    if (this.#cells.length > 0)
      for (let row = this.#row + 1; row <= last; row += 1)
        this.take.row(row, this.#cells);
    this.#row = last;
  }
}

function getCount(text: string | undefined): number {
  const count = Number(text ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}

function toOdsValue(attributes: Record<string, string>, text: string): unknown {
  const {
    "office:value-type": type,
    "office:value": value,
    "office:date-value": date,
    "office:boolean-value": boolean,
    "calcext:value-type": extended,
    "table:formula": formula,
  } = attributes;
  if (extended === "error" || (formula !== undefined && odsError.test(text)))
    return toFault(`the formula error ${text}`);
  switch (type) {
    case "float":
    case "currency":
    case "percentage":
      return Number(Number(value).toPrecision(15));
    case "date":
      return date?.slice(0, 19).replace(/T00:00:00$/, "") ?? null;
    case "boolean":
      return boolean === "true";
    default:
      return text === "" ? null : text;
  }
}
