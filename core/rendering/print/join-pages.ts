import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFObjectCopier,
  PDFPageLeaf,
  PDFRef,
  type PDFPage,
  PDFRawStream,
} from "@cantoo/pdf-lib";
/** What to join; it is also the message to the worker thread. */
export interface JoinRequest {
  /** In document order; pages from index `start` to before `end`. */
  pieces: { bytes: Uint8Array; start: number; end: number }[];
  /** A PDF with the same number of pages, to be laid under them. */
  under?: Uint8Array;
  /** The same, to be laid over them. */
  over?: Uint8Array;
  /** Named destinations with this prefix are removed. */
  dropNames?: string;
}

const CATALOG = ["Lang", "ViewerPreferences"].map((name) => PDFName.of(name));
const DESTS = PDFName.of("Dests");

/**
 * Joins pages of several PDFs written by Chromium; links between them work. A single PDF stays as it is, except for what
 * is laid under and over it.
 */
export async function joinPieces(request: JoinRequest): Promise<Uint8Array> {
  const { pieces, under, over } = request;
  const [first, second] = pieces;
  const target =
    first && !second ? await openPdf(first.bytes) : await concatenate(request);
  if (under) overlaySheets(target, await openPdf(under), "under");
  if (over) overlaySheets(target, await openPdf(over), "over");
  return target.save({ useObjectStreams: false });
}

async function concatenate(request: JoinRequest): Promise<PDFDocument> {
  const target = await PDFDocument.create({ updateMetadata: false });
  const dests = target.context.obj({});
  for (const [index, { bytes, start, end }] of request.pieces.entries()) {
    const piece = await openPdf(bytes);
    const copier = PDFObjectCopier.for(piece.context, target.context);
    const refs = listPageRefs(piece).slice(start, end);
    for (const ref of refs) addPage(target, copier.copy(ref));
    copyDests(piece, dests, { copier, keptPages: new Set(refs), ...request });
    if (index === 0) copyMetadata(piece, target, copier);
  }
  if (dests.keys().length > 0) target.catalog.set(DESTS, dests);
  return target;
}

function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false });
}

function listPageRefs(document: PDFDocument): PDFRef[] {
  return document.getPages().map(({ ref }) => ref);
}

function addPage(target: PDFDocument, ref: PDFRef): void {
  const { catalog, context } = target;
  const count = catalog.Pages().Count().asNumber();
  const parent = catalog.insertLeafNode(ref, count);
  const leaf = context.lookup(ref);
  if (leaf instanceof PDFPageLeaf) leaf.setParent(parent);
}

/** Copies title, language and the like, which are the same in all pieces. */
function copyMetadata(
  piece: PDFDocument,
  target: PDFDocument,
  copier: PDFObjectCopier,
): void {
  const { Info: info } = piece.context.trailerInfo;
  if (info) target.context.trailerInfo.Info = copier.copy(info);
  for (const name of CATALOG) {
    const value = piece.catalog.get(name);
    if (value) target.catalog.set(name, copier.copy(value));
  }
}

interface Kept {
  copier: PDFObjectCopier;
  keptPages: ReadonlySet<PDFRef>;
  dropNames?: string;
}

function copyDests(
  piece: PDFDocument,
  dests: PDFDict,
  { copier, keptPages, dropNames }: Kept,
): void {
  const entries = piece.catalog.lookupMaybe(DESTS, PDFDict)?.entries() ?? [];
  for (const [name, place] of entries) {
    const isMark = dropNames && name.decodeText().startsWith(dropNames);
    if (isMark || !(place instanceof PDFArray)) continue;
    const page = place.get(0);
    if (page instanceof PDFRef && keptPages.has(page))
      dests.set(name, copier.copy(place));
  }
}

/**
 * Lays each page of `sheets`, written by Chromium, under or over the same page of `target`.
 * @throws Error when the page counts differ.
 */
function overlaySheets(
  target: PDFDocument,
  sheets: PDFDocument,
  where: "under" | "over",
): void {
  const pages = target.getPages();
  const layers = sheets.getPages();
  if (layers.length !== pages.length)
    throw new Error(`${layers.length} sheets for ${pages.length} pages`);
  const { context } = target;
  const copier = PDFObjectCopier.for(sheets.context, context);
  const name = PDFName.of(`Platen-${where}`);
  const draw = `q\n/Artifact BMC\n/Platen-${where} Do\nEMC\nQ\n`;
  const isUnder = where === "under";
  const before = context.register(context.stream(`${isUnder ? draw : ""}q\n`));
  const after = context.register(context.stream(`\nQ\n${isUnder ? "" : draw}`));
  for (const [index, { node }] of pages.entries()) {
    const layer = layers[index];
    const { Contents: contents } = node.normalizedEntries();
    if (!layer || !contents) continue;
    node.setXObject(name, context.register(toForm(layer, copier)));
    contents.insert(0, before);
    contents.push(after);
  }
}

/** Converts a page to a form that another page can draw; its stream stays compressed. */
function toForm({ node }: PDFPage, copier: PDFObjectCopier): PDFRawStream {
  const contents = node.Contents();
  if (!(contents instanceof PDFRawStream))
    throw new Error("a sheet is not drawn by one stream");
  const { dict, contents: packed } = copier.copy(contents);
  const entries = {
    Type: PDFName.of("XObject"),
    Subtype: PDFName.of("Form"),
    BBox: copier.copy(node.MediaBox()),
    Resources: copier.copy(node.normalizedEntries().Resources),
  };
  for (const [name, value] of Object.entries(entries))
    dict.set(PDFName.of(name), value);
  return PDFRawStream.of(dict, packed);
}
