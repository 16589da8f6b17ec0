import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import {
  ParseSpeeds,
  type PDFContext,
  PDFDocument,
  PDFDict,
  PDFName,
  type PDFPage,
  PDFHexString,
  PDFRef,
  PDFString,
  PDFArray,
  PDFNumber,
  type PDFObject,
  PDFInvalidObject,
} from "@cantoo/pdf-lib";
import { clock } from "../../lib/clock.js";
import { answerRequests } from "../../lib/threads.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  type EditedPdf,
  type PdfTask,
  unreadablePdf,
  type Finishing,
  type JoinedPdf,
  type PdfAttachment,
  type PdfProperties,
  type PdfPassword,
  PERMISSIONS,
  type Place,
  type SignMark,
} from "./pdf-editor.js";
import { conformPdf } from "./conform-pdf.js";
import { EmptySignature, SIGNATURE_FIELD } from "./pdf-signature.js";
import { removeSignatures } from "./remove-signatures.js";
import { completeStructure, ensureStructure } from "./structure-tree.js";

// The thread of `PdfEditor`.
answerRequests(async (task: PdfTask) => {
  if ("printed" in task) return editPdf(task.printed, task.finishing);
  await assertReadable(task.unchecked);
  return null;
});

/**
 * Edits a printed PDF. Its bookmarks stay as they are.
 * @throws PlatenError `invalid_request` for a PDF that cannot be joined.
 */
async function editPdf(
  printed: Uint8Array,
  finishing: Finishing,
): Promise<EditedPdf> {
  const { before, after, attachments, properties, password } = finishing;
  const { conformance = [], metadata = [] } = finishing;
  const pdf = await PDFDocument.load(printed, {
    updateMetadata: false,
    // This thread has nothing else to do meanwhile.
    parseSpeed: ParseSpeeds.Fastest,
  });
  const isStrict = conformance.length > 0;
  if (finishing.isTagged) {
    if (isStrict) ensureStructure(pdf, finishing.language);
    completeStructure(pdf, { isStrict });
  }
  await joinPdfs(pdf, { before, after });
  // After joining, so that a mark's page is its page in the whole document.
  const { signLinks } = finishing;
  const marks = signLinks === undefined ? [] : extractSignMarks(pdf, signLinks);
  const pages = pdf.getPageCount();
  setProperties(pdf, properties ?? {});
  await attachFiles(pdf, attachments);
  if (isStrict) conformPdf(pdf, conformance, metadata);
  if (password) protect(pdf, password);
  const { signature: space } = finishing;
  const signature = space ? new EmptySignature(space, clock.date()) : null;
  if (signature) addSignatureField(pdf, signature);
  const bytes = await pdf.save({
    useObjectStreams: true,
    objectsPerTick: Number.POSITIVE_INFINITY,
    addDefaultPage: false,
  });
  const unsigned = signature && hashUnsigned(bytes, signature);
  return { bytes, pages, marks, unsigned };
}

/** An invisible field on the first page, as readers expect a signature. */
function addSignatureField(pdf: PDFDocument, signature: EmptySignature): void {
  const { catalog, context } = pdf;
  const [page] = pdf.getPages();
  if (!page) throw new Error("the PDF has no pages");
  const value = PDFInvalidObject.of(Buffer.from(signature.text, "latin1"));
  const field = context.register(
    context.obj({
      ...SIGNATURE_FIELD,
      T: PDFString.of("Signature"),
      P: page.ref,
      V: context.register(value),
    }),
  );
  page.node.addAnnot(field);
  // Accessible PDFs need it on pages with annotations (ISO 14289-1, 7.18.3).
  if (catalog.has(ROOT)) page.node.set(TAB_ORDER, PDFName.of("S"));
  catalog.set(ACRO_FORM, context.obj({ Fields: [field], SigFlags: 3 }));
}

const TAB_ORDER = PDFName.of("Tabs");
const ACRO_FORM = PDFName.of("AcroForm");

function hashUnsigned(bytes: Uint8Array, signature: EmptySignature) {
  const { buffer, byteOffset, byteLength } = bytes;
  const pdf = Buffer.from(buffer, byteOffset, byteLength);
  return signature.complete(
    signature.findIn(pdf),
    pdf.length,
    (start, end) => [pdf.subarray(start, end)],
    (at, part) => part.copy(pdf, at),
  );
}

/** Of all joined PDFs together. */
const MAX_JOINED_PAGES = 2000;

async function joinPdfs(
  pdf: PDFDocument,
  { before, after }: Pick<Finishing, "before" | "after">,
): Promise<void> {
  const all = [...before, ...after];
  const copied: PDFPage[][] = [];
  let pages = 0;
  for (const joined of all) {
    const copies = await copyPages(pdf, joined, MAX_JOINED_PAGES - pages);
    copied.push(copies);
    pages += copies.length;
  }
  let at = 0;
  for (const page of copied.slice(0, before.length).flat())
    pdf.insertPage(at++, page);
  for (const page of copied.slice(before.length).flat()) pdf.addPage(page);
}

