import type { PDFDocument, PDFFont, PDFPage } from "@cantoo/pdf-lib";
import type {
  DemoRequest,
  KeptAnswer,
  KeptField,
  KeptSigner,
} from "./kept-request.js";
import { scribble } from "./scribble.js";
import { demoMark } from "./words.js";

interface Ink {
  pdf: PDFDocument;
  plain: PDFFont;
  slanted: PDFFont;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const markSize = 7;

/** The document with what its signers have filled in, and the mark of the demo on every page. */
export async function signedPdf(
  original: Uint8Array,
  demo: DemoRequest,
): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.load(original, { updateMetadata: false });
  const ink: Ink = {
    pdf,
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    slanted: await pdf.embedFont(StandardFonts.TimesRomanItalic),
  };
  const { signers, fields } = demo.request;
  for (const [place, signer] of signers.entries()) {
    const answer = demo.answers[place];
    if (!answer) continue;
    for (const field of fields.filter(({ role }) => role === signer.role))
      drawField(ink, field, signer, answer);
  }
  for (const page of pdf.getPages()) mark(ink, page);
  return pdf.save();
}

/** Who did what, and when. */
export async function auditPdf({
  request,
  answers,
}: DemoRequest): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create();
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  const lines = [
    `Audit trail of "${request.title}"`,
    demoMark,
    request.id,
    ...request.signers.flatMap(({ role, email, name }, place) => [
      "",
      `${role}: ${name} <${email}>`,
      `${answers[place]?.kind ?? "no answer"} ${answers[place]?.at ?? ""}`,
    ]),
  ];
  for (const [at, line] of lines.entries())
    page.drawText(printable(line, plain), {
      x: 50,
      y: 780 - at * 16,
      size: 11,
      font: plain,
      maxWidth: 495,
    });
  return pdf.save();
}

function drawField(
  ink: Ink,
  field: KeptField,
  signer: KeptSigner,
  answer: KeptAnswer,
): void {
  const page = ink.pdf.getPages()[field.page - 1];
  if (!page) return;
  const box = boxOf(field, page);
  if (field.type === "signature") return drawSignature(ink, page, box, signer);
  const text = textIn(field, signer, answer);
  const font = field.type === "initials" ? ink.slanted : ink.plain;
  drawText(page, box, text, font);
}

function textIn(
  { type, name }: KeptField,
  signer: KeptSigner,
  { at, values }: KeptAnswer,
): string {
  if (type === "initials") return initialsOf(signer.name);
  if (type === "date") return at.slice(0, 10);
  return values[name] ?? "";
}

function initialsOf(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? "");
  return letters.join("").toUpperCase();
}

function drawSignature(
  { plain }: Ink,
  page: PDFPage,
  box: Box,
  { name }: KeptSigner,
): void {
  const size = Math.min(markSize, box.height / 4);
  const scale = Math.min(box.width / 110, (box.height - 2 * size) / 30);
  page.drawSvgPath(scribble(name), {
    x: box.x + 2,
    y: box.y + box.height,
    scale: Math.max(scale, 0.05),
    borderWidth: 1.4,
  });
  const text = printable(`${name} - ${demoMark}`, plain);
  page.drawText(text, { x: box.x + 2, y: box.y + 1, size, font: plain });
}

function drawText(page: PDFPage, box: Box, text: string, font: PDFFont): void {
  const shown = printable(text, font);
  if (shown === "") return;
  const fits = box.width / Math.max(1, font.widthOfTextAtSize(shown, 1));
  const size = Math.max(3, Math.min(11, box.height * 0.8, fits));
  const y = box.y + (box.height - size) / 2;
  page.drawText(shown, { x: box.x + 1, y, size, font });
}

function mark({ plain }: Ink, page: PDFPage): void {
  const { x, y, width, height } = page.getCropBox();
  const left = x + (width - plain.widthOfTextAtSize(demoMark, markSize)) / 2;
  const top = y + height - markSize - 3;
  const place = { x: left, y: top, size: markSize, font: plain };
  page.drawText(demoMark, place);
}

/** A field's place is told in parts of the page, from its top left corner. */
function boxOf({ x, y, w, h }: KeptField, page: PDFPage): Box {
  const crop = page.getCropBox();
  return {
    x: crop.x + x * crop.width,
    y: crop.y + (1 - y - h) * crop.height,
    width: w * crop.width,
    height: h * crop.height,
  };
}

/** The fonts that every reader has know the letters of western Europe: accents of others are left out, then letters. */
function printable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  const isKnown = (one: string) => known.has(one.codePointAt(0) ?? 0);
  return Array.from(text.normalize("NFC"))
    .map((one) => {
      if (isKnown(one)) return one;
      const [bare = ""] = one.normalize("NFD");
      return isKnown(bare) ? bare : "?";
    })
    .join("");
}
