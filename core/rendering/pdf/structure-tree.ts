import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  type PDFRef,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { CONTAINERS } from "./mark-artifacts.js";
import { readTree } from "./pdf-trees.js";

const ROOT = PDFName.of("StructTreeRoot");
const MARK_INFO = PDFName.of("MarkInfo");
const LANGUAGE = PDFName.of("Lang");
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

/** Chromium writes no tags into a document that has no text and no described image; standards require a tree without elements then. */
export function ensureStructure(
  { catalog, context }: PDFDocument,
  language: string | undefined,
): void {
  if (catalog.has(ROOT)) return;
  const root = context.nextRef();
  const top = context.register(
    context.obj({ Type: "StructElem", S: "Document", P: root, K: [] }),
  );
  context.assign(
    root,
    context.obj({
      Type: "StructTreeRoot",
      K: [top],
      ParentTree: context.register(context.obj({ Nums: [] })),
      ParentTreeNextKey: 0,
    }),
  );
  catalog.set(ROOT, root);
  catalog.set(MARK_INFO, context.obj({ Marked: true }));
  if (language !== undefined && !catalog.has(LANGUAGE))
    catalog.set(LANGUAGE, PDFHexString.fromText(language));
}

/**
 * Adds what PDF 1.7 requires of a structure tree and Chromium leaves out: a role map for types that are not standard,
 * the bodies of list items, cells at the end of short rows, and a text for each figure and link. A PDF without tags
 * stays unchanged.
 * @param options `isStrict`: for a standard: the first heading is of level 1, none skips a level (ISO 14289-1, 7.4.2),
 * and lines and backgrounds of tables and lists are not content
 */
