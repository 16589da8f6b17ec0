import { getDocument, VerbosityLevel } from "unpdf/pdfjs";

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
export async function linksOf(bytes: Uint8Array): Promise<string[]> {
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