/** Any error of the library is caused by the joined PDF. */
async function copyPages(
  pdf: PDFDocument,
  joined: JoinedPdf,
  maxPages: number,
): Promise<PDFPage[]> {
  try {
    const source = await PDFDocument.load(joined.bytes, {
      updateMetadata: false,
      ignoreEncryption: true,
    });
    assertJoinable(source, joined, maxPages);
    removeSignatures(source);
    const pages = await pdf.copyPages(source, source.getPageIndices());
    for (const page of pages) removeTagReferences(page);
    return pages;
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw joinError(joined, "it is not a readable PDF.", cause);
  }
}

function assertJoinable(
  source: PDFDocument,
  joined: JoinedPdf,
  maxPages: number,
): void {
  if (source.isEncrypted)
    throw joinError(joined, "it is encrypted. Store it without a password.");
  if (source.getPageCount() > maxPages)
    throw joinError(
      joined,
      `with it there are more than ${MAX_JOINED_PAGES} joined pages. Leave some out.`,
    );
}

const structureKeys = ["StructParents", "StructParent"].map((key) =>
  PDFName.of(key),
);

/** Tags are not copied, so references to them must be removed: they would refer to tags of this PDF's other pages. */
function removeTagReferences({ node }: PDFPage): void {
  const marks = node.Annots()?.asArray() ?? [];
  const annotations = marks.map((mark) => node.context.lookup(mark));
  for (const owner of [node, ...annotations])
    if (owner instanceof PDFDict)
      for (const key of structureKeys) owner.delete(key);
}

function joinError(
  { path }: JoinedPdf,
  message: string,
  cause?: unknown,
): PlatenError {
  return new PlatenError("invalid_request", "The PDF cannot be joined.", {
    cause,
    problems: [{ path, code: "unjoinable", message }],
  });
}

/** More nodes than any page tree has; a few objects may claim billions of them. */
const MAX_PAGE_NODES = 200_000;

/** Reads the whole file and its page tree. @throws PlatenError `invalid_request`. */
async function assertReadable(bytes: Uint8Array): Promise<void> {
  const pages = await countPages(bytes).catch((cause: unknown) => {
    if (cause instanceof PlatenError) throw cause;
    throw unreadablePdf("is damaged", cause);
  });
  if (pages === 0) throw unreadablePdf("has no pages");
}

async function countPages(bytes: Uint8Array): Promise<number> {
  const options = {
    updateMetadata: false,
    ignoreEncryption: true,
    parseSpeed: ParseSpeeds.Fastest,
  };
  let pdf = await PDFDocument.load(bytes, options);
  // One that restricts only what a reader may do opens without a password.
  if (pdf.isEncrypted)
    pdf = await PDFDocument.load(bytes, { ...options, password: "" }).catch(
      (cause: unknown) => {
        throw unreadablePdf("is encrypted", cause);
      },
    );
  return countLeaves(pdf);
}

const PAGES = PDFName.of("Pages");

/** Walks the page tree without recursion, since it may be as deep as it likes. */
function countLeaves({ catalog, context }: PDFDocument): number {
  const path = new Set<PDFObject>();
  const open: { node: PDFDict; kids: PDFObject[] }[] = [];
  let pages = 0;
  let nodes = 0;
  const enter = (reference: PDFObject | undefined) => {
    nodes += 1;
    const node = context.lookup(reference);
    if (!(node instanceof PDFDict) || path.has(node) || nodes > MAX_PAGE_NODES)
      throw unreadablePdf("has a damaged page tree");
    const kids = context.lookup(node.get(PAGE_KIDS));
    if (kids instanceof PDFArray) {
      path.add(node);
      open.push({ node, kids: kids.asArray().toReversed() });
    } else pages += 1;
  };
  enter(catalog.get(PAGES));
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const kid = last.kids.pop();
    if (kid !== undefined) enter(kid);
    else path.delete(open.pop()?.node ?? last.node);
  }
  return pages;
}

const PAGE_KIDS = PDFName.of("Kids");

const AF = PDFName.of("AF");
const EMBEDDED_FILES = PDFName.of("EmbeddedFiles");
const NAMES = PDFName.of("Names");

