import { pictureType } from "../picture/picture-type.js";
import { fontFormat } from "./read-font.js";

/** What a file is, as far as its beginning tells; its name and its declared type are not asked. */
export type Family = "image" | "svg" | "video" | "font" | "pdf";

/** So many bytes are enough to tell. */
export const HEAD_BYTES = 4096;

/** null for what is none of them. */
export function familyOf(head: Uint8Array): Family | null {
  if (isPdf(head)) return "pdf";
  if (fontFormat(head) !== null) return "font";
  const picture = pictureType(head);
  if (picture !== null) return picture === "image/svg+xml" ? "svg" : "image";
  return isVideo(head) ? "video" : null;
}

/** Readers look for the mark in the first 1024 bytes (ISO 32000-1, annex H); ours want it at the beginning. */
function isPdf(head: Uint8Array): boolean {
  return latin(head, 0, 5) === "%PDF-";
}

/** Matroska's own mark, of which WebM is a part; or the first box of an MP4 or QuickTime file. */
function isVideo(head: Uint8Array): boolean {
  return (
    latin(head, 0, 4) === "\x1aE\xdf\xa3" ||
    /^(ftyp|moov|mdat|wide)$/.test(latin(head, 4, 8))
  );
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString("latin1");
}
