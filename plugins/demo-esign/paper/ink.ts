import type { Color, PDFDocument, PDFFont, PDFPage } from "@cantoo/pdf-lib";

/** What is written with. The fonts are those that every reader has. */
export interface Ink {
  plain: PDFFont;
  bold: PDFFont;
  slanted: PDFFont;
  /** What a pen writes with. */
  blue: Color;
}

export async function inkFor(pdf: PDFDocument): Promise<Ink> {
  const { rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  return {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    slanted: await pdf.embedFont(StandardFonts.TimesRomanItalic),
    blue: rgb(0.1, 0.16, 0.42),
  };
}

/** Letters that are none with an accent, and that the fonts have not. */
const likenesses: Readonly<Record<string, string>> = {
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Ħ: "H",
  ħ: "h",
  ı: "i",
};

/** These fonts know the letters of western Europe: of others, accents are left out, then letters. */
export function printable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  const isKnown = (one: string) => known.has(one.codePointAt(0) ?? 0);
  return Array.from(text.normalize("NFC"))
    .map((one) => {
      if (isKnown(one)) return one;
      const [bare = ""] = likenesses[one] ?? one.normalize("NFD");
      return isKnown(bare) ? bare : "?";
    })
    .join("");
}

/** A line that is made smaller, and then cut, until it fits. @returns its size. */
export function drawFitting(
  page: PDFPage,
  text: string,
  {
    x,
    y,
    width,
    size,
    least = 5,
    font,
  }: {
    x: number;
    y: number;
    width: number;
    size: number;
    least?: number;
    font: PDFFont;
  },
): void {
  const whole = printable(text, font);
  if (whole === "") return;
  const fits = width / font.widthOfTextAtSize(whole, 1);
  const used = Math.max(Math.min(size, fits), Math.min(size, least));
  page.drawText(cutTo(whole, width, used, font), { x, y, size: used, font });
}

function cutTo(text: string, width: number, size: number, font: PDFFont) {
  if (font.widthOfTextAtSize(text, size) <= width) return text;
  for (let length = text.length - 1; length > 0; length -= 1) {
    const cut = `${text.slice(0, length).trimEnd()}...`;
    if (font.widthOfTextAtSize(cut, size) <= width) return cut;
  }
  return "";
}