/** Embeds the files, which readers list as attachments and programs find as associated files. */
async function attachFiles(
  { catalog, context }: PDFDocument,
  attachments: readonly PdfAttachment[],
): Promise<void> {
  if (attachments.length === 0) return;
  const now = clock.date();
  const files: { key: PDFHexString; ref: PDFRef }[] = [];
  for (const file of attachments) {
    if (file.isUncheckedPdf) await assertAttachable(file);
    const ref = context.register(toFileSpecification(file, context, now));
    files.push({ key: PDFHexString.fromText(file.name), ref });
  }
  const sorted = files.toSorted((file, other) =>
    file.key.asString() < other.key.asString() ? -1 : 1,
  );
  const tree = { Names: sorted.flatMap(({ key, ref }) => [key, ref]) };
  const names = catalog.lookupMaybe(NAMES, PDFDict) ?? context.obj({});
  names.set(EMBEDDED_FILES, context.obj(tree));
  catalog.set(NAMES, names);
  catalog.set(AF, context.obj(files.map(({ ref }) => ref)));
}

function toFileSpecification(
  file: PdfAttachment,
  context: PDFContext,
  now: Date,
): PDFDict {
  const { name, bytes, description, relationship, modifiedAt = now } = file;
  const stream = context.stream(deflateSync(bytes), {
    Type: "EmbeddedFile",
    Subtype: file.mimeType,
    Filter: "FlateDecode",
    Params: {
      Size: bytes.length,
      CreationDate: PDFString.fromDate(modifiedAt),
      ModDate: PDFString.fromDate(modifiedAt),
    },
  });
  const content = context.register(stream);
  // For readers that know the name in Unicode beside it only from PDF 1.7 on.
  const plainName = name.replace(/[^ -~]/g, "_");
  return context.obj({
    Type: "Filespec",
    F: PDFHexString.of(Buffer.from(plainName).toString("hex")),
    UF: PDFHexString.fromText(name),
    EF: { F: content, UF: content },
    AFRelationship: relationship,
    ...(description !== undefined && {
      Desc: PDFHexString.fromText(description),
    }),
  });
}

async function assertAttachable({ path, bytes }: PdfAttachment): Promise<void> {
  await assertReadable(bytes).catch((error: unknown) => {
    if (!(error instanceof PlatenError)) throw error;
    throw new PlatenError("invalid_request", "The PDF cannot be attached.", {
      cause: error,
      problems: [{ path, code: "unattachable", message: error.message }],
    });
  });
}

/** Properties that are undefined stay as they were printed. */
function setProperties(
  pdf: PDFDocument,
  { title, author, subject, keywords }: PdfProperties,
): void {
  pdf.setCreator("Platen");
  if (title !== undefined) pdf.setTitle(title, { showInWindowTitleBar: true });
  if (author !== undefined) pdf.setAuthor(author);
  if (subject !== undefined) pdf.setSubject(subject);
  // One text with commas, as the standard requires; the library would separate them by spaces.
  if (keywords !== undefined) pdf.setKeywords([keywords.join(", ")]);
}

