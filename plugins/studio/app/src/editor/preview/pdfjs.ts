import type * as Pdfjs from "pdfjs-dist";
// Addresses of files of our own beside the app's: fetched when somebody first asks for a print, never before.
// oxlint-disable-next-line import/default
import pdfjsUrl from "pdfjs-dist/legacy/build/pdf.min.mjs?url";
// oxlint-disable-next-line import/default
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";

/** Opens a PDF to be drawn; the library comes with the first one. */
export async function openPdf(file: Blob): Promise<Pdfjs.PDFDocumentProxy> {
  // The module at this address is the one that the types are of.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pdfjs = (await import(/* @vite-ignore */ pdfjsUrl)) as typeof Pdfjs;
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  const data = new Uint8Array(await file.arrayBuffer());
  return pdfjs.getDocument({ data, isEvalSupported: false }).promise;
}

export type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
