import { PlatenError } from "../../plugin-api/index.js";

/** About 40 pages of a table: past this a print takes a third of a second and more. */
const LONG_CHARACTERS = 256 * 1024;

/** A long document prints on a lane of its own. Inlined images and fonts are not what makes a print long. */
export function isLong(html: string): boolean {
  if (html.length < LONG_CHARACTERS) return false;
  return withoutData(html).length >= LONG_CHARACTERS;
}

/**
 * Inlined images and fonts have limits of their own and do not count.
 * @throws PlatenError `too_large` past `limit` bytes: Chromium's time and memory grow faster than the document.
 */
export function refuseTooLarge(html: string, limit: number): void {
  if (Buffer.byteLength(html) <= limit) return;
  const bytes = Buffer.byteLength(withoutData(html));
  if (bytes <= limit) return;
  throw new PlatenError(
    "too_large",
    `The document is ${megabytes(bytes)} MB of html, more than the ${megabytes(limit)} MB that are printed. ` +
      "Send fewer rows, or raise PLATEN_MAX_PRINT_BYTES.",
  );
}

function withoutData(html: string): string {
  return html.replace(/data:[^"')\s]*/g, "");
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
