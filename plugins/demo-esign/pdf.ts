import { createHash } from "node:crypto";
import type { PDFPage, Color, PDFDocument, PDFFont } from "@cantoo/pdf-lib";
import {
  type DemoRequest,
  type StoredAnswer,
  type StoredField,
  type StoredSigner,
  getSignerStatus,
  formatPages,
  formatTime,
  demoNotice,
} from "./requests.js";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// All lengths are in points. A field has its caption at the top; a signature has a line at the bottom.
const edge = 4;
const captionHeight = 8;
const markSize = 7;
const maxNameSize = 5.5;

/** Draws the answers of the signers into the document, and the demo notice on every page. */
export async function createSignedPdf(
  original: Uint8Array,
  demo: DemoRequest,
): Promise<Uint8Array> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.load(original, { updateMetadata: false });
  const fonts = await loadFonts(pdf);
  const pages = pdf.getPages();
  const { signers, fields } = demo.request;
  for (const [at, signer] of signers.entries()) {
    const answer = demo.answers[at];
    if (!answer) continue;
    for (const field of fields.filter(({ role }) => role === signer.role)) {
      const page = pages[field.page - 1];
      if (page) drawField(fonts, page, field, signer, answer);
    }
  }
  for (const page of pages) drawMark(fonts, page);
  return pdf.save();
}

function drawField(
  fonts: Fonts,
  page: PDFPage,
  field: StoredField,
  signer: StoredSigner,
  { at, values }: StoredAnswer,
): void {
  const box = getBox(field, page);
  const { type, name } = field;
  if (type === "signature") drawSignature(fonts, page, box, signer);
  else if (type === "checkbox") drawTick(page, box, values[name] === "X");
  else if (type === "initials")
    drawText(page, box, getInitials(signer.name), fonts.italic, 18);
  else if (type === "date")
    drawText(page, box, at.slice(0, 10), fonts.plain, 10);
  else drawText(page, box, values[name] ?? "", fonts.plain, 10);
}

function getInitials(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? "");
  return letters.join("").toUpperCase();
}

/** Draws the signature above the signer's name and the demo notice, which stay clear of the field's line. */
function drawSignature(
  { plain, blue }: Fonts,
  page: PDFPage,
  box: Box,
  { name }: StoredSigner,
): void {
  const nameSize = Math.min(maxNameSize, box.height / 5);
  const bottom = box.y + Math.min(edge, box.height / 8);
  const top = box.y + box.height - Math.min(captionHeight, box.height / 5);
  const available = Math.max(2, top - bottom - nameSize - 2);
  const scale = Math.min((box.width - 2 * edge) / 104, available / 30);
  page.drawSvgPath(getSignaturePath(name), {
    x: box.x + edge,
    y: top,
    scale: Math.max(scale, 0.05),
    borderWidth: 1.3,
    borderColor: blue,
  });
  drawFitting(page, `${name} - ${demoNotice}`, {
    x: box.x + edge,
    y: bottom,
    width: box.width - 2 * edge,
    size: nameSize,
    minSize: 3.5,
    font: plain,
  });
}

/** Draws text below the caption, as large as fittingSize. */
function drawText(
  page: PDFPage,
  box: Box,
  text: string,
  font: PDFFont,
  maxSize: number,
): void {
  const caption = box.height > 2.5 * captionHeight ? captionHeight : 0;
  const available = box.height - caption;
  const size = Math.max(4, Math.min(maxSize, available * 0.62));
  drawFitting(page, text, {
    x: box.x + edge,
    y: box.y + (available - size * 0.72) / 2,
    width: box.width - 2 * edge,
    size,
    font,
  });
}

function drawTick(page: PDFPage, box: Box, isChecked: boolean): void {
  if (!isChecked) return;
  const side = Math.min(box.width, box.height);
  const path = "M 2 5.5 L 4.2 8 L 8.2 2.4";
  const y = box.y + (box.height + side) / 2;
  const x = box.x + (box.width - side) / 2;
  page.drawSvgPath(path, { x, y, scale: side / 10, borderWidth: 1.2 });
}

function drawMark({ plain }: Fonts, page: PDFPage): void {
  const { x, y, width, height } = page.getCropBox();
  const left = x + (width - plain.widthOfTextAtSize(demoNotice, markSize)) / 2;
  page.drawText(demoNotice, {
    x: left,
    y: y + height - markSize - 5,
    size: markSize,
    font: plain,
  });
}

/** Converts fractions of the page from its top left corner to points from its bottom left corner. */
function getBox({ x, y, w, h }: StoredField, page: PDFPage): Box {
  const crop = page.getCropBox();
  return {
    x: crop.x + x * crop.width,
    y: crop.y + (1 - y - h) * crop.height,
    width: w * crop.width,
    height: h * crop.height,
  };
}

