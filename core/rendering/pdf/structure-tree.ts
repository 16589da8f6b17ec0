import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

const ROOT = PDFName.of("StructTreeRoot");
const ROLE_MAP = PDFName.of("RoleMap");
const TYPE = PDFName.of("S");
const DIVISION = PDFName.of("Div");
const ALT = PDFName.of("Alt");
const PARENT = PDFName.of("P");
const KIDS = PDFName.of("K");
const CONTENTS = PDFName.of("Contents");
const SUBTYPE = PDFName.of("Subtype");
const ACTION = PDFName.of("A");
const URI = PDFName.of("URI");
const DESTINATION = PDFName.of("Dest");

/** ISO 32000-1, 14.8.4. */
const STANDARD_TYPES = new Set(
  (
    "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl " +
    "LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu " +
    "WT WP Figure Formula Form"
  ).split(" "),
);

/** For types that Chromium takes from PDF 2.0; any other unknown type is inline. */
const BLOCK_ROLES: Readonly<Record<string, string>> = {
  Aside: "Div",
  DocumentFragment: "Div",
  FENote: "Div",
  Title: "P",
};

/**
 * Adds what PDF 1.7 requires of a structure tree and Chromium leaves out: a role map for types that are not standard,
 * the bodies of list items, cells at the end of short rows, and a text for each figure and link. A PDF without tags
 * stays unchanged.
 * @param options `hasStrictHeadings`: the first is of level 1, and none skips a level (ISO 14289-1, 7.4.2)
 */
export function completeStructure(
  pdf: PDFDocument,
  options: { hasStrictHeadings: boolean },
): void {
  const root = pdf.catalog.lookupMaybe(ROOT, PDFDict);
  if (!root) return;
  const elements = listElements(pdf);
  mapRoles(root, elements);
  for (const [ref, element] of elements) {
    const type = getType(element);
    if (type === "LI") addBody(ref, element);
    // A `figure` of HTML, which only groups what is in it; an image without a text is not in the tree at all.
    if (type === "Figure" && !element.has(ALT)) element.set(TYPE, DIVISION);
    if (type === "Table") fillRows(element);
  }
  if (options.hasStrictHeadings) raiseHeadings(root);
  for (const page of pdf.getPages())
    for (const annotation of page.node.Annots()?.asArray() ?? []) {
      const link = pdf.context.lookup(annotation);
      if (link instanceof PDFDict) describeLink(link);
    }
}

type Element = [ref: PDFRef, element: PDFDict];

/** Chromium writes each structure element as an object of its own. */
function listElements({ context }: PDFDocument): Element[] {
  return context
    .enumerateIndirectObjects()
    .filter(
      (entry): entry is Element =>
        entry[1] instanceof PDFDict &&
        entry[1].has(PARENT) &&
        getType(entry[1]) !== null,
    );
}

function getType(element: PDFDict): string | null {
  const type = element.lookup(TYPE);
  return type instanceof PDFName ? type.decodeText() : null;
}

function mapRoles(root: PDFDict, elements: readonly Element[]): void {
  const types = new Set(elements.map(([, element]) => getType(element) ?? ""));
  const roles = [...types]
    .filter((type) => !STANDARD_TYPES.has(type))
    .map((type) => [type, PDFName.of(BLOCK_ROLES[type] ?? "Span")]);
  if (roles.length > 0)
    root.set(ROLE_MAP, root.context.obj(Object.fromEntries(roles)));
}

/** A list item contains a label and a body (ISO 32000-1, 14.8.4.3.3); Chromium puts the body's elements beside the label. */
function addBody(ref: PDFRef, item: PDFDict): void {
  const { context } = item;
  const kids = listKids(item);
  const labels = kids.filter((kid) => isType(item, kid, "Lbl"));
  const others = kids.filter((kid) => !labels.includes(kid));
  const bodies = others.map((kid) => context.lookup(kid));
  // Content that belongs to the item itself is found by its number in the parent tree, which names the item.
  if (others.length === 0 || !bodies.every(isElement)) return;
  if (others.every((kid) => isType(item, kid, "LBody"))) return;
  const body = context.register(
    context.obj({ Type: "StructElem", S: "LBody", P: ref, K: others }),
  );
  for (const kid of bodies) kid.set(PARENT, body);
  item.set(KIDS, context.obj([...labels, body]));
}

interface Row {
  ref: PDFObject;
  element: PDFDict;
  /** How many columns its cells and those that reach down into it cover. */
  columns: number;
}

