import {
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { dropFromStructure } from "./drop-from-structure.js";
import { joinPlaces, placeOnPage, type Place } from "./place-on-page.js";

/** Where the link of a field stands: on a page, from 1, in parts of its width and height from its top left corner. */
export interface SignMark extends Place {
  /** What follows the address of all marks. */
  id: string;
  page: number;
}

interface MarkLink {
  id: string;
  ref: PDFRef;
  place: Place;
}

const ANNOTS = PDFName.of("Annots");
const ACTION = PDFName.of("A");
const URI = PDFName.of("URI");

/**
 * Takes the links that mark fields out of a PDF: other links stay, and what was tagged stays so. A field that stands on
 * several pages has a mark on each, in their order.
 * @param address what the addresses of all these links begin with
 */
export function takeSignMarks(pdf: PDFDocument, address: string): SignMark[] {
  const taken: PDFRef[] = [];
  const marks: SignMark[] = [];
  for (const [index, page] of pdf.getPages().entries()) {
    const links = linksOn(page, address);
    if (links.length === 0) continue;
    const refs = links.map(({ ref }) => ref);
    dropFromPage(page, new Set(refs));
    taken.push(...refs);
    marks.push(...marksOf(links, index + 1));
  }
  if (taken.length > 0) dropFromStructure(pdf, new Set(taken));
  for (const ref of taken) pdf.context.delete(ref);
  return marks;
}

function linksOn(page: PDFPage, address: string): MarkLink[] {
  const annotations = page.node.Annots()?.asArray() ?? [];
  return annotations.flatMap((ref) => {
    const link = page.node.context.lookup(ref);
    if (!(ref instanceof PDFRef) || !(link instanceof PDFDict)) return [];
    const id = idOf(link, address);
    const place = id === null ? null : placeOnPage(page, link);
    return id === null || place === null ? [] : [{ id, ref, place }];
  });
}

function idOf(link: PDFDict, address: string): string | null {
  const uri = link
    .lookupMaybe(ACTION, PDFDict)
    ?.lookupMaybe(URI, PDFString, PDFHexString)
    ?.decodeText();
  return uri?.startsWith(address) === true ? uri.slice(address.length) : null;
}

function dropFromPage({ node }: PDFPage, refs: ReadonlySet<unknown>): void {
  const kept = node.Annots()?.asArray() ?? [];
  const others = kept.filter((one) => !refs.has(one));
  if (others.length === 0) node.delete(ANNOTS);
  else node.set(ANNOTS, node.context.obj(others));
}

/** A link may have several rectangles on a page; they are one mark there. */
function marksOf(links: readonly MarkLink[], page: number): SignMark[] {
  const places = new Map<string, Place>();
  for (const { id, place } of links) {
    const other = places.get(id);
    places.set(id, other ? joinPlaces(other, place) : place);
  }
  return Array.from(places, ([id, place]) => ({ id, page, ...place }));
}
