import { randomBytes } from "node:crypto";
import {
  PDFDocument,
  PDFDict,
  PDFName,
  type PDFPage,
  AFRelationship,
} from "@cantoo/pdf-lib";
import {
  PlatenError,
  type ErrorCode,
  type Problem,
} from "../../plugin-api/index.js";
import {
  type EditedBytes,
  type Finishing,
  type JoinedPdf,
  type PdfAttachment,
  type Relationship,
  type PdfProperties,
  type PdfPassword,
  PERMISSIONS,
} from "./pdf-edits.js";
import { extractSignMarks } from "./sign-marks.js";

export interface EditRequest {
  printed: Uint8Array;
  finishing: Finishing;
}

/** An error loses its class between threads, so a rejection is sent as its parts. */
export type EditResponse =
  | EditedBytes
  | { code: ErrorCode; message: string; problems: readonly Problem[] };

/** Runs in the worker thread of `PdfEditor`. */
export async function editInThread({
  printed,
  finishing,
}: EditRequest): Promise<EditResponse> {
  try {
    return await editPdf(printed, finishing);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const { code, message, problems } = error;
    return { code, message, problems };
  }
}

/**
 * Edits a printed PDF. Its tags and bookmarks stay as they are.
 * @throws PlatenError `invalid_request` for a PDF that cannot be joined.
 */
async function editPdf(
  printed: Uint8Array,
  finishing: Finishing,
): Promise<EditedBytes> {
  const { before, after, attachments, properties, password } = finishing;
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  await joinPdfs(pdf, { before, after });
  // After joining, so that a mark's page is its page in the whole document.
  const { signLinks } = finishing;
  const marks = signLinks === undefined ? [] : extractSignMarks(pdf, signLinks);
  const pages = pdf.getPageCount();
  setProperties(pdf, properties ?? {});
  await attachFiles(pdf, attachments);
  if (password) protect(pdf, password);
  const bytes = await pdf.save({
    useObjectStreams: true,
    addDefaultPage: false,
  });
  return { bytes, pages, marks };
}

/** Of all joined PDFs together. */
const MAX_JOINED_PAGES = 2000;

/** Puts the pages of other PDFs before and after those of `pdf`. */
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

const relationships: Record<Relationship, AFRelationship> = {
  Source: AFRelationship.Source,
  Data: AFRelationship.Data,
  Alternative: AFRelationship.Alternative,
  Supplement: AFRelationship.Supplement,
  Unspecified: AFRelationship.Unspecified,
};

/** Embeds the files, which readers list as attachments and programs find as associated files. */
async function attachFiles(
  pdf: PDFDocument,
  attachments: readonly PdfAttachment[],
): Promise<void> {
  const now = new Date();
  for (const file of attachments)
    await pdf.attach(file.bytes, file.name, {
      mimeType: file.mimeType,
      ...(file.description !== undefined && { description: file.description }),
      afRelationship: relationships[file.relationship],
      creationDate: now,
      modificationDate: now,
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