/** Without an owner password, a random one is set; otherwise the user password would lift the restrictions. */
function protect(
  pdf: PDFDocument,
  { user, owner, permissions = PERMISSIONS }: PdfPassword,
): void {
  const may = (permission: (typeof PERMISSIONS)[number]) =>
    permissions.includes(permission);
  pdf.encrypt({
    ...(user !== undefined && { userPassword: user }),
    ownerPassword: owner ?? randomBytes(24).toString("base64"),
    permissions: {
      printing: may("print") && "highResolution",
      modifying: may("modify"),
      copying: may("copy"),
      annotating: may("annotate"),
      fillingForms: may("fillForms"),
      documentAssembly: may("assemble"),
      // Screen readers must always be able to read the document.
      contentAccessibility: true,
    },
    algorithm: "AES-256",
  });
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
 * Removes the links that mark sign fields from a PDF and returns their positions; other links and tags stay. A field on
 * several pages has a mark on each, in their order.
 * @param address prefix of the URLs of these links
 */
function extractSignMarks(pdf: PDFDocument, address: string): SignMark[] {
  const taken: PDFRef[] = [];
  const marks: SignMark[] = [];
  for (const [index, page] of pdf.getPages().entries()) {
    const links = findMarkLinks(page, address);
    if (links.length === 0) continue;
    const refs = links.map(({ ref }) => ref);
    dropFromPage(page, new Set(refs));
    taken.push(...refs);
    marks.push(...mergeMarks(links, index + 1));
  }
  if (taken.length > 0) untagAnnotations(pdf, new Set(taken));
  for (const ref of taken) pdf.context.delete(ref);
  return marks;
}

function findMarkLinks(page: PDFPage, address: string): MarkLink[] {
  const annotations = page.node.Annots()?.asArray() ?? [];
  return annotations.flatMap((ref) => {
    const link = page.node.context.lookup(ref);
    if (!(ref instanceof PDFRef) || !(link instanceof PDFDict)) return [];
    const id = getMarkId(link, address);
    const place = id === null ? null : locateOnPage(page, link);
    return id === null || place === null ? [] : [{ id, ref, place }];
  });
}

function getMarkId(link: PDFDict, address: string): string | null {
  const uri = link
    .lookupMaybe(ACTION, PDFDict)
    ?.lookupMaybe(URI, PDFString, PDFHexString)
    ?.decodeText();
  return uri?.startsWith(address) === true ? uri.slice(address.length) : null;
}

function dropFromPage({ node }: PDFPage, refs: ReadonlySet<unknown>): void {
  const annotations = node.Annots()?.asArray() ?? [];
  const others = annotations.filter((annotation) => !refs.has(annotation));
  if (others.length === 0) node.delete(ANNOTS);
  else node.set(ANNOTS, node.context.obj(others));
}

/** A link may have several rectangles on a page; they become one mark. */
function mergeMarks(links: readonly MarkLink[], page: number): SignMark[] {
  const places = new Map<string, Place>();
  for (const { id, place } of links) {
    const other = places.get(id);
    places.set(id, other ? mergePlaces(other, place) : place);
  }
  return Array.from(places, ([id, place]) => ({ id, page, ...place }));
}

const RECT = PDFName.of("Rect");

/** The position of an annotation on its page, which may be cropped and rotated; null when it has no rectangle. */
function locateOnPage(page: PDFPage, annotation: PDFDict): Place | null {
  const rectangle = annotation.lookupMaybe(RECT, PDFArray)?.asRectangle();
  if (!rectangle) return null;
  const { x, y, width, height } = rectangle;
  const corners = [
    [x, y],
    [x + width, y + height],
  ] as const;
  const [corner, other] = corners.map(([across, up]) =>
    toShownPoint(page, across, up),
  );
  return corner && other ? toPlace(corner, other) : null;
}

/** The smallest rectangle that contains both. */
function mergePlaces(place: Place, other: Place): Place {
  const [x, y] = [Math.min(place.x, other.x), Math.min(place.y, other.y)];
  const right = Math.max(place.x + place.w, other.x + other.w);
  const bottom = Math.max(place.y + place.h, other.y + other.h);
  return { x, y, w: round(right - x), h: round(bottom - y) };
}

type Point = readonly [right: number, down: number];

/** Converts a point from PDF space, whose origin is the lower left corner, to what a reader shows. */
function toShownPoint(page: PDFPage, across: number, up: number): Point {
  const { x, y, width, height } = page.getCropBox();
  const [u, v] = [(across - x) / width, (up - y) / height];
  const turn = ((page.getRotation().angle % 360) + 360) % 360;
  if (turn === 90) return [v, u];
  if (turn === 180) return [1 - u, v];
  if (turn === 270) return [1 - v, 1 - u];
  return [u, 1 - v];
}

function toPlace([a, b]: Point, [c, d]: Point): Place {
  const [left, right] = [clamp(Math.min(a, c)), clamp(Math.max(a, c))];
  const [top, bottom] = [clamp(Math.min(b, d)), clamp(Math.max(b, d))];
  return {
    x: round(left),
    y: round(top),
    w: round(right - left),
    h: round(bottom - top),
  };
}

function clamp(part: number): number {
  return Math.min(1, Math.max(0, part));
}

/** Precise to a hundredth of a point on any paper size. */
function round(part: number): number {
  return Math.round(part * 1e6) / 1e6;
}

const ROOT = PDFName.of("StructTreeRoot");
const KIDS = PDFName.of("K");
const KIND = PDFName.of("S");
const OBJECT = PDFName.of("Obj");
const PLAIN = PDFName.of("NonStruct");
const NUMBERS = PDFName.of("Nums");
const PARENT_KEY = PDFName.of("StructParent");

/**
 * Removes annotations from a tagged PDF's structure. The elements that contained them keep their text and become
 * `NonStruct`. A PDF without tags stays unchanged.
 */
function untagAnnotations(
  pdf: PDFDocument,
  annotations: ReadonlySet<PDFObject>,
): void {
  const { context, catalog } = pdf;
  if (!catalog.has(ROOT)) return;
  const keys = new Set(
    [...annotations].map((annotation) =>
      getParentKey(context.lookup(annotation)),
    ),
  );
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    dropFromElement(object, annotations);
    dropFromNumbers(object, keys);
  }
}

function getParentKey(annotation: PDFObject | undefined): number | undefined {
  return annotation instanceof PDFDict
    ? annotation.lookupMaybe(PARENT_KEY, PDFNumber)?.asNumber()
    : undefined;
}

/** A structure element refers to annotations among its kids by object references (ISO 32000-1, 14.7.4.3). */
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

/** The number tree from an annotation's key to its element: pairs of both. */
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
