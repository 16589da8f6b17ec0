import { strToU8, zipSync } from "fflate";
import { createDecoder } from "../../plugins/file/text-encoding.js";

// Small workbooks, written by hand so that a test decides every attribute.

/** A cell's XML between `<row>` tags, without its place. */
export type CellXml =
  string | number | boolean | null | { xml: string } | FormattedXml;

/** A cell with a number format: its code, or the ID of one without a code. */
interface FormattedXml {
  value: number | string;
  format: string | number;
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations =
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface XlsxSheet {
  name: string;
  rows: readonly (readonly CellXml[])[];
  /** Such as `A2:A3`. */
  merged?: readonly string[];
  state?: "hidden";
  /** Numbers of rows, and of columns from 1. */
  hiddenRows?: readonly number[];
  hiddenColumns?: readonly number[];
}

/** An Excel workbook; style 1 is a day, style 2 a day with time. */
export function makeXlsx(
  sheets: readonly XlsxSheet[],
  more: Record<string, Uint8Array> = {},
  uses1904 = false,
): Uint8Array<ArrayBuffer> {
  const texts: string[] = [];
  const formats: (string | number)[] = [];
  const files = Object.fromEntries(
    sheets.map((sheet, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      strToU8(toSheetXml(sheet, { texts, formats })),
    ]),
  );
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"${state ? ` state="${state}"` : ""}/>`,
  );
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const zip = zipSync({
    "xl/workbook.xml": strToU8(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr date1904="${Number(uses1904)}"/><sheets>${list.join("")}</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join("")}</Relationships>`,
    ),
    "xl/styles.xml": strToU8(
      `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/>${formats.map((format, index) => (typeof format === "string" ? `<numFmt numFmtId="${165 + index}" formatCode="${escapeXml(format)}"/>` : "")).join("")}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>${formats.map((format, index) => `<xf numFmtId="${typeof format === "number" ? format : 165 + index}"/>`).join("")}</cellXfs></styleSheet>`,
    ),
    "xl/sharedStrings.xml": strToU8(
      `<sst xmlns="${main}">${texts.map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join("")}</sst>`,
    ),
    ...files,
    ...more,
  });
  return new Uint8Array(zip);
}

/** What the cells of a workbook share. */
interface Shared {
  texts: string[];
  formats: (string | number)[];
}

function toSheetXml(
  { rows, merged = [], hiddenRows = [], hiddenColumns = [] }: XlsxSheet,
  shared: Shared,
): string {
  const columns = hiddenColumns.map(
    (column) => `<col min="${column}" max="${column}" hidden="1"/>`,
  );
  const lines = rows.map((cells, row) => {
    const xml = cells.map((cell, column) =>
      toCellXml(cell, `${String.fromCodePoint(65 + column)}${row + 1}`, shared),
    );
    return `<row r="${row + 1}"${hiddenRows.includes(row + 1) ? ' hidden="1"' : ""}>${xml.join("")}</row>`;
  });
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`);
  return `<worksheet xmlns="${main}"><cols>${columns.join("")}</cols><sheetData>${lines.join("")}</sheetData>${merges.length > 0 ? `<mergeCells>${merges.join("")}</mergeCells>` : ""}</worksheet>`;
}

function toCellXml(
  cell: CellXml,
  place: string,
  { texts, formats }: Shared,
): string {
  if (cell === null) return "";
  if (typeof cell === "object" && "format" in cell) {
    const style = formats.push(cell.format) + 2;
    return typeof cell.value === "number"
      ? `<c r="${place}" s="${style}"><v>${cell.value}</v></c>`
      : `<c r="${place}" s="${style}" t="inlineStr"><is><t>${escapeXml(cell.value)}</t></is></c>`;
  }
  if (typeof cell === "object")
    return cell.xml.replace("<c", `<c r="${place}"`);
  if (typeof cell === "boolean")
    return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  texts.push(cell);
  return `<c r="${place}" t="s"><v>${texts.length - 1}</v></c>`;
}

/** A cell that shows the day of a serial number. */
export const day = (serial: number): CellXml => ({
  xml: `<c s="1"><v>${serial}</v></c>`,
});
export const formulaError = (code: string): CellXml => ({
  xml: `<c t="e"><f>A1/0</f><v>${code}</v></c>`,
});
export const uncalculated: CellXml = { xml: "<c><f>SUM(A1:A2)</f></c>" };

/** A spreadsheet of LibreOffice; `cells` are the XML of each row's cells. */
export function makeOds(
  sheets: readonly {
    name: string;
    rows: readonly string[];
    isHidden?: boolean;
  }[],
  manifest = "<manifest/>",
): Uint8Array<ArrayBuffer> {
  const tables = sheets.map(
    ({ name, rows, isHidden = false }) =>
      `<table:table table:name="${escapeXml(name)}" table:style-name="${isHidden ? "ta2" : "ta1"}">${rows.map((cells) => `<table:table-row>${cells}</table:table-row>`).join("")}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
  );
  const zip = zipSync({
    mimetype: strToU8("application/vnd.oasis.opendocument.spreadsheet"),
    "META-INF/manifest.xml": strToU8(manifest),
    "content.xml": strToU8(
      `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c" xmlns:style="s"><office:automatic-styles><style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`,
    ),
  });
  return new Uint8Array(zip);
}

