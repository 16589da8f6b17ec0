import { before } from "mocha";
import {
  getDocument,
  VerbosityLevel,
  type PDFDocumentProxy,
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

/** What a reader finds in a PDF, page by page. */
export async function readPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str : "")).join("");
    pages.push({ widthPt: width, heightPt: height, text });
  }
  await task.destroy();
  return pages;
}

/** How far below the top of its page each text begins that matches, in mm; one list for each page. */
export async function textTops(
  bytes: Uint8Array,
  pattern: RegExp,
): Promise<number[][]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  const pages: number[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const tops = items.flatMap((item) =>
      "str" in item && pattern.test(item.str)
        ? [((height - Number(item.transform[5]) - item.height) / 72) * 25.4]
        : [],
    );
    pages.push(tops);
  }
  await task.destroy();
  return pages;
}

/** Names that links lead to, each with its page, from 1. */
export async function placesOfNames(
  bytes: Uint8Array,
): Promise<Record<string, number>> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  const places: Record<string, number> = {};
  const names = Object.entries(await document.getDestinations());
  for (const [name, [page]] of names)
    places[name] = (await document.getPageIndex(page)) + 1;
  await task.destroy();
  return places;
}

/** The addresses that links of a PDF lead to, in their order. */
export async function getLinks(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    for (const { url } of await page.getAnnotations())
      if (typeof url === "string") links.push(url);
  }
  await task.destroy();
  return links;
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
      roles: getRoles(await first.getStructTree()),
      bookmarks: (outline ?? []).flatMap(getTitles),
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
