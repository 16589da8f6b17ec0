import type { PDFPage } from "@cantoo/pdf-lib";
import type {
  DemoRequest,
  KeptAnswer,
  KeptField,
  KeptSigner,
} from "../kept-request.js";
import { demoMark } from "../words.js";
import { drawFitting, type Ink, inkFor } from "./ink.js";
import { scribble } from "./scribble.js";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All lengths in points. A field has its caption at its top, and a signature a rule at its bottom. */
const edge = 4;
const captionHeight = 8;
const markSize = 7;
const smallSize = 5.5;

/** The document with what its signers have filled in, and the mark of the demo on every page. */
export async function signedPdf(
  original: Uint8Array,
  demo: DemoRequest,
): Promise<Uint8Array> {
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.load(original, { updateMetadata: false });
  const ink = await inkFor(pdf);
  const pages = pdf.getPages();
  const { signers, fields } = demo.request;
  for (const [place, signer] of signers.entries()) {
    const answer = demo.answers[place];
    if (!answer) continue;
    for (const field of fields.filter(({ role }) => role === signer.role)) {
      const page = pages[field.page - 1];
      if (page) drawField(ink, page, field, signer, answer);
    }
  }
  for (const page of pages) mark(ink, page);
  return pdf.save();
}

function drawField(
  ink: Ink,
  page: PDFPage,
  field: KeptField,
  signer: KeptSigner,
  { at, values }: KeptAnswer,
): void {
  const box = boxOf(field, page);
  const { type, name } = field;
  if (type === "signature") drawSignature(ink, page, box, signer);
  else if (type === "checkbox") drawTick(page, box, values[name] === "X");
  else if (type === "initials")
    drawText(page, box, initialsOf(signer.name), ink.slanted, 18);
  else if (type === "date") drawText(page, box, at.slice(0, 10), ink.plain, 10);
  else drawText(page, box, values[name] ?? "", ink.plain, 10);
}

function initialsOf(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? "");
  return letters.join("").toUpperCase();
}

/** The curve, and below it the signer's name with the mark: above the rule, not on it. */
function drawSignature(
  { plain, blue }: Ink,
  page: PDFPage,
  box: Box,
  { name }: KeptSigner,
): void {
  const line = Math.min(smallSize, box.height / 5);
  const foot = box.y + Math.min(edge, box.height / 8);
  const top = box.y + box.height - Math.min(captionHeight, box.height / 5);
  const room = Math.max(2, top - foot - line - 2);
  const scale = Math.min((box.width - 2 * edge) / 104, room / 30);
  page.drawSvgPath(scribble(name), {
    x: box.x + edge,
    y: top,
    scale: Math.max(scale, 0.05),
    borderWidth: 1.3,
    borderColor: blue,
  });
  drawFitting(page, `${name} - ${demoMark}`, {
    x: box.x + edge,
    y: foot,
    width: box.width - 2 * edge,
    size: line,
    least: 3.5,
    font: plain,
  });
}

/** In the room below the caption, as large as that allows. */
function drawText(
  page: PDFPage,
  box: Box,
  text: string,
  font: Ink["plain"],
  most: number,
): void {
  const caption = box.height > 2.5 * captionHeight ? captionHeight : 0;
  const room = box.height - caption;
  const size = Math.max(4, Math.min(most, room * 0.62));
  drawFitting(page, text, {
    x: box.x + edge,
    y: box.y + (room - size * 0.72) / 2,
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

function mark({ plain }: Ink, page: PDFPage): void {
  const { x, y, width, height } = page.getCropBox();
  const left = x + (width - plain.widthOfTextAtSize(demoMark, markSize)) / 2;
  const place = { x: left, y: y + height - markSize - 5, size: markSize };
  page.drawText(demoMark, { ...place, font: plain });
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
