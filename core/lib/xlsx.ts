import { PassThrough, pipeline, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { getColumnLetters } from "../plugin-api/index.js";
import { escapeXml } from "./escape-xml.js";

// Workbooks with one sheet, written as they are read.

/** A link is a text that opens its address; everything else is written as its own type, and never as a formula. */
export type XlsxCell = string | number | boolean | null | { url: string };

/** Excel opens no workbook with more. */
const maxLinks = 65_000;
const maxCharacters = 32_767;
const rowsPerPart = 100;

/**
 * @param rows the first one is the header. They are read on demand; when they reject, the stream is destroyed with the
 * same error.
 */
export function writeXlsx(
  sheetName: string,
  rows: AsyncIterable<readonly XlsxCell[]>,
): Readable {
  const zip = new ZipFile();
  const links: string[] = [];
  const output = new PassThrough();
  // An error of either ends the other; the reader of the output hears of it there.
  pipeline(zip.outputStream, output, () => undefined);
  zip.on("error", (error: Error) => output.destroy(error));
  const addText = (name: string, text: string) =>
    zip.addBuffer(Buffer.from(declaration + text), name);
  addText("[Content_Types].xml", contentTypes);
  addText("_rels/.rels", packageRelations);
  addText("xl/_rels/workbook.xml.rels", workbookRelations);
  addText("xl/styles.xml", styles);
  addText(
    "xl/workbook.xml",
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escapeXml(toSheetName(sheetName))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  const addParts = (name: string, parts: AsyncIterable<string>) => {
    const stream = Readable.from(parts, { objectMode: false });
    stream.on("error", (error) => output.destroy(error));
    zip.addReadStream(stream, name);
  };
  addParts("xl/worksheets/sheet1.xml", writeSheet(rows, links));
  addParts("xl/worksheets/_rels/sheet1.xml.rels", writeLinks(links));
  zip.end();
  return output;
}

async function* writeSheet(
  rows: AsyncIterable<readonly XlsxCell[]>,
  links: string[],
): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}" xmlns:r="${relations}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  const cellsOfLinks: string[] = [];
  let row = 0;
  let part = "";
  for await (const cells of rows) {
    row += 1;
    part += `<row r="${row}">`;
    for (const [index, cell] of cells.entries()) {
      const place = `${getColumnLetters(index)}${row}`;
      const isLink = typeof cell === "object" && cell !== null;
      if (isLink && links.length < maxLinks) {
        links.push(cell.url);
        cellsOfLinks.push(place);
      }
      part += writeCell(place, cell, row === 1);
    }
    part += "</row>";
    if (row % rowsPerPart !== 0) continue;
    yield part;
    part = "";
  }
  yield `${part}</sheetData>`;
  if (cellsOfLinks.length > 0) {
    yield "<hyperlinks>";
    for (const [index, place] of cellsOfLinks.entries())
      yield `<hyperlink ref="${place}" r:id="rId${index + 1}"/>`;
    yield "</hyperlinks>";
  }
  yield "</worksheet>";
}

async function* writeLinks(links: readonly string[]): AsyncGenerator<string> {
  yield `${declaration}<Relationships xmlns="${packageNamespace}/relationships">`;
  for (const [index, url] of links.entries())
    yield `<Relationship Id="rId${index + 1}" Type="${relations}/hyperlink" Target="${escapeXml(url)}" TargetMode="External"/>`;
  yield "</Relationships>";
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?$/;
const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);

function writeCell(place: string, cell: XlsxCell, isHeader: boolean): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "number")
    return Number.isFinite(cell) ? `<c r="${place}"><v>${cell}</v></c>` : "";
  if (typeof cell === "boolean")
    return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  const [style, text] =
    typeof cell === "object" ? [3, cell.url] : [isHeader ? 4 : 0, cell];
  const date = style === 0 ? isoDate.exec(text) : null;
  const time = Date.parse(`${date?.[1]}T${date?.[2] ?? "00:00:00"}Z`);
  if (date && time >= Date.UTC(1900, 2, 1))
    return `<c r="${place}" s="${date[2] === undefined ? 1 : 2}"><v>${(time - firstDay) / dayMs}</v></c>`;
  const escaped = escapeXml(text.slice(0, maxCharacters));
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

function toSheetName(name: string): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\]/g, " ")
    .replaceAll(/^'+|'+$/g, "");
  return allowed.trim().slice(0, 31) || "Documents";
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations =
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageNamespace = "http://schemas.openxmlformats.org/package/2006";
const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const contentTypes = `<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${mimeType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${mimeType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${mimeType}.styles+xml"/></Types>`;
const packageRelations = `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbookRelations = `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;
/** Plain, day, day with time, link, header. */
const styles = `<styleSheet xmlns="${main}"><fonts count="3"><font/><font><u/><color rgb="FF0563C1"/></font><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf fontId="2" applyFont="1"/></cellXfs></styleSheet>`;
