import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import {
  type CellFault,
  type FormattedCell,
  PlatenError,
} from "../../core/plugin-api/index.js";
import {
  type NumberFormat,
  showValue,
  toNumberFormat,
} from "./number-format.js";
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
    "damaged",
    "The workbook is damaged: it cannot be unpacked and read to its end. Open it in your spreadsheet program and save it again as .xlsx or .ods.",
    {},
    cause,
  );
}

export function createEncryptedError(): PlatenError {
  return createFileError(
    "encrypted",
    "The workbook is encrypted. Remove its password in your spreadsheet program, save it, and send it again.",
  );
}

function createBombError(): PlatenError {
  return createFileError(
    "too_large",
    `The workbook unpacks to more than ${limits.unpackedBytes / 1024 ** 2} MB. Split it, or save the sheet as CSV.`,
  );
}

function createCellError(): PlatenError {
  return createFileError(
    "long_value",
    `A cell has more than ${limits.cellCharacters} characters. Shorten it.`,
    { count: limits.cellCharacters },
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
      throw createFileError(
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
        if (tag === "workbookPr") uses1904 = isTrue(attributes["date1904"]);
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

  async read(sheet: Sheet, take: RowTaker, locale: string): Promise<void> {
    const file =
      this.sheets.find(({ name }) => name === sheet.name)?.file ?? "";
    const texts = await this.readTexts();
    const styles = await this.readStyles();
    const { uses1904 } = this;
    const context = { texts, styles, uses1904, locale };
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
    let isHiddenRow = false;
    await this.archive.readXml(file, {
      open(name, attributes) {
        if (name === "row") {
          const number = Number(attributes["r"] ?? row + 1);
          row = Number.isSafeInteger(number) && number > row ? number : row + 1;
          column = -1;
          cells = [];
          isHiddenRow = isTrue(attributes["hidden"]);
        } else if (name === "col") {
          const { min, max, hidden } = attributes;
          if (isTrue(hidden))
            take.hiddenColumns(Number(min) - 1, Number(max) - 1);
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
          cells[column] = toXlsxValue(cell, context);
        } else if (name === "row") take.row(row, cells, isHiddenRow);
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
        else if (name === "si") pool.add(decodeText(text));
      },
    });
    return pool;
  }

  /** The number format of each style. */
  private async readStyles(): Promise<NumberFormat[]> {
    const formats = new Map<number, string>();
    const styles: NumberFormat[] = [];
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
          styles.push(toNumberFormat(id, formats.get(id)));
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

function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true";
}

/** Excel writes characters that XML cannot have as `_x000D_`, and an underscore before such a text as `_x005F_`. */
function decodeText(text: string): string {
  const decoded = text.includes("_x")
    ? text.replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
  return decoded.includes("\r") ? decoded.replaceAll(/\r\n?/g, "\n") : decoded;
}

interface XlsxContext {
  texts: TextPool;
  styles: readonly NumberFormat[];
  uses1904: boolean;
  locale: string;
}

const general = toNumberFormat(0, undefined);

function toXlsxValue(
  { type, style, value, hasFormula }: XlsxCell,
  { texts, styles, uses1904, locale }: XlsxContext,
): unknown {
  if (value === null)
    return hasFormula
      ? toFault(
          "a formula that was never calculated. Open the workbook in your spreadsheet program and save it",
          "uncalculated_formula",
        )
      : null;
  const numberFormat = styles[style] ?? general;
  const toText = (text: string | null) =>
    text === null ? null : (showValue(numberFormat, text, locale) ?? text);
  switch (type) {
    case "s":
      return toText(texts.get(Number(value)));
    case "b":
      return value === "1";
    case "e":
      return toFormulaFault(value);
    case "str":
    case "inlineStr":
      return toText(decodeText(value));
    case "d":
      return value;
    default: {
      const number = Number(Number(value).toPrecision(15));
      if (!Number.isFinite(number))
        return toFault(`the number ${value}`, "unusable_number", value);
      const { kind } = numberFormat;
      if (kind === "number")
        return toFormatted(number, showValue(numberFormat, number, locale));
      const serial = uses1904 ? number + 1462 : number;
      const isClock = kind === "time" && number >= 0 && number < 1;
      const time = isClock ? showClock(number) : fromSerial(serial);
      if (typeof time !== "string") return time;
      const days = isClock ? number : serial;
      return toFormatted(time, showValue(numberFormat, days, locale));
    }
  }
}

/** A cell that shows its value in another way. */
function toFormatted(
  value: string | number,
  text: string | null,
): string | number | FormattedCell {
  return text === null || text === value ? value : { value, text };
}

function toFault(fault: string, code: CellFault["code"], text = ""): CellFault {
  return { fault, code, text };
}

function toFormulaFault(text: string): CellFault {
  return toFault(`the formula error ${text}`, "formula_error", text);
}

const dayMs = 86_400_000;

function showClock(days: number): string {
  return new Date(Math.round(days * dayMs)).toISOString().slice(11, 16);
}

/** Excel counts days from the end of 1899, and counts a 29 February 1900. */
function fromSerial(serial: number): string | CellFault {
  const days = serial < 60 ? serial + 1 : serial;
  const seconds = Math.round((days * dayMs) / 1000);
  const time = Date.UTC(1899, 11, 30) + seconds * 1000;
  if (serial < 0 || time > 253_402_300_799_000)
    return toFault(
      `the number ${serial}, which is no date`,
      "unusable_number",
      String(serial),
    );
  const iso = new Date(time).toISOString();
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
    /** Styles, which come first. */
    const hidden = new Set<string | undefined>();
    let style: string | undefined;
    let depth = 0;
    await archive.readXml("content.xml", {
      open: (tag, attributes) => {
        if (tag === "style") style = attributes["style:name"];
        if (
          tag === "table-properties" &&
          attributes["table:display"] === "false"
        )
          hidden.add(style);
        if (tag !== "table") return;
        const { "table:name": name = "", "table:style-name": styleName } =
          attributes;
        const isVisible = styleName === undefined || !hidden.has(styleName);
        if (depth === 0) sheets.push({ name, isVisible });
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
  #isHiddenRow = false;
  /** How many columns are described. */
  #described = 0;
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
        this.#isHiddenRow = isCollapsed(attributes);
        break;
      case "table-column":
        this.#noteColumns(attributes);
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

  #noteColumns(attributes: Record<string, string>): void {
    const first = this.#described;
    this.#described += getCount(attributes["table:number-columns-repeated"]);
    if (isCollapsed(attributes))
      this.take.hiddenColumns(first, this.#described - 1);
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
        this.take.row(row, this.#cells, this.#isHiddenRow);
    this.#row = last;
  }
}

/** `filter` is what a filter hides. */
function isCollapsed(attributes: Record<string, string>): boolean {
  const visibility = attributes["table:visibility"];
  return visibility === "collapse" || visibility === "filter";
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
    return toFormulaFault(text);
  switch (type) {
    case "float":
    case "currency":
    case "percentage":
      return toOdsFormatted(Number(Number(value).toPrecision(15)), text);
    case "date": {
      const day = date?.slice(0, 19).replace(/T00:00:00$/, "");
      return day === undefined ? null : toOdsFormatted(day, text);
    }
    case "boolean":
      return boolean === "true";
    default:
      return text === "" ? null : text;
  }
}

/** @param text as the cell shows it, which a column that is too narrow shortens to `1.2E+11` */
function toOdsFormatted(value: string | number, text: string): unknown {
  const isShort = /\de[-+]\d/i.test(text) || text === "" || /^#+$/.test(text);
  return toFormatted(value, isShort || text === String(value) ? null : text);
}
