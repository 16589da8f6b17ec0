import { roomOf } from "../../flaws/overflow/find-overflow.js";
import type { Overflow } from "../../flaws/print-flaws.js";
import type { PageBox } from "../../jobs.js";
import type { SealedPage } from "../../page/sealed-page.js";
import type { JoinRequest } from "../join/join-messages.js";
import { countPages } from "../pdf-facts.js";
import { ATOM_NAMES, CutDocument } from "./cut-document.js";
import { printPieces } from "./print-pieces.js";

/** A document of fewer is printed whole: that takes half a gigabyte at most, and less time. */
const PIECES_AT_LEAST = 4;

export interface PrintedLong {
  /** What is to be joined; one piece without sheets is the whole document. */
  parts: JoinRequest & { pieces: { bytes: Buffer }[] };
  overflow: Overflow[];
}

/**
 * Prints a long document in pieces of about `piecePages` pages, since the browser's time and memory grow faster than
 * what it prints at once. What all pages have in common, their headers, footers and background, is printed for all of
 * them together, when their number is known.
 * @param print prints what the page shows
 */
export async function printLong(
  page: SealedPage,
  html: string,
  { box, piecePages }: { box: PageBox; piecePages: number },
  print: () => Promise<Buffer>,
): Promise<PrintedLong> {
  const roomPx = roomOf(box);
  await page.setWindow(roomPx);
  await page.write(html);
  const document = await CutDocument.cut(page, roomPx);
  const { atoms, heightPx, overflowPx } = document.facts;
  const bodyPx = box.heightPx - box.margin.top - box.margin.bottom;
  const isShort = heightPx < bodyPx * piecePages * PIECES_AT_LEAST;
  const parts =
    isShort || atoms < 2
      ? await printWhole(print)
      : await printParts(document, bodyPx * piecePages, print);
  await document.release();
  return { parts, overflow: overflowOf(overflowPx, roomPx) };
}

async function printWhole(print: () => Promise<Buffer>) {
  const bytes = await print();
  return { pieces: [{ bytes, start: 0, end: countPages(bytes) }] };
}

async function printParts(
  document: CutDocument,
  pieceHeight: number,
  print: () => Promise<Buffer>,
) {
  await document.begin();
  const pieces = await printPieces(document, pieceHeight, print);
  const pages = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  await document.showSheets(pages);
  return { pieces, under: await print(), dropNames: ATOM_NAMES };
}

function overflowOf(widthPx: number, roomPx: number): Overflow[] {
  return widthPx > 0 ? [{ element: "body", text: "", widthPx, roomPx }] : [];
}
