import { countPages } from "../pdf-facts.js";
import { chooseCut } from "./choose-cut.js";
import { ATOM_NAMES, type CutDocument } from "./cut-document.js";
import { piecePlaces } from "./piece-places.js";

/** A PDF, and which of its pages belong to the document: from number `start`, the first is 0, to before `end`. */
export interface Piece {
  bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Prints one piece of a document after the other. Pages begin and end where they would if it were printed whole:
 * what is on the last page of a piece, which may not be full, is printed again at the beginning of the next.
 * @param pieceHeight in CSS px; a piece that cannot be cut is printed again with twice as much
 */
export async function printPieces(
  document: CutDocument,
  pieceHeight: number,
  print: () => Promise<Buffer>,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let [from, height, isFlush] = [0, pieceHeight, false];
  for (;;) {
    const shown = await document.show(from, height, isFlush);
    const bytes = await print();
    const places = piecePlaces(bytes, ATOM_NAMES);
    const start = places.find(({ atom }) => atom === from)?.page ?? 0;
    if (shown.to >= document.facts.atoms)
      return [...pieces, { bytes, start, end: countPages(bytes) }];
    const cut = chooseCut(places, shown);
    height = cut ? pieceHeight : height * 2;
    if (cut === null) continue;
    pieces.push({ bytes, start, end: cut.end });
    [from, isFlush] = [cut.next, cut.isFlush];
  }
}
