import "./canvas.css";
import "./sheet.css";
import "./drawn.css";
import "./notes.css";
import "./overlay/overlay.css";
import "./mail/mail.css";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useEditor } from "../model/editor.js";
import { CanvasFoot } from "./canvas-foot.js";
import { CanvasProvider, CanvasState } from "./canvas-state.js";
import { ComponentView } from "./component-view.js";
import { DocumentSheet } from "./document-sheet.js";
import { DrawProvider } from "./draw-context.js";
import { MailLines, MailSheet } from "./mail/mail-sheet.js";
import { SheetOverlay } from "./overlay/sheet-overlay.js";
import { SheetPlace } from "./sheet-place.js";
import { useMarks } from "./use-marks.js";
import { usePointer } from "./use-pointer.js";
import { usePrintFonts } from "./use-print-fonts.js";
import { useReveal } from "./use-reveal.js";
import { useSheetStyle } from "./use-sheet-style.js";
import { useZooming } from "./use-zooming.js";

/** The page as it will be, to be worked on. */
export function Canvas() {
  const editor = useEditor();
  const canvas = useMemo(() => new CanvasState(editor), [editor]);
  useEffect(() => () => canvas.close(), [canvas]);
  return (
    <CanvasProvider value={canvas}>
      <DrawProvider value={ComponentView}>
        <CanvasFrame canvas={canvas} />
      </DrawProvider>
    </CanvasProvider>
  );
}

function CanvasFrame({ canvas }: { canvas: CanvasState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isMail = canvas.editor.templateType === "email";
  useSheetStyle(canvas);
  usePrintFonts(canvas.editor);
  useRoom(canvas, scroller);
  useZooming(canvas, scroller);
  useMarks(canvas, scroller);
  useReveal(canvas, scroller);
  const pointer = usePointer(canvas);
  return (
    <div class="canvas-frame">
      <section
        class="canvas"
        ref={scroller}
        aria-label="Page"
        tabIndex={0}
        {...pointer}
      >
        <div class="stage">
          {isMail && <MailLines />}
          <SheetPlace>
            {isMail ? <MailSheet /> : <DocumentSheet />}
            <SheetOverlay />
          </SheetPlace>
        </div>
      </section>
      <CanvasFoot />
    </div>
  );
}

function useRoom(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  // Measured before it is seen, so that it has its size from the first moment on.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      zoom.room.value = element.clientWidth;
    };
    measure();
    const follow = new ResizeObserver(measure);
    follow.observe(element);
    return () => follow.disconnect();
  }, [zoom]);
}
