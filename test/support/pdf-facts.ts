import {
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
} from "unpdf/pdfjs";
import { z } from "zod";

const properties = z.record(z.string(), z.unknown());

/** What a reader shows of a PDF beside its pages. */
export interface PdfFacts {
  /** The texts of its pages. */
  pages: string[];
  info: Readonly<Record<string, unknown>>;
  isTagged: boolean;
  /** Roles of the structure tree of the first page, from the outside to the inside. */
  roles: string[];
  bookmarks: string[];
  attachments: { name: string; text: string; description: string }[];
  /** What the user may do; null for everything. */
  permissions: number[] | null;
}

/** Reads a PDF as a reader does. Rejects when it needs a password and gets none, or another. */
export async function pdfFacts(
  bytes: Uint8Array,
  password?: string,
): Promise<PdfFacts> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    ...(password !== undefined && { password }),
  });
  const document = await task.promise;
  try {
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      pages.push(items.map((item) => ("str" in item ? item.str : "")).join(""));
    }
    const first = await document.getPage(1);
    const { info } = await document.getMetadata();
    const outline = await document.getOutline();
    const mark = await document.getMarkInfo();
    const permissions = await document.getPermissions();
    return {
      pages,
      info: properties.parse(info),
      isTagged: mark?.Marked === true,
      roles: rolesOf(await first.getStructTree()),
      bookmarks: (outline ?? []).flatMap(titlesOf),
      attachments: await findAttachments(document),
      permissions: permissions && [...permissions],
    };
  } finally {
    await task.destroy();
  }
}

interface Branch {
  role?: string;
  children?: readonly object[];
}

function rolesOf(branch: Branch | null): string[] {
  if (branch === null) return [];
  const { role, children = [] } = branch;
  return [
    ...(role ? [role] : []),
    ...children.flatMap((child) => rolesOf(child)),
  ];
}

interface Bookmark {
  title: string;
  items: readonly Bookmark[];
}

function titlesOf({ title, items }: Bookmark): string[] {
  return [title, ...items.flatMap(titlesOf)];
}

async function findAttachments(
  document: PDFDocumentProxy,
): Promise<PdfFacts["attachments"]> {
  const found = [...((await document.getAttachments()) ?? [])];
  return Promise.all(
    found.map(async ([id, { filename, description }]) => {
      const content = await document.getAttachmentContent(id);
      const text = Buffer.from(content ?? []).toString();
      return { name: filename, text, description };
    }),
  );
}
