import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
} from "@cantoo/pdf-lib";

const ROOT = PDFName.of("StructTreeRoot");
const KIDS = PDFName.of("K");
const KIND = PDFName.of("S");
const OBJECT = PDFName.of("Obj");
const PLAIN = PDFName.of("NonStruct");
const NUMBERS = PDFName.of("Nums");
const PARENT_KEY = PDFName.of("StructParent");

/**
 * Takes annotations out of a tagged PDF's structure. The elements that held them keep their text and are elements of no
 * kind from then on. Of a PDF without tags, nothing changes.
 */
export function dropFromStructure(
  pdf: PDFDocument,
  annotations: ReadonlySet<PDFObject>,
): void {
  const { context, catalog } = pdf;
  if (!catalog.has(ROOT)) return;
  const keys = new Set(
    [...annotations].map((one) => parentKey(context.lookup(one))),
  );
  for (const [, found] of context.enumerateIndirectObjects()) {
    if (!(found instanceof PDFDict)) continue;
    dropFromElement(found, annotations);
    dropFromNumbers(found, keys);
  }
}

function parentKey(annotation: PDFObject | undefined): number | undefined {
  return annotation instanceof PDFDict
    ? annotation.lookupMaybe(PARENT_KEY, PDFNumber)?.asNumber()
    : undefined;
}

/** A structure element names an annotation among its kids, by an object reference (ISO 32000-1, 14.7.4.3). */
function dropFromElement(
  element: PDFDict,
  annotations: ReadonlySet<PDFObject>,
): void {
  const kids = element.lookup(KIDS);
  const all = kids instanceof PDFArray ? kids.asArray() : kids ? [kids] : [];
  const isOf = (kid: PDFObject) => {
    const reference = element.context.lookup(kid);
    if (!(reference instanceof PDFDict)) return false;
    const named = reference.get(OBJECT);
    return named !== undefined && annotations.has(named);
  };
  const others = all.filter((kid) => !isOf(kid));
  if (others.length === all.length) return;
  element.set(KIDS, element.context.obj(others));
  element.set(KIND, PLAIN);
}

/** The tree that leads from an annotation's number to its element: pairs of both. */
function dropFromNumbers(
  node: PDFDict,
  keys: ReadonlySet<number | undefined>,
): void {
  const numbers = node.lookup(NUMBERS);
  if (!(numbers instanceof PDFArray)) return;
  for (let at = numbers.size() - 2; at >= 0; at -= 2) {
    const key = numbers.lookup(at);
    if (!(key instanceof PDFNumber) || !keys.has(key.asNumber())) continue;
    numbers.remove(at + 1);
    numbers.remove(at);
  }
}