export function odsText(text: string, more = ""): string {
  return `<table:table-cell office:value-type="string"${more}><text:p>${escapeXml(text)}</text:p></table:table-cell>`;
}

export function odsValue(
  type: string,
  attribute: string,
  value: string,
  text = value,
): string {
  return `<table:table-cell office:value-type="${type}" office:${attribute}="${value}"><text:p>${escapeXml(text)}</text:p></table:table-cell>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

type FileContent = string | Uint8Array<ArrayBuffer>;

export interface FileForm {
  request: object;
  file: FileContent;
  fileName?: string;
  /** A second file. */
  join?: FileContent;
  headers?: Record<string, string>;
}

/** Sends a form with a file. */
export function postFile(
  service: { url: string },
  { key }: { key: string },
  path: string,
  { request, file, fileName = "orders", join, headers }: FileForm,
): Promise<Response> {
  const form = new FormData();
  form.set("request", JSON.stringify(request));
  form.set("file", new Blob([file]), fileName);
  if (join !== undefined) form.set("join", new Blob([join]), "lines.csv");
  return fetch(service.url + path, {
    method: "POST",
    headers: { "x-api-key": key, ...headers },
    body: form,
  });
}

/** The archive, with another size in place of that of an unpacked file. */
export function declareSize(
  zip: Uint8Array<ArrayBuffer>,
  size: number,
  declared: number,
): Uint8Array<ArrayBuffer> {
  const changed = zip.slice();
  const view = new DataView(changed.buffer);
  for (let at = 0; at < changed.length - 4; at += 1)
    if (view.getUint32(at, true) === size) view.setUint32(at, declared, true);
  return changed;
}

/** The bytes of a text in an encoding that Node only reads. */
export function encodeText(text: string, label: string): Buffer {
  const bytes = new Map<string, number[]>();
  const decoder = createDecoder(label);
  const note = (...code: number[]) => {
    try {
      const letter = decoder.decode(Uint8Array.from(code));
      if (!bytes.has(letter)) bytes.set(letter, code);
    } catch {
      // No character has these bytes.
    }
  };
  for (let first = 0; first < 256; first += 1) note(first);
  if (/^(?:gb|big5|shift|euc)/.test(label))
    for (let lead = 0x81; lead < 0xff; lead += 1)
      for (let trail = 0x40; trail < 0xff; trail += 1) note(lead, trail);
  const codes = Array.from(text, (letter) => {
    const code = bytes.get(letter);
    if (!code) throw new Error(`${label} has no ${letter}`);
    return code;
  });
  return Buffer.from(codes.flat());
}
