import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import type * as Pdfjs from "unpdf/pdfjs";
// One file is both the library for the page and, started as a worker, its worker. It is fetched with the first print.
// oxlint-disable-next-line import/default
import pdfjsUrl from "unpdf/pdfjs?url";
import type { DraftPrintOrder } from "../../../../../../core/plugin-api/app-drafts.js";
import { askBytes, Refusal, wordsOf } from "../../api.js";
import { Notice } from "../../ui/notice.js";

const pauseMs = 500;
/** After the service said that there were too many. */
const restMs = 5000;

export interface Print {
  /** The last that was made. */
  file: Blob | null;
  /** Whether another is on its way. */
  isWaiting: boolean;
  /** Why the newest could not be made. */
  fault: PrintTrouble | null;
}

export interface PrintTrouble {
  why: string;
  /** The template has to be mended; else it is tried again, or the service is not well. */
  isOfTemplate: boolean;
}

/** Has it printed by the service a moment after it changed; an order that was overtaken is given up. */
export function usePrint(order: DraftPrintOrder): Print {
  const [print, setPrint] = useState<Print>({
    file: null,
    isWaiting: true,
    fault: null,
  });
  const { definition, data, format, widthPx, templateType } = order;
  useEffect(() => {
    const given = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const make = async () => {
      const body = { templateType, definition, data, format, widthPx };
      try {
        const file = await askBytes("drafts/print", body, given.signal);
        setPrint({ file, isWaiting: false, fault: null });
      } catch (error) {
        if (given.signal.aborted) return;
        const status = error instanceof Refusal ? error.status : 0;
        if (status === 429) later(restMs);
        const fault = { why: wordsOf(error), isOfTemplate: status === 400 };
        setPrint(({ file }) => ({ file, isWaiting: false, fault }));
      }
    };
    const later = (ms: number) => {
      timer = setTimeout(() => void make(), ms);
    };
    setPrint(({ file, fault }) => ({ file, isWaiting: true, fault }));
    later(pauseMs);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [definition, data, format, widthPx, templateType]);
  return print;
}

interface OpenPdf {
  pdf: Pdfjs.PDFDocumentProxy;
  pages: readonly Pdfjs.PDFPageProxy[];
}

/** A PDF, page below page, as wide as there is room. What was drawn before stays until the next is drawn. */
export function PdfPages({ file }: { file: Blob }) {
  const [shown, setShown] = useState<OpenPdf | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const turn = { isOver: false };
    void opened(file).then(
      (one) => (turn.isOver ? close(one) : setShown(one)),
      () => setFailed(!turn.isOver),
    );
    return () => {
      turn.isOver = true;
    };
  }, [file]);
  // Only once its pages are shown no more.
  useEffect(() => () => close(shown), [shown]);
  if (hasFailed)
    return <Notice tone="bad" title="The PDF cannot be shown here" />;
  return (
    <div class="pdf-pages">
      {shown?.pages.map((page, index) => (
        <PdfPage key={index} page={page} count={shown.pages.length} />
      ))}
    </div>
  );
}

async function opened(file: Blob): Promise<OpenPdf> {
  const pdf = await openPdf(file);
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map((one) => pdf.getPage(one)));
  return { pdf, pages };
}

function close(one: OpenPdf | null): void {
  void one?.pdf.loadingTask.destroy();
}

interface PdfPageProps {
  page: Pdfjs.PDFPageProxy;
  count: number;
}

function PdfPage({ page, count }: PdfPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = page.getViewport({ scale: 1 });
  const { room, isNear } = useRoom(place);
  useEffect(() => {
    if (room === 0) return undefined;
    // A long document would fill the memory with pictures of pages that nobody looks at.
    if (!isNear) place.current?.replaceChildren();
    if (!isNear) return undefined;
    return drawn(page, room, place.current);
  }, [page, room, isNear]);
  return (
    <div
      class="pdf-page"
      ref={place}
      role="img"
      aria-label={`Page ${page.pageNumber} of ${count}`}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  );
}

/** How wide a page is drawn, and whether it is in sight or nearly so. */
function useRoom(place: { current: HTMLElement | null }) {
  const [room, setRoom] = useState(0);
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const size = new ResizeObserver(([entry]) =>
      setRoom(Math.round(entry?.contentRect.width ?? 0)),
    );
    const sight = new IntersectionObserver(
      (entries) => setNear(entries.some((one) => one.isIntersecting)),
      { rootMargin: "600px" },
    );
    size.observe(element);
    sight.observe(element);
    return () => {
      size.disconnect();
      sight.disconnect();
    };
  }, [place]);
  return { room, isNear };
}

/** Draws aside, and shows it when it is whole. @returns what gives up. */
function drawn(
  page: Pdfjs.PDFPageProxy,
  room: number,
  place: HTMLElement | null,
): () => void {
  const { width } = page.getViewport({ scale: 1 });
  const scale = (room / width) * devicePixelRatio;
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const task = page.render({ canvas, viewport });
  // Given up, it says so; there is nothing to be done about it.
  task.promise.then(
    () => place?.replaceChildren(canvas),
    () => undefined,
  );
  return () => task.cancel();
}

// One file is the library to the page and, started as a worker, its worker. It is fetched with the first print.
// oxlint-disable-next-line import/default

interface PdfReader {
  worker: Pdfjs.PDFWorker;
  /** Rejects when the worker cannot run; PDF.js itself would wait for it without end. */
  failure: Promise<never>;
}

/** Shared by all documents: destroying one leaves a worker alone that was handed to it. */
let reader: PdfReader | undefined;

/** Opens a PDF to be drawn; it is read outside of the page's own thread. */
async function openPdf(file: Blob): Promise<Pdfjs.PDFDocumentProxy> {
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

/** An email, as its reader's window shows it. */
export function EmailPrint({ file, width }: { file: Blob; width: number }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") setSource(reader.result);
    });
    // The page may load data: pictures, and no blobs.
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  if (source === "") return null;
  return (
    <img
      class="email-print"
      src={source}
      alt="The email as it will be read"
      style={{ maxWidth: `${width}px` }}
    />
  );
}
