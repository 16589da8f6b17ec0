import type { Font } from "fontkit";
import { PlatenError } from "../../plugin-api/index.js";
import { unpackedFontSize } from "./unpacked-font-size.js";
import { isWholeFont } from "./whole-font.js";

/** What a style has to say to be drawn with a font. */
export interface FontFaceName {
  family: string;
  /** As CSS says it: `400`, or `100 900` of a variable font. */
  weight: string;
  style: "normal" | "italic";
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  TTF: "font/ttf",
  OTF: "font/otf",
  WOFF: "font/woff",
  WOFF2: "font/woff2",
};

/** A few kilobytes may say to be gigabytes. The largest fonts there are have about 40 MB. */
const MOST_UNPACKED = 128 * 1024 * 1024;

export interface FontFile {
  mimeType: string;
  extension: string;
  face: FontFaceName;
}

/** The bytes' own word for what they are; null when they are no font. */
export function fontFormat(bytes: Uint8Array): string | null {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  if (mark === "\0\x01\0\0" || mark === "true") return "TTF";
  if (mark === "OTTO") return "OTF";
  if (mark === "wOFF") return "WOFF";
  return mark === "wOF2" ? "WOFF2" : null;
}

/** @throws PlatenError `invalid_request` for a damaged font and for one that has no name. */
export async function readFont(
  bytes: Uint8Array,
  format: string,
): Promise<FontFile> {
  // Loaded by the first font: few installations have any.
  const { create } = await import("fontkit");
  try {
    const file = Buffer.from(bytes);
    if (!isWholeFont(file)) throw new Error("it was cut off");
    if ((unpackedFontSize(file) ?? 0) > MOST_UNPACKED)
      throw new Error("it unpacks to more than any font has");
    const font = create(file);
    if (!("familyName" in font)) throw new Error("a collection of fonts");
    const mimeType = MIME_TYPES[format] ?? "font/ttf";
    return { mimeType, extension: format.toLowerCase(), face: faceOf(font) };
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      "The font is damaged, or it has no name. Use one ttf, otf, woff or woff2 file for each style.",
      { cause },
    );
  }
}

/** Weights have one family name, where the font gives it (OpenType, name 16); else that of the four basic styles. */
function faceOf(font: Font): FontFaceName {
  const family = (
    font.getName("preferredFamily", "en") ?? font.familyName
  ).trim();
  if (family === "" || family.length > 100) throw new Error("no family name");
  const { wght } = font.variationAxes;
  const os2 = font["OS/2"];
  const isItalic = os2.fsSelection.italic || font.italicAngle !== 0;
  return {
    family,
    weight: wght ? `${wght.min} ${wght.max}` : String(os2.usWeightClass),
    style: isItalic ? "italic" : "normal",
  };
}
