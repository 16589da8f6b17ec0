import type * as Pdfjs from "unpdf/pdfjs";
// One file is the library to the page and, started as a worker, its worker. It is fetched with the first print.
// oxlint-disable-next-line import/default
import pdfjsUrl from "unpdf/pdfjs?url";

interface PdfReader {
  worker: Pdfjs.PDFWorker;
  /** Rejects when the worker cannot run; PDF.js itself would wait for it without end. */
  failure: Promise<never>;
}

/** Shared by all documents: destroying one leaves a worker alone that was handed to it. */
let reader: PdfReader | undefined;

/** Opens a PDF to be drawn; it is read outside of the page's own thread. */
export async function openPdf(file: Blob): Promise<Pdfjs.PDFDocumentProxy> {
  // The module at this address is the one that the types are of.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pdfjs = (await import(pdfjsUrl)) as typeof Pdfjs;
  const data = new Uint8Array(await file.arrayBuffer());
  const { worker, failure } = (reader ??= startReader(pdfjs));
  // The policy of the pages allows no WebAssembly.
  const task = pdfjs.getDocument({ data, worker, useWasm: false });
  return Promise.race([task.promise, failure]);
}

function startReader({ PDFWorker }: typeof Pdfjs): PdfReader {
  const port = new Worker(pdfjsUrl, { type: "module" });
  const failure = new Promise<never>((_, reject) => {
    port.addEventListener("error", ({ message }) => {
      // The next document starts another.
      reader = undefined;
      reject(new Error(message));
    });
  });
  failure.catch(() => undefined);
  return { worker: PDFWorker.create({ port }), failure };
}

export type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
