import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Notice } from "../../ui/notice.js";
import { openPdf, type PDFDocumentProxy, type PDFPageProxy } from "./pdfjs.js";

interface OpenPdf {
  pdf: PDFDocumentProxy;
  pages: readonly PDFPageProxy[];
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
  page: PDFPageProxy;
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
  page: PDFPageProxy,
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