/** The rows of a table must have as many columns (ISO 14289-1, 7.5): a short one gets empty cells. */
function fillRows(table: PDFDict): void {
  const rows = listRows(table);
  const columns = rows.reduce((max, row) => Math.max(max, row.columns), 0);
  for (const { ref, element, columns: own } of rows) {
    if (own === columns) continue;
    const { context } = element;
    const cells = Array.from({ length: columns - own }, () =>
      context.register(
        context.obj({ Type: "StructElem", S: "TD", P: ref, K: [] }),
      ),
    );
    element.set(KIDS, context.obj([...listKids(element), ...cells]));
  }
}

const ROW_GROUPS = ["THead", "TBody", "TFoot"];

function listRows(table: PDFDict): Row[] {
  const groups = listKids(table).map((kid) =>
    ROW_GROUPS.some((type) => isType(table, kid, type))
      ? listElementKids(table, kid)
      : [kid],
  );
  return groups.flatMap((kids) => {
    /** For each column, how many rows below are covered by a cell above. */
    let covered: number[] = [];
    return kids.flatMap((ref): Row[] => {
      const element = table.context.lookup(ref);
      if (!(element instanceof PDFDict) || getType(element) !== "TR") return [];
      const next = covered.map((rows) => Math.max(0, rows - 1));
      let column = 0;
      for (const kid of listKids(element)) {
        const cell = element.context.lookup(kid);
        if (!isElement(cell)) continue;
        while ((covered[column] ?? 0) > 0) column += 1;
        for (let left = readSpan(cell, COLUMN_SPAN); left > 0; left -= 1)
          next[column++] = readSpan(cell, ROW_SPAN) - 1;
      }
      while ((covered[column] ?? 0) > 0) column += 1;
      covered = Array.from(next, (rows) => rows ?? 0);
      return [{ ref, element, columns: column }];
    });
  });
}

function listElementKids({ context }: PDFDict, ref: PDFObject): PDFObject[] {
  const element = context.lookup(ref);
  return element instanceof PDFDict ? listKids(element) : [];
}

const ATTRIBUTES = PDFName.of("A");
const COLUMN_SPAN = PDFName.of("ColSpan");
const ROW_SPAN = PDFName.of("RowSpan");

function readSpan(cell: PDFDict, key: PDFName): number {
  const found = cell.lookup(ATTRIBUTES);
  const list = found instanceof PDFArray ? found.asArray() : [found];
  for (const one of list) {
    const attributes = cell.context.lookup(one);
    const span =
      attributes instanceof PDFDict ? attributes.lookup(key) : undefined;
    if (span instanceof PDFNumber) return Math.max(1, span.asNumber());
  }
  return 1;
}

/** Templates choose levels of headings for their looks too. */
function raiseHeadings(root: PDFDict): void {
  const open: PDFObject[] = [root];
  let last = 0;
  for (let at = open.pop(); at; at = open.pop()) {
    const element = root.context.lookup(at);
    if (!(element instanceof PDFDict)) continue;
    const level = Number(/^H([1-6])$/.exec(getType(element) ?? "")?.[1] ?? 0);
    if (level > 0) {
      last = Math.min(level, last + 1);
      element.set(TYPE, PDFName.of(`H${last}`));
    }
    open.push(...listKids(element).toReversed());
  }
}

function isElement(kid: PDFObject | undefined): kid is PDFDict {
  return kid instanceof PDFDict && getType(kid) !== null;
}

function listKids(element: PDFDict): PDFObject[] {
  const kids = element.get(KIDS);
  const list = element.lookup(KIDS);
  if (list instanceof PDFArray) return list.asArray();
  return kids ? [kids] : [];
}

function isType({ context }: PDFDict, kid: PDFObject, type: string): boolean {
  const element = context.lookup(kid);
  return element instanceof PDFDict && getType(element) === type;
}

/** Screen readers read the text of a link annotation, which is where it leads. */
function describeLink(link: PDFDict): void {
  if (link.has(CONTENTS) || link.lookup(SUBTYPE) !== PDFName.of("Link")) return;
  const address = link.lookupMaybe(ACTION, PDFDict)?.lookup(URI);
  const place = address ?? link.lookup(DESTINATION);
  const isText = place instanceof PDFString || place instanceof PDFHexString;
  if (isText || place instanceof PDFName)
    link.set(CONTENTS, PDFHexString.fromText(place.decodeText()));
}
