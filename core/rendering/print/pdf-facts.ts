import { constants, inflateSync } from "node:zlib";

// Facts read from a PDF as Chromium writes it, without parsing it.

/**
 * Each node of the page tree is written in clear text with the number of pages below it, so the root has the largest
 * number. Titles cannot contain this text, since their line ends are escaped.
 */
const PAGE_TREE_NODE = "<</Type /Pages\n/Count ";
const PAGE = "<</Type /Page\n";
const CONTENTS = "/Contents ";
const STREAM = /\/Filter \/FlateDecode\n\/Length (\d+)>> stream\n/;
const EMBEDDED_FONT = /\/FontFile[23]?\s/;

/** Number of pages; 0 when Chromium did not write these bytes. */
export function countPages(pdf: Buffer): number {
  let pages = 0;
  let at = pdf.indexOf(PAGE_TREE_NODE);
  while (at >= 0) {
    const start = at + PAGE_TREE_NODE.length;
    const digits = pdf.toString("latin1", start, start + 10);
    pages = Math.max(pages, Number.parseInt(digits, 10));
    at = pdf.indexOf(PAGE_TREE_NODE, start);
  }
  return pages;
}

export function embedsFont(pdf: Buffer): boolean {
  return EMBEDDED_FONT.test(pdf.toString("latin1"));
}

/**
 * The drawing operators of the first page; empty when Chromium did not write these bytes.
 * @param packedBytes how much of the packed drawing is unpacked; of a larger one, only its beginning
 */
export function readFirstDrawing(pdf: Buffer, packedBytes: number): Buffer {
  const page = pdf.indexOf(PAGE);
  const contents = pdf.indexOf(CONTENTS, page) + CONTENTS.length;
  const id = Number.parseInt(pdf.toString("latin1", contents, contents + 10));
  const object = pdf.indexOf(`\n${id} 0 obj\n`);
  if (page < 0 || object < 0) return Buffer.alloc(0);
  const head = STREAM.exec(pdf.toString("latin1", object, object + 100));
  if (!head) return Buffer.alloc(0);
  const start = object + head.index + head[0].length;
  const length = Math.min(Number(head[1]), packedBytes);
  return inflateSync(pdf.subarray(start, start + length), {
    finishFlush: constants.Z_SYNC_FLUSH,
  });
}
