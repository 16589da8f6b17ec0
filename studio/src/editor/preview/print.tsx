import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import type * as Pdfjs from "unpdf/pdfjs";
import type { DraftPrintRequest } from "../../../../core/templates/drafts/views.js";
// One file is both the library for the page and, started as a worker, its worker. It is fetched with the first print.
// oxlint-disable-next-line import/default
import pdfjsUrl from "unpdf/pdfjs?url";
import { askBytes, isTemporary, Refusal, wordsOf } from "../../api.js";
import { retryUntilDone } from "../../retry.js";
import { Notice } from "../../ui/notice.js";
import { t } from "../../messages/index.js";

const renderDelayMs = 500;

export interface Print {
  /** The last rendered file. */
  file: Blob | null;
  /** Whether a newer one is being rendered. */
  isWaiting: boolean;
  fault: RenderError | null;
}

export interface RenderError {
  why: string;
  /** Whether the template is the cause and not the service. */
  isTemplateError: boolean;
  /** Whether it is tried again without a change. */
  isRetried: boolean;
}

/**
 * Renders a draft on the server shortly after each change; a newer change cancels the request. What failed for a
 * temporary reason is tried again, at growing intervals and as soon as the network is back.
 */
export function usePrint(order: DraftPrintRequest): Print {
  const [print, setPrint] = useState<Print>({
    file: null,
    isWaiting: true,
    fault: null,
  });
  const { definition, data, format, widthPx, isDark, templateType } = order;
  useEffect(() => {
    const given = new AbortController();
    const { signal } = given;
    const make = async () => {
      const body = {
        templateType,
        definition,
        data,
        format,
        widthPx,
        isDark,
      };
      try {
        const file = await askBytes("drafts/print", body, signal);
        setPrint({ file, isWaiting: false, fault: null });
        return true;
      } catch (error) {
        if (signal.aborted) return true;
        const isTemplateError =
          error instanceof Refusal && error.status === 400;
        const isRetried = isTemporary(error);
        const fault = { why: wordsOf(error), isTemplateError, isRetried };
        setPrint(({ file }) => ({ file, isWaiting: false, fault }));
        return !isRetried;
      }
    };
    setPrint(({ file, fault }) => ({ file, isWaiting: true, fault }));
    const stop = retryUntilDone(make, renderDelayMs);
    return () => {
      stop();
      given.abort();
    };
  }, [definition, data, format, widthPx, isDark, templateType]);
  return print;
}

interface OpenPdf {
  pdf: Pdfjs.PDFDocumentProxy;
  pages: readonly Pdfjs.PDFPageProxy[];
}

/** At full width. The previous PDF stays until the next one is open. */
export function PdfPages({ file }: { file: Blob }) {
  const [shownPdf, setShown] = useState<OpenPdf | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const turn = { isOver: false };
    setFailed(false);
    void loadPages(file).then(
      (opened) => (turn.isOver ? closePdf(opened) : setShown(opened)),
      () => setFailed(!turn.isOver),
    );
    return () => {
      turn.isOver = true;
    };
  }, [file]);
  // Closed only when its pages are no longer shown.
  useEffect(() => () => closePdf(shownPdf), [shownPdf]);
  if (hasFailed)
    return <Notice tone="bad" title={t("preview.couldntDisplayPdf")} />;
  return (
    <div class="pdf-pages">
      {shownPdf?.pages.map((page, index) => (
        <PdfPage key={index} page={page} count={shownPdf.pages.length} />
      ))}
    </div>
  );
}

async function loadPages(file: Blob): Promise<OpenPdf> {
  const pdf = await openPdf(file);
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map((number) => pdf.getPage(number)));
  return { pdf, pages };
}

function closePdf(opened: OpenPdf | null): void {
  void opened?.pdf.loadingTask.destroy();
}

interface PdfPageProps {
  page: Pdfjs.PDFPageProxy;
  count: number;
}

function PdfPage({ page, count }: PdfPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = page.getViewport({ scale: 1 });
  const { pageWidth, isNear } = usePageWidth(place);
  useEffect(() => {
    if (pageWidth === 0) return undefined;
    // Pages out of sight are not kept: those of a long document would fill the memory.
    if (!isNear) place.current?.replaceChildren();
    if (!isNear) return undefined;
    return drawPage(page, pageWidth, place.current);
  }, [page, pageWidth, isNear]);
  return (
    <div
      class="pdf-page"
      ref={place}
      role="img"
      aria-label={t("preview.pagePageNumberOfCount", {
        pageNumber: page.pageNumber,
        count,
      })}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  );
}

/** The width of a page and whether it is in or near the viewport. */
function usePageWidth(place: { current: HTMLElement | null }) {
  const [pageWidth, setRoom] = useState(0);
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const size = new ResizeObserver(([entry]) =>
      setRoom(Math.round(entry?.contentRect.width ?? 0)),
    );
    const sight = new IntersectionObserver(
      (entries) => setNear(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: "600px" },
    );
    size.observe(element);
    sight.observe(element);
    return () => {
      size.disconnect();
      sight.disconnect();
    };
  }, [place]);
  return { pageWidth, isNear };
}

/** Draws a page off screen and shows it when complete. @returns a function that cancels it. */
function drawPage(
  page: Pdfjs.PDFPageProxy,
  pageWidth: number,
  place: HTMLElement | null,
): () => void {
  const { width } = page.getViewport({ scale: 1 });
  const scale = (pageWidth / width) * devicePixelRatio;
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const task = page.render({ canvas, viewport });
  // A cancelled task rejects.
  task.promise.then(
    () => place?.replaceChildren(canvas),
    () => undefined,
  );
  return () => task.cancel();
}

interface PdfReader {
  worker: Pdfjs.PDFWorker;
  /** Rejects when the worker cannot run; PDF.js itself would wait forever. */
  failure: Promise<never>;
}

/** Shared by all documents: closing a document does not stop a worker that was passed in. */
let pdfReader: PdfReader | undefined;

async function openPdf(file: Blob): Promise<Pdfjs.PDFDocumentProxy> {
  // The types describe the module at this URL.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pdfjs = (await import(pdfjsUrl)) as typeof Pdfjs;
  const data = new Uint8Array(await file.arrayBuffer());
  const { worker, failure } = (pdfReader ??= startReader(pdfjs));
  // The content security policy allows no WebAssembly.
  const task = pdfjs.getDocument({ data, worker, useWasm: false });
  return Promise.race([task.promise, failure]);
}

function startReader({ PDFWorker }: typeof Pdfjs): PdfReader {
  const port = new Worker(pdfjsUrl, { type: "module" });
  const failure = new Promise<never>((_, reject) => {
    port.addEventListener("error", ({ message }) => {
      // The next document starts a new one.
      pdfReader = undefined;
      reject(new Error(message));
    });
  });
  failure.catch(() => undefined);
  return { worker: PDFWorker.create({ port }), failure };
}

/** The image of a rendered email. */
export function EmailPrint({ file, width }: { file: Blob; width: number }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") setSource(reader.result);
    });
    // The content security policy allows data: images but no blobs.
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  if (source === "") return null;
  return (
    <img
      class="email-print"
      src={source}
      alt={t("preview.emailPreview")}
      style={{ maxWidth: `${width}px` }}
    />
  );
}