// A4, in points.
const pageWidth = 595;
const pageHeight = 842;
const pageMargin = 48;
const bandHeight = 118;
const rowHeight = 54;
const columns = {
  who: pageMargin,
  role: 236,
  what: 336,
  end: pageWidth - pageMargin,
};

interface AuditCanvas {
  pdf: PDFDocument;
  fonts: Fonts;
  color: (hex: string) => Color;
}

/** Creates the audit trail: the signers, what each did and when, and the checksum of the document. */
export async function createAuditPdf(demo: DemoRequest): Promise<Uint8Array> {
  const { PDFDocument, rgb } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create();
  const color = (hex: string) => {
    const part = (at: number) => parseInt(hex.slice(at, at + 2), 16) / 255;
    return rgb(part(0), part(2), part(4));
  };
  const canvas: AuditCanvas = { pdf, fonts: await loadFonts(pdf), color };
  const { request } = demo;
  pdf.setTitle(`Audit trail of ${request.title}`);
  let page = addFirstPage(canvas, demo);
  let y = pageHeight - bandHeight - 150;
  drawHeader(canvas, page, y);
  for (const signer of request.signers.keys()) {
    y -= rowHeight;
    if (y < pageMargin + 24) {
      page = pdf.addPage([pageWidth, pageHeight]);
      y = pageHeight - pageMargin - rowHeight;
      drawHeader(canvas, page, y + rowHeight);
    }
    drawRow(canvas, page, y, demo, signer);
  }
  for (const [at, one] of pdf.getPages().entries())
    drawFooter(canvas, one, at + 1);
  return pdf.save();
}

function addFirstPage(canvas: AuditCanvas, { request }: DemoRequest): PDFPage {
  const { pdf, fonts, color } = canvas;
  const page = pdf.addPage([pageWidth, pageHeight]);
  const band = {
    x: 0,
    y: pageHeight - bandHeight,
    width: pageWidth,
    height: bandHeight,
  };
  page.drawRectangle({ ...band, color: color("0f5f59") });
  const white = { color: color("ffffff") };
  page.drawText("AUDIT TRAIL", {
    x: pageMargin,
    y: pageHeight - 44,
    size: 9,
    font: fonts.bold,
    ...white,
  });
  page.drawText(demoNotice, {
    x: columns.end - fonts.bold.widthOfTextAtSize(demoNotice, 9),
    y: pageHeight - 44,
    size: 9,
    font: fonts.bold,
    ...white,
  });
  drawLine(canvas, page, request.title, {
    y: pageHeight - 80,
    size: 22,
    font: "bold",
    hex: "ffffff",
  });
  const facts = [
    ["Request", request.id],
    ["Document", `${formatPages(request.pages)}, ${request.sizeBytes} bytes`],
    ["SHA-256 of the document", request.sha256],
  ] as const;
  for (const [at, [name, value]] of facts.entries()) {
    const y = pageHeight - bandHeight - 36 - at * 30;
    drawLine(canvas, page, name, { y: y + 11, size: 8, hex: "59636d" });
    drawLine(canvas, page, value, { y: y - 1, size: 10 });
  }
  return page;
}

function drawHeader(canvas: AuditCanvas, page: PDFPage, y: number): void {
  const soft = { y, size: 8, hex: "59636d", font: "bold" } as const;
  drawLine(canvas, page, "SIGNER", { ...soft, x: columns.who });
  drawLine(canvas, page, "ROLE", { ...soft, x: columns.role });
  drawLine(canvas, page, "ACTIVITY", { ...soft, x: columns.what });
  drawRule(canvas, page, y - 8);
}

function drawRow(
  canvas: AuditCanvas,
  page: PDFPage,
  y: number,
  demo: DemoRequest,
  index: number,
): void {
  const signer = demo.request.signers[index];
  if (!signer) return;
  const { name, email, role } = signer;
  const who = { x: columns.who, until: columns.role };
  drawLine(canvas, page, name, { ...who, y: y + 22, size: 11, font: "bold" });
  drawLine(canvas, page, email, { ...who, y: y + 8, size: 9, hex: "59636d" });
  const within = { x: columns.role, until: columns.what };
  drawLine(canvas, page, role, { ...within, y: y + 22, size: 10 });
  for (const [at, text] of describeActivity(demo, index).entries())
    drawLine(canvas, page, text, {
      x: columns.what,
      y: y + 22 - at * 13,
      size: 9,
    });
  drawRule(canvas, page, y - 6);
}