export function completeStructure(
  pdf: PDFDocument,
  options: { isStrict: boolean },
): void {
  const root = pdf.catalog.lookupMaybe(ROOT, PDFDict);
  if (!root) return;
  const elements = listElements(pdf);
  if (options.isStrict) dropDecorations(root, elements);
  mapRoles(root, elements);
  for (const [ref, element] of elements) {
    const type = getType(element);
    if (type === "LI") addBody(ref, element);
    // A `figure` of HTML, which only groups what is in it; an image without a text is not in the tree at all.
    if (type === "Figure" && !element.has(ALT)) element.set(TYPE, DIVISION);
    if (type === "Table") fillRows(element);
  }
  if (options.isStrict) raiseHeadings(root);
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

/** Decoding is slow, and there are few types. */
const typeTexts = new Map<PDFName, string>();

function getType(element: PDFDict): string | null {
  const type = element.lookup(TYPE);
  if (!(type instanceof PDFName)) return null;
  const cached = typeTexts.get(type);
  if (cached !== undefined) return cached;
  const text = type.decodeText();
  if (STANDARD_TYPES.has(text)) typeTexts.set(type, text);
  return text;
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

const ROW_GROUPS = ["THead", "TBody", "TFoot"];

/**
 * All rows of a table have the same number of columns (ISO 14289-1, 7.5). Chromium leaves out cells without content:
 * empty ones are added, in the columns of their headers where those are known.
 */
function fillRows(table: PDFDict): void {
  const kids = listKids(table).flatMap((kid) =>
    ROW_GROUPS.some((type) => isType(table, kid, type))
      ? listKids(table.context.lookup(kid, PDFDict))
      : [kid],
  );
  const grid = new TableGrid();
  const rows = kids
    .filter((kid) => isType(table, kid, "TR"))
    .map((ref) => ({ ref, cells: grid.addRow(table.context, ref) }));
  for (const { ref, cells } of rows) {
    const element = table.context.lookup(ref, PDFDict);
    const missing = grid.columns - cells.columns;
    const all = [...cells.kids, ...Array<null>(missing).fill(null)];
    if (!all.includes(null)) continue;
    const filled = all.map((kid) => kid ?? addCell(table.context, ref));
    element.set(KIDS, table.context.obj(filled));
  }
}

function addCell(context: PDFContext, row: PDFObject): PDFRef {
  const cell = context.obj({ Type: "StructElem", S: "TD", K: [] });
  cell.set(PARENT, row);
  return context.register(cell);
}

/** Finds the columns of cells, row by row. */
class TableGrid {
  /** Of the rows so far. */
  columns = 0;
  /** How many rows below are covered by a cell, for each column. */
  #covered: number[] = [];
  /** Where the column of each header begins, by its id. */
  readonly #headers = new Map<string, number>();

  /** @returns its kids with null for each cell that is missing between them, and how many columns they cover */
  addRow(context: PDFContext, ref: PDFObject) {
    const covered = this.#covered;
    const next = covered.map((rows) => Math.max(0, rows - 1));
    const kids: (PDFObject | null)[] = [];
    let columns = 0;
    const skipCovered = () => {
      while ((covered[columns] ?? 0) > 0) columns += 1;
    };
    for (const kid of listKids(context.lookup(ref, PDFDict))) {
      const cell = context.lookup(kid);
      if (!isElement(cell)) continue;
      const attributes = readAttributes(cell);
      skipCovered();
      for (const start = this.#findStart(attributes); columns < start;) {
        kids.push(null);
        columns += 1;
        skipCovered();
      }
      if (attributes.get(SCOPE) === COLUMN)
        this.#headers.set(String(cell.lookup(ID)), columns);
      kids.push(kid);
      const rows = readSpan(attributes, ROW_SPAN);
      for (let left = readSpan(attributes, COLUMN_SPAN); left > 0; left -= 1)
        next[columns++] = rows - 1;
    }
    skipCovered();
    this.#covered = Array.from(next, (rows) => rows ?? 0);
    this.columns = Math.max(this.columns, columns);
    return { kids, columns };
  }

  /** Where the first column begins whose header a cell names; 0 if it names none. */
  #findStart(attributes: ReadonlyMap<PDFName, PDFObject>): number {
    const ids = attributes.get(HEADERS);
    const starts = (ids instanceof PDFArray ? ids.asArray() : []).flatMap(
      (id) => this.#headers.get(String(id)) ?? [],
    );
    return starts.length === 0 ? 0 : Math.min(...starts);
  }
}

const ATTRIBUTES = PDFName.of("A");
const COLUMN = PDFName.of("Column");
const COLUMN_SPAN = PDFName.of("ColSpan");
const HEADERS = PDFName.of("Headers");
const ID = PDFName.of("ID");
const ROW_SPAN = PDFName.of("RowSpan");
const SCOPE = PDFName.of("Scope");

function readAttributes(cell: PDFDict): Map<PDFName, PDFObject> {
  const attributes = cell.lookup(ATTRIBUTES);
  const list =
    attributes instanceof PDFArray ? attributes.asArray() : [attributes];
  const dicts = list.map((entry) => cell.context.lookup(entry));
  return new Map(
    dicts.flatMap((dict) => (dict instanceof PDFDict ? dict.entries() : [])),
  );
}

function readSpan(
  attributes: ReadonlyMap<PDFName, PDFObject>,
  key: PDFName,
): number {
  const span = attributes.get(key);
  return span instanceof PDFNumber ? Math.max(1, span.asNumber()) : 1;
}

const PAGE = PDFName.of("Pg");
const STREAM = PDFName.of("Stm");
const MARK = PDFName.of("MCID");

/** Removes from the tree what `markArtifacts` marks as artifacts: the lines and backgrounds of tables and lists. */
function dropDecorations(root: PDFDict, elements: readonly Element[]): void {
  const { context } = root;
  const parents = readParents(root);
  for (const [, element] of elements) {
    if (!CONTAINERS.has(getType(element) ?? "")) continue;
    const kids = listKids(element);
    const others = kids.filter((kid) => {
      const content = context.lookup(kid);
      const mark = content instanceof PDFDict ? content.lookup(MARK) : content;
      if (!(mark instanceof PDFNumber)) return true;
      const owner = content instanceof PDFDict ? content : element;
      const place =
        owner.lookup(STREAM) ?? owner.lookup(PAGE) ?? element.lookup(PAGE);
      const dict = place instanceof PDFStream ? place.dict : place;
      const key = dict instanceof PDFDict ? dict.lookup(PARENTS) : undefined;
      if (key instanceof PDFNumber)
        parents.get(key.asNumber())?.set(mark.asNumber(), PDFNull);
      return false;
    });
    if (others.length < kids.length) element.set(KIDS, context.obj(others));
  }
}

const PARENTS = PDFName.of("StructParents");

/** The elements of all marks of each page or form, by its key. */
function readParents(root: PDFDict): Map<number, PDFArray> {
  return new Map(
    readTree(root, "ParentTree", "Nums").flatMap(([key, value]) => {
      const list = root.context.lookup(value);
      return key instanceof PDFNumber && list instanceof PDFArray
        ? [[key.asNumber(), list]]
        : [];
    }),
  );
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
