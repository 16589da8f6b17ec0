/**
 * The same text, stored in one piece and in one byte for each character where that is enough. Merged text takes two
 * bytes for each of its characters as soon as one part of it does, and a part cut out of a longer text may do so
 * without need: for texts that are kept and become part of every document.
 */
export function compact(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}