function describeActivity(demo: DemoRequest, signer: number): string[] {
  const opened = demo.opened[signer];
  const answer = demo.answers[signer];
  const lines = [
    ...(opened ? [`Opened ${formatTime(opened)}`] : []),
    ...(answer
      ? [
          `${answer.kind === "signed" ? "Signed" : "Declined"} ${formatTime(answer.at)}`,
        ]
      : []),
  ];
  return lines.length > 0 ? lines : [getSignerStatus(demo, signer)];
}

function drawFooter(canvas: AuditCanvas, page: PDFPage, number: number): void {
  const text = `${demoNotice}. No identities were verified. Page ${number}`;
  drawLine(canvas, page, text, { y: 28, size: 8, hex: "59636d" });
}

function drawLine(
  { fonts, color }: AuditCanvas,
  page: PDFPage,
  text: string,
  {
    x = pageMargin,
    until = columns.end,
    y,
    size,
    font = "plain",
    hex = "1c2126",
  }: {
    x?: number;
    until?: number;
    y: number;
    size: number;
    font?: "plain" | "bold";
    hex?: string;
  },
): void {
  page.setFontColor(color(hex));
  const gap = until === columns.end ? 0 : 10;
  drawFitting(page, text, {
    x,
    y,
    width: until - x - gap,
    size,
    font: fonts[font],
  });
}

function drawRule({ color }: AuditCanvas, page: PDFPage, y: number): void {
  page.drawLine({
    start: { x: pageMargin, y },
    end: { x: columns.end, y },
    thickness: 0.6,
    color: color("e3dfd6"),
  });
}

/** The standard fonts, which every PDF reader has, and the color of signatures. */
interface Fonts {
  plain: PDFFont;
  bold: PDFFont;
  italic: PDFFont;
  blue: Color;
}

async function loadFonts(pdf: PDFDocument): Promise<Fonts> {
  const { rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  return {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    italic: await pdf.embedFont(StandardFonts.TimesRomanItalic),
    blue: rgb(0.1, 0.16, 0.42),
  };
}

/** Replacements for letters that the fonts lack and that do not decompose into a letter and an accent. */
const lookalikes: Readonly<Record<string, string>> = {
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Ħ: "H",
  ħ: "h",
  ı: "i",
};

/** The standard fonts have only western European letters. Others lose their accents; what is still missing becomes `?`. */
function toPrintable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  const isKnown = (one: string) => known.has(one.codePointAt(0) ?? 0);
  return Array.from(text.normalize("NFC"))
    .map((one) => {
      if (isKnown(one)) return one;
      const [bare = ""] = lookalikes[one] ?? one.normalize("NFD");
      return isKnown(bare) ? bare : "?";
    })
    .join("");
}

/** Draws one line of text, shrunk to at least `minSize` and then truncated to fit the width. */
function drawFitting(
  page: PDFPage,
  text: string,
  {
    x,
    y,
    width,
    size,
    minSize = 5,
    font,
  }: {
    x: number;
    y: number;
    width: number;
    size: number;
    minSize?: number;
    font: PDFFont;
  },
): void {
  const printableText = toPrintable(text, font);
  if (printableText === "") return;
  const fittingSize = width / font.widthOfTextAtSize(printableText, 1);
  const actualSize = Math.max(
    Math.min(size, fittingSize),
    Math.min(size, minSize),
  );
  page.drawText(truncate(printableText, width, actualSize, font), {
    x,
    y,
    size: actualSize,
    font,
  });
}

function truncate(text: string, width: number, size: number, font: PDFFont) {
  if (font.widthOfTextAtSize(text, size) <= width) return text;
  for (let length = text.length - 1; length > 0; length -= 1) {
    const cut = `${text.slice(0, length).trimEnd()}...`;
    if (font.widthOfTextAtSize(cut, size) <= width) return cut;
  }
  return "";
}

/** An SVG path that looks like a signature, 104 wide and 30 high. The same name always has the same path. */
export function getSignaturePath(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  const part = (index: number) => (bytes[index % bytes.length] ?? 0) / 255;
  const strokes = Array.from({ length: 7 }, (_, stroke) => {
    const right = 14 + stroke * 13;
    const isUp = stroke % 2 === 0;
    const pull = isUp ? -6 + part(stroke) * 10 : 20 + part(stroke) * 14;
    const end = isUp ? 6 + part(stroke + 9) * 9 : 15 + part(stroke + 9) * 9;
    const back = right + 2 + part(stroke + 18) * 9;
    return `S ${back} ${pull} ${right + 4} ${end}`;
  });
  return `M 2 ${16 + part(30) * 6} C 4 4 10 2 12 12 ${strokes.join(" ")}`;
}
