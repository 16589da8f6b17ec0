import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "../../api.js";
import { Notice } from "../../ui/notice.js";
import { openPdf, type PDFDocumentProxy, type PDFPageProxy } from "./pdfjs.js";

/** A PDF, page below page, as wide as there is room. What was drawn before stays until the next is drawn. */
export function PdfPages({ file }: { file: Blob }) {
  const [pages, setPages] = useState<readonly PDFPageProxy[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    let opened: PDFDocumentProxy | null = null;
    const read = async () => {
      try {
        opened = await openPdf(file);
        const all = await pagesOf(opened);
        if (!isOver) setPages(all);
      } catch (error) {
        if (!isOver) setFault(wordsOf(error));
      }
    };
    void read();
    return () => {
      isOver = true;
      void opened?.loadingTask.destroy();
    };
  }, [file]);
  if (fault !== null)
    return <Notice tone="bad" title="The PDF cannot be shown here" />;
  return (
    <div class="pdf-pages">
      {pages.map((page, index) => (
        <PdfPage key={index} page={page} count={pages.length} />
      ))}
    </div>
  );
}

async function pagesOf(pdf: PDFDocumentProxy): Promise<PDFPageProxy[]> {
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  return Promise.all(numbers.map((number) => pdf.getPage(number)));
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
    if (room === 0 || !isNear) return undefined;
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
