import { create, type Font } from "fontkit";
import subsetFont from "subset-font";
import { readFace } from "../fonts/font-files.js";
import type { PdfWriter } from "./pdf-writer.js";

/** A page whose number is drawn when the number of all pages is known. */
export interface NumberedPage {
  stamp: number;
  /** Its index among those of its tree. */
  index: number;
  /** Moves the origin to the lower right corner as a reader shows it. */
  matrix: string;
}

export const NUMBER_FONT = "PlatenPageNumber";
const NUMBER_SIZE = 7;
/** An upper bound of the width of one character, in points. */
const NUMBER_WIDTH = NUMBER_SIZE * 0.52;
const NUMBER_CHARACTERS = "0123456789/ ";

/** Writes the numbers of pages, in a font with the characters of numbers only. */
export class PageNumbers {
  private constructor(
    private readonly writer: PdfWriter,
    /** The number of the font. */
    readonly font: number,
    /** Contents may leave the coordinate system changed, so they are put between this stream and that of the number. */
    readonly isolate: number,
    /** The codes of characters, in hexadecimal digits. */
    private readonly codes: ReadonlyMap<string, string>,
  ) {}

  static async embed(writer: PdfWriter): Promise<PageNumbers> {
    const file = await readFace("inter-400Regular.ttf");
    const bytes = await subsetFont(file, NUMBER_CHARACTERS, {
      targetFormat: "truetype",
    });
    const font = create(bytes);
    if (!("glyphForCodePoint" in font))
      throw new Error("a collection of fonts");
    const characters = Array.from(NUMBER_CHARACTERS, (character) => {
      const { id, advanceWidth } = font.glyphForCodePoint(
        character.codePointAt(0) ?? 0,
      );
      return { character, id, advanceWidth };
    });
    return new PageNumbers(
      writer,
      writeFont(writer, font, bytes, characters),
      writer.addStream("", Buffer.from("q\n")),
      new Map(characters.map(({ character, id }) => [character, toHex(id)])),
    );
  }

  write({ stamp, matrix }: NumberedPage, text: string): void {
    // The font's digits all have the same width.
    const right = 24 + text.length * NUMBER_WIDTH;
    const codes = Array.from(
      text,
      (character) => this.codes.get(character) ?? "",
    ).join("");
    this.writer.writeStream(
      stamp,
      "",
      Buffer.from(
        `\nQ\nq ${matrix} cm /Artifact<</Type/Pagination/Subtype/Footer>>BDC BT /${NUMBER_FONT} ${NUMBER_SIZE} Tf 0.35 g ` +
          `-${right.toFixed(2)} 12 Td <${codes}> Tj ET EMC Q\n`,
      ),
    );
  }
}

/** Codes are the numbers of glyphs, which need no table in the font. */
function writeFont(
  writer: PdfWriter,
  font: Font,
  bytes: Buffer,
  characters: readonly {
    character: string;
    id: number;
    advanceWidth: number;
  }[],
): number {
  const scale = 1000 / font.unitsPerEm;
  const toUnits = (length: number) => Math.round(length * scale);
  const { bbox } = font;
  const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(toUnits);
  const fontName = "/PLATEN+PageNumber";
  const program = writer.addStream(`/Length1 ${bytes.length}`, bytes);
  const descriptor = writer.add(
    `<</Type/FontDescriptor/FontName${fontName}/Flags 4/FontBBox[${box.join(" ")}]/ItalicAngle 0/Ascent ${toUnits(font.ascent)}` +
      `/Descent ${toUnits(font.descent)}/CapHeight ${toUnits(font.capHeight)}/StemV 80/FontFile2 ${program} 0 R>>`,
  );
  const widths = characters.map(
    ({ id, advanceWidth }) => `${id}[${toUnits(advanceWidth)}]`,
  );
  const glyphs = writer.add(
    `<</Type/Font/Subtype/CIDFontType2/BaseFont${fontName}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/CIDToGIDMap/Identity/DW 0/W[${widths.join("")}]/FontDescriptor ${descriptor} 0 R>>`,
  );
  const map = characters.map(
    ({ character, id }) =>
      `<${toHex(id)}> <${toHex(character.charCodeAt(0))}>\n`,
  );
  const unicode = writer.addStream(
    "",
    Buffer.from(
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n1 begincodespacerange\n<0000> <FFFF>\n" +
        `endcodespacerange\n${map.length} beginbfchar\n${map.join("")}endbfchar\nendcmap\n` +
        "CMapName currentdict /CMap defineresource pop\nend\nend",
    ),
  );
  return writer.add(
    `<</Type/Font/Subtype/Type0/BaseFont${fontName}/Encoding/Identity-H/DescendantFonts[${glyphs} 0 R]/ToUnicode ${unicode} 0 R>>`,
  );
}

/** Two bytes. */
function toHex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}
