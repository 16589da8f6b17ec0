import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";

/** A text in a box; parts of the page's width and height, from its top left corner. */
export interface Inked {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  text: string;
}

/** The PDF with what was filled in. */
export async function inkPdf(
  bytes: Uint8Array,
  marks: readonly Inked[],
): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const { page: number, x, y, h, text } of marks) {
    const page = pdf.getPage(number - 1);
    const { width, height } = page.getSize();
    const place = { x: x * width, y: (1 - y - h) * height + 2 };
    page.drawText(printable(text), { ...place, size: 8, font });
  }
  return pdf.save();
}

/** A PDF of one page with these lines. */
export async function listPdf(lines: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage();
  const top = page.getHeight() - 40;
  for (const [at, line] of lines.entries())
    page.drawText(printable(line), { x: 40, y: top - 14 * at, size: 10, font });
  return pdf.save();
}

/** The built-in fonts know no other characters. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
