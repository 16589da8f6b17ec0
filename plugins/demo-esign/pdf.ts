import type { PDFPage, PDFDocument, PDFFont } from "@cantoo/pdf-lib";
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

/** Draws the name in italics, and below it once more with the demo notice. */
function drawSignature(
  { plain, italic }: Fonts,
  page: PDFPage,
  box: Box,
  { name }: StoredSigner,
): void {
  const size = Math.min(maxNameSize, box.height / 5);
  const y = box.y + Math.min(edge, box.height / 8);
  drawFitting(page, `${name} - ${demoNotice}`, {
    x: box.x + edge,
    y,
    width: box.width - 2 * edge,
    size,
    minSize: 3.5,
    font: plain,
  });
  const above = { ...box, y: y + size, height: box.y + box.height - y - size };
  drawText(page, above, name, italic, 24);
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

// A4.
const pageSize: [number, number] = [595, 842];
const margin = 48;

/** Creates the audit trail: the signers, what each did and when, and the checksum of the document. */
export async function createAuditPdf(demo: DemoRequest): Promise<Uint8Array> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create();
  const fonts = await loadFonts(pdf);
  const title = `Audit trail of ${demo.request.title}`;
  pdf.setTitle(title);
  let page = pdf.addPage(pageSize);
  let y = page.getHeight() - margin;
  const addLine = (text: string, font = fonts.plain, size = 10) => {
    y -= size * 1.6;
    if (y < margin) {
      page = pdf.addPage(pageSize);
      y = page.getHeight() - margin - size;
    }
    const width = page.getWidth() - 2 * margin;
    drawFitting(page, text, { x: margin, y, width, size, font });
  };
  addLine(title, fonts.bold, 16);
  for (const line of describeRequest(demo)) addLine(line);
  for (const [at, { name, role, email }] of demo.request.signers.entries()) {
    y -= 14;
    addLine(`${name}, ${role}`, fonts.bold);
    for (const line of [email, ...describeActivity(demo, at)]) addLine(line);
  }
  for (const pdfPage of pdf.getPages()) drawMark(fonts, pdfPage);
  return pdf.save();
}

function describeRequest({ request }: DemoRequest): string[] {
  const { id, pages, sizeBytes, sha256 } = request;
  return [
    "No identities were verified.",
    `Request: ${id}`,
    `Document: ${formatPages(pages)}, ${sizeBytes} bytes`,
    `SHA-256 of the document: ${sha256}`,
  ];
}

function describeActivity(demo: DemoRequest, signer: number): string[] {
  const opened = demo.opened[signer];
  const answer = demo.answers[signer];
  const act = answer?.kind === "signed" ? "Signed" : "Declined";
  const lines = [
    ...(opened ? [`Opened ${formatTime(opened)}`] : []),
    ...(answer ? [`${act} ${formatTime(answer.at)}`] : []),
  ];
  return lines.length > 0 ? lines : [getSignerStatus(demo, signer)];
}

/** The standard fonts, which every PDF reader has. */
interface Fonts {
  plain: PDFFont;
  bold: PDFFont;
  italic: PDFFont;
}

async function loadFonts(pdf: PDFDocument): Promise<Fonts> {
  const { StandardFonts } = await import("@cantoo/pdf-lib");
  return {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    italic: await pdf.embedFont(StandardFonts.TimesRomanItalic),
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
  const codePoints = new Set(font.getCharacterSet());
  const isKnown = (character: string) =>
    codePoints.has(character.codePointAt(0) ?? 0);
  return Array.from(text.normalize("NFC"))
    .map((character) => {
      if (isKnown(character)) return character;
      const [bare = ""] = lookalikes[character] ?? character.normalize("NFD");
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
