import type { sheets_v4 } from "@googleapis/sheets";
import {
  type FieldInfo,
  type FieldKind,
  getColumnLetters,
  type NumberFormat,
  PlatformError,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import { createMoneyFormat } from "../lib/cells.js";
import { type SheetsClient, SheetSettings } from "./client.js";

export interface NamedColumn {
  index: number;
  /** From the first row; when several columns have one name, the later ones get their letters added. */
  name: string;
}

export interface SheetColumn extends NamedColumn {
  kind: FieldKind;
  /** Google's own name for the kind. */
  native: string;
  format?: NumberFormat;
  currency?: string;
  isFormula: boolean;
}

/** The columns of a sheet, with the kinds that its first ten rows suggest. */
export interface SheetShape {
  title: string;
  /** Of the spreadsheet: the zone of its dates and times. */
  timeZone: string;
  columns: readonly SheetColumn[];
}

export interface SheetRow {
  key: string;
  /** The row number in the sheet, from 1. It can change as soon as it was read. */
  number: number;
  cells: readonly unknown[];
}

/** The content of a sheet: its named columns, and its rows by their keys. */
export interface Sheet {
  title: string;
  columns: readonly NamedColumn[];
  rows: ReadonlyMap<string, SheetRow>;
}

type Values = readonly (readonly unknown[])[];

/** One spreadsheet, as its connection's settings read it. */
export class Spreadsheet {
  readonly id: string;
  readonly settings: SheetSettings;

  /** @throws PlatformError `bad_config` when no spreadsheet is named. */
  constructor(
    readonly client: SheetsClient,
    baseId: string | undefined,
  ) {
    if (baseId === undefined || !/^[\w-]{10,}$/.test(baseId))
      throw new PlatformError(
        "bad_config",
        "No spreadsheet is given. Set baseId to the part of its address after /d/.",
      );
    this.id = baseId;
    this.settings = new SheetSettings(client.context.credentials);
  }

  /** Describes the sheets that have a key column. @throws PlatformError `bad_config` when a key occurs twice. */
  async describe(): Promise<TableInfo[]> {
    const titles = await this.listTitles();
    const shapes = await this.readShapes(titles);
    const keyed = shapes.flatMap((shape) => {
      const key = this.findKeyColumn(shape);
      return key ? [{ shape, key }] : [];
    });
    if (keyed.length === 0)
      throw new PlatformError(
        "bad_config",
        `No sheet has the key column "${this.settings.getKeyColumn("") ?? "ID"}". Set keyColumn of the connection to the column that identifies rows.`,
      );
    // From the header on: Google refuses a range that begins below the last row of a sheet.
    const keyValues = await this.readRanges(
      keyed.map(({ shape: { title }, key: { index } }) => {
        const letters = getColumnLetters(index);
        return toRange(title, `${letters}1:${letters}`);
      }),
    );
    for (const [at, { shape, key }] of keyed.entries()) {
      const [, ...rows] = keyValues[at] ?? [];
      indexRows(shape.title, rows, { ...key, index: 0 });
    }
    return keyed.map(({ shape }) => this.toTableInfo(shape));
  }

  private async listTitles(): Promise<string[]> {
    const what = `the spreadsheet ${this.id}`;
    const { sheets = [] } = await this.client.send({ what }, () =>
      this.client.sheets.spreadsheets.get({
        spreadsheetId: this.id,
        fields: "sheets(properties(title,sheetType))",
      }),
    );
    return sheets.flatMap(({ properties }) =>
      properties?.sheetType === "GRID" ? (properties.title ?? []) : [],
    );
  }

  private findKeyColumn({ title, columns }: SheetShape): NamedColumn | null {
    const name = this.settings.getKeyColumn(title);
    if (name === null) return null;
    const column = columns.find((candidate) => candidate.name === name);
    if (column) return column;
    if (this.settings.hasOwnKeyColumn(title))
      throw createKeyColumnError(title, name);
    return null;
  }

  private toTableInfo({ title, columns }: SheetShape): TableInfo {
    const primaryFieldId = this.settings.getKeyColumn(title);
    const inverse = this.settings
      .findInverseLinks(title)
      .map(({ inverse: id, sheet, column }): FieldInfo => ({
        id,
        name: id,
        kind: "link",
        native: `rows of ${sheet} by ${column}`,
        writable: false,
        link: { tableId: sheet, many: true },
      }));
    const inverseIds = new Set(inverse.map(({ id }) => id));
    const ownColumns = columns.filter(({ name }) => !inverseIds.has(name));
    return {
      id: title,
      name: title,
      ...(primaryFieldId !== null && { primaryFieldId }),
      fields: [
        ...ownColumns.map((column) => this.toFieldInfo(title, column)),
        ...inverse,
      ],
    };
  }

  private toFieldInfo(
    sheet: string,
    { name, kind, native, isFormula, format, currency }: SheetColumn,
  ): FieldInfo {
    const field = { id: name, name, native, writable: !isFormula };
    const link = this.settings.findLink(sheet, name);
    if (link)
      return {
        ...field,
        kind: "link",
        writable: false,
        link: { tableId: link.to, many: link.many ?? true },
      };
    const isFile = this.settings.acceptsFiles(name);
    return isFile
      ? { ...field, kind: "attachment", stores: "link" }
      : {
          ...field,
          kind,
          writable: false,
          ...(format && { format }),
          ...(currency !== undefined && { currency }),
        };
  }

  /** Reads the shapes of some sheets in one request. */
  async readShapes(titles: readonly string[]): Promise<SheetShape[]> {
    const what = `the sheet ${titles.map((title) => `"${title}"`).join(", ")}`;
    const { properties, sheets = [] } = await this.client.send({ what }, () =>
      this.client.sheets.spreadsheets.get({
        spreadsheetId: this.id,
        ranges: titles.map((title) => toRange(title, "1:11")),
        fields: shapeFields,
      }),
    );
    const timeZone = properties?.timeZone ?? "Etc/UTC";
    return titles.map((title) => {
      const sheet = sheets.find(
        (candidate) => candidate.properties?.title === title,
      );
      return { title, timeZone, columns: readColumns(sheet?.data?.[0]) };
    });
  }

  /** Reads whole sheets in one request: only the whole sheet shows in which row a key is. */
  async readSheets(titles: readonly string[]): Promise<Sheet[]> {
    const ranges = await this.readRanges(titles.map((title) => toRange(title)));
    return titles.map((title, at) => {
      const keyColumn = this.settings.getKeyColumn(title);
      if (keyColumn === null)
        throw new PlatformError(
          "not_found",
          `The connection ignores the sheet "${title}".`,
        );
      const [header = [], ...rest] = ranges[at] ?? [];
      const columns = nameColumns(header);
      const key = columns.find(({ name }) => name === keyColumn);
      if (!key) throw createKeyColumnError(title, keyColumn);
      return { title, columns, rows: indexRows(title, rest, key) };
    });
  }

  async readSheet(title: string): Promise<Sheet> {
    const [sheet] = await this.readSheets([title]);
    return sheet ?? { title, columns: [], rows: new Map() };
  }

  private async readRanges(ranges: string[]): Promise<Values[]> {
    const what = `the sheet ${ranges.join(", ")}`;
    const { valueRanges = [] } = await this.client.send({ what }, () =>
      this.client.sheets.spreadsheets.values.batchGet({
        spreadsheetId: this.id,
        ranges,
        valueRenderOption: "UNFORMATTED_VALUE",
        dateTimeRenderOption: "SERIAL_NUMBER",
      }),
    );
    return valueRanges.map(({ values }) => values ?? []);
  }
}

/** Indexes rows by their keys. Rows without a key, such as totals, are not records. */
function indexRows(
  sheet: string,
  rows: Values,
  { index, name }: NamedColumn,
): Map<string, SheetRow> {
  const rowsByKey = new Map<string, SheetRow>();
  for (const [at, cells] of rows.entries()) {
    const key = toText(cells[index]);
    if (key === "") continue;
    const number = at + 2;
    const first = rowsByKey.get(key);
    if (first)
      throw new PlatformError(
        "bad_config",
        `In the sheet "${sheet}", the rows ${first.number} and ${number} have the same key "${key.slice(0, 60)}" in the column "${name}". ` +
          "Give each row its own key.",
      );
    rowsByKey.set(key, { key, number, cells });
  }
  return rowsByKey;
}

function createKeyColumnError(sheet: string, column: string): PlatformError {
  return new PlatformError(
    "bad_config",
    `The sheet "${sheet}" has no key column "${column}". Add the column, or name another one in keyColumns of the connection.`,
  );
}

export function createColumnError(
  sheet: string,
  column: string,
): PlatformError {
  return new PlatformError(
    "invalid_field",
    `The sheet "${sheet}" has no column "${column}". It may have been renamed.`,
    { fieldId: column },
  );
}

const cellFields =
  "effectiveValue,userEnteredValue(formulaValue),effectiveFormat(numberFormat(type,pattern)),dataValidation(condition(type))";
const shapeFields = `properties(timeZone),sheets(properties(title),data(rowData(values(${cellFields}))))`;

function readColumns(
  data: sheets_v4.Schema$GridData | undefined,
): SheetColumn[] {
  const [header = {}, ...rows] = data?.rowData ?? [];
  const names = (header.values ?? []).map(
    ({ effectiveValue: value }) =>
      value?.stringValue ?? value?.numberValue ?? value?.boolValue,
  );
  return nameColumns(names).map((column) => {
    const cells = rows
      .map(({ values }) => values?.[column.index] ?? {})
      .filter(({ effectiveValue }) => effectiveValue);
    const isFormula = cells.some(
      ({ userEnteredValue }) =>
        typeof userEnteredValue?.formulaValue === "string",
    );
    return { ...column, ...findCommonKind(cells.map(getKind)), isFormula };
  });
}

type Kind = Pick<SheetColumn, "kind" | "native" | "format" | "currency">;

/** The kind of most cells: single ones may differ, such as the label of a total. An empty column is text. */
function findCommonKind(kinds: readonly Kind[]): Kind {
  const count = ({ native }: Kind) =>
    kinds.filter((candidate) => candidate.native === native).length;
  const [common] = kinds.toSorted(
    (candidate, other) => count(other) - count(candidate),
  );
  if (!common) return { kind: "text", native: "TEXT" };
  const { kind, native } = common;
  // Amounts in several currencies have none in common.
  const isMixed = kinds.some(
    (candidate) =>
      candidate.native === native && candidate.currency !== common.currency,
  );
  return isMixed ? { kind, native } : common;
}

const numberFormats: Readonly<Record<string, FieldKind>> = {
  DATE: "date",
  DATE_TIME: "date",
  NUMBER: "number",
  CURRENCY: "number",
  PERCENT: "number",
  SCIENTIFIC: "number",
};

function getKind({
  effectiveValue,
  effectiveFormat,
  dataValidation,
}: sheets_v4.Schema$CellData): Kind {
  if (typeof effectiveValue?.boolValue === "boolean")
    return { kind: "boolean", native: "BOOLEAN" };
  if (typeof effectiveValue?.numberValue === "number") {
    const { type, pattern } = effectiveFormat?.numberFormat ?? {};
    const native = type ?? "NUMBER";
    const kind = numberFormats[native] ?? "number";
    if (native === "PERCENT") return { kind, native, format: "percent" };
    if (native !== "CURRENCY") return { kind, native };
    return { kind, native, ...createMoneyFormat(getSign(pattern ?? "")) };
  }
  const rule = dataValidation?.condition?.type ?? "";
  return rule.startsWith("ONE_OF_")
    ? { kind: "select", native: rule }
    : { kind: "text", native: "TEXT" };
}

/** What a number format shows beside the digits: `$`, `"€"`, `[$CHF]` or, with a locale, `[$kr-41D]`. */
function getSign(pattern: string): string {
  const [, marked, quoted, plain = ""] =
    /\[\$([^\]-]+)|"([^"]+)"|(\p{Sc})/u.exec(pattern) ?? [];
  return marked ?? quoted ?? plain;
}

/** The columns that have a name. */
function nameColumns(header: readonly unknown[]): NamedColumn[] {
  const taken = new Set<string>();
  return header.flatMap((value, index) => {
    const text = toText(value);
    if (text === "") return [];
    const name = taken.has(text)
      ? `${text} (${getColumnLetters(index)})`
      : text;
    taken.add(name);
    return [{ index, name }];
  });
}

/** A name or a key as text, whatever the type of its cell. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** A range of a sheet, or the whole sheet, in A1 notation. */
export function toRange(sheet: string, cells?: string): string {
  const quoted = `'${sheet.replaceAll("'", "''")}'`;
  return cells === undefined ? quoted : `${quoted}!${cells}`;
}
