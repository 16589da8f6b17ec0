import {
  getDocument,
  VerbosityLevel,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from "unpdf/pdfjs";
import { z } from "zod";
import { readError, newCaller, type TestCaller } from "./caller.js";
import {
  exported,
  type TestService,
  type TestServiceOptions,
  useService,
} from "./service.js";
import { definition } from "./store.js";

export interface PdfPage {
  widthPt: number;
  heightPt: number;
  text: string;
}

/** Opens a PDF as a reader does. Rejects when it needs a password and gets none, or another. */
export async function usePdf<T>(
  bytes: Uint8Array,
  use: (document: PDFDocumentProxy) => Promise<T>,
  password?: string,
): Promise<T> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    ...(password !== undefined && { password }),
  });
  try {
    return await use(await task.promise);
  } finally {
    await task.destroy();
  }
}

function eachPage<T>(
  bytes: Uint8Array,
  read: (page: PDFPageProxy) => Promise<T>,
): Promise<T[]> {
  return usePdf(bytes, async (document) => {
    const results: T[] = [];
    for (let number = 1; number <= document.numPages; number += 1)
      results.push(await read(await document.getPage(number)));
    return results;
  });
}

async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str : "")).join("");
}

/** What a reader finds in a PDF, page by page. */
export function readPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  return eachPage(bytes, async (page) => {
    const { width, height } = page.getViewport({ scale: 1 });
    return { widthPt: width, heightPt: height, text: await readText(page) };
  });
}

/** How far below the top of its page each text begins that matches, in mm; one list for each page. */
export function textTops(
  bytes: Uint8Array,
  pattern: RegExp,
): Promise<number[][]> {
  return eachPage(bytes, async (page) => {
    const { height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    return items.flatMap((item) =>
      "str" in item && pattern.test(item.str)
        ? [((height - Number(item.transform[5]) - item.height) / 72) * 25.4]
        : [],
    );
  });
}

/** Names that links lead to, each with its page, from 1. */
export function placesOfNames(
  bytes: Uint8Array,
): Promise<Record<string, number>> {
  return usePdf(bytes, async (document) => {
    const places: Record<string, number> = {};
    const names = Object.entries(await document.getDestinations());
    for (const [name, [page]] of names)
      places[name] = (await document.getPageIndex(page)) + 1;
    return places;
  });
}

/** The addresses that links of a PDF lead to, in their order. */
export async function getLinks(bytes: Uint8Array): Promise<string[]> {
  const links = await eachPage(bytes, async (page) =>
    (await page.getAnnotations()).map(({ url }): unknown => url),
  );
  return links.flat().filter((url) => typeof url === "string");
}

/** All text of a PDF. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  return (await readPdf(bytes)).map(({ text }) => text).join("\n");
}

/** Names of the embedded fonts, as in `Inter-Bold`; a font of pictures (emoji) has none. */
export function fontNames(pdf: Buffer): string[] {
  const found = pdf
    .toString("latin1")
    .matchAll(/\/BaseFont \/[A-Z]{6}\+([^\s/]+)/g);
  return [...new Set([...found].map(([, name = ""]) => name))].toSorted();
}

const properties = z.record(z.string(), z.unknown());

/** What a reader shows of a PDF beside its pages. */
interface PdfFacts {
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
export function pdfFacts(
  bytes: Uint8Array,
  password?: string,
): Promise<PdfFacts> {
  return usePdf(bytes, readFacts, password);
}

async function readFacts(document: PDFDocumentProxy): Promise<PdfFacts> {
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1)
    pages.push(await readText(await document.getPage(number)));
  const first = await document.getPage(1);
  const { info } = await document.getMetadata();
  const mark = await document.getMarkInfo();
  const permissions = await document.getPermissions();
  return {
    pages,
    info: properties.parse(info),
    isTagged: mark?.Marked === true,
    roles: getRoles(await first.getStructTree()),
    bookmarks: ((await document.getOutline()) ?? []).flatMap(getTitles),
    attachments: await findAttachments(document),
    permissions: permissions && [...permissions],
  };
}

interface Branch {
  role?: string;
  children?: readonly object[];
}

function getRoles(branch: Branch | null): string[] {
  if (branch === null) return [];
  const { role, children = [] } = branch;
  return [
    ...(role ? [role] : []),
    ...children.flatMap((child) => getRoles(child)),
  ];
}

interface Bookmark {
  title: string;
  items: readonly Bookmark[];
}

function getTitles({ title, items }: Bookmark): string[] {
  return [title, ...items.flatMap(getTitles)];
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

/** A service for the suite that calls this, and its answers to templates of the form that is given. */
interface PdfMaker {
  service: TestService;
  caller: () => TestCaller;
  /** The stored PDF, printed once for the same template and request. */
  pdf: (template: object, body?: object) => Promise<Buffer>;
  /** What was said instead. */
  rejection: (template: object, body: object) => Promise<string>;
}

export function usePdfs(options: TestServiceOptions = {}): PdfMaker {
  const service = useService(options);
  const printed = new Map<string, Promise<Buffer>>();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const request = async (template: object, body: object) => {
    const whole = { definition: { ...definition, ...template } };
    const templateId = await caller.publish(whole);
    return { templateId, formats: ["pdf"], data: { name: "Ada" }, ...body };
  };
  const print = async (template: object, body: object) => {
    const { result } = await exported(caller, await request(template, body));
    const response = await fetch(result.pdf?.url ?? "");
    return Buffer.from(await response.arrayBuffer());
  };
  return {
    service,
    caller: () => caller,
    pdf: (template, body = {}) => {
      const key = JSON.stringify([template, body]);
      const known = printed.get(key) ?? print(template, body);
      printed.set(key, known);
      return known;
    },
    rejection: async (template, body) =>
      readError(
        await caller.post("/api/export", await request(template, body)),
      ),
  };
}

/** renderOptions with these for the PDF. */
export function ofPdf(pdf: object): object {
  return { renderOptions: { pdf } };
}
