import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { lineage } from "../model/tree.js";
import { CanvasProvider, CanvasState, useCanvas } from "./canvas-state.js";
import "./canvas.css";
import { DocumentSheet } from "./document-sheet.js";
import { EmailLines, EmailSheet } from "./email-sheet.js";
import "./email.css";
import "./overlay.css";
import { usePrintFonts, usePrintStyles } from "./print-styles.js";
import { SheetOverlay } from "./sheet-overlay.js";
import "./sheet.css";
import { useMarks, usePointer, useReveal } from "./use-selection.js";
import { DrawProvider } from "./views/component-list.js";
import { ComponentView } from "./views/component-view.js";
import { useZooming } from "./zoom.js";

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
  const isEmail = canvas.editor.templateType === "email";
  usePrintStyles(canvas);
  usePrintFonts(canvas.editor);
  useAvailableWidth(canvas, scroller);
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
          {isEmail && <EmailLines />}
          <SheetPlace>
            {isEmail ? <EmailSheet /> : <DocumentSheet />}
            <SheetOverlay />
          </SheetPlace>
        </div>
      </section>
      <CanvasFoot />
    </div>
  );
}

function useAvailableWidth(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  // Measured before it is seen, so that it has its size from the first moment on.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      zoom.availableWidth.value = element.clientWidth;
    };
    measure();
    const follow = new ResizeObserver(measure);
    follow.observe(element);
    return () => follow.disconnect();
  }, [zoom]);
}

interface SheetPlaceProps {
  /** The sheet, then what lies over it. */
  children: [sheet: VNode, overlay: ComponentChildren];
}

/**
 * The room that the sheet takes on the screen. The sheet itself is laid out at its true size and scaled as a whole, so
 * that lines break where they do in print at any zoom.
 */
function SheetPlace({ children: [sheet, overlay] }: SheetPlaceProps) {
  const { zoom } = useCanvas();
  const scaled = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scaled.current;
    if (!element) return undefined;
    const measure = () => {
      const { offsetWidth: width, offsetHeight: height } = element;
      size.value = { width, height };
    };
    measure();
    const follow = new ResizeObserver(measure);
    follow.observe(element);
    return () => follow.disconnect();
  }, []);
  const scale = zoom.scale.value;
  const { width, height } = size.value;
  return (
    <div
      class="sheet-place"
      style={{
        width: `${width * scale}px`,
        height: `${height * scale}px`,
        "--unscaled": `${1 / scale}`,
      }}
    >
      <div class="scaled" ref={scaled} style={{ scale: `${scale}` }}>
        {sheet}
      </div>
      {overlay}
    </div>
  );
}

const pages = [
  ["first", "First page"],
  ["others", "Others"],
] as const;
const variables = [
  ["fields", "Fields"],
  ["values", "Values"],
] as const;
const widths = [
  ["wide", "Computer"],
  ["phone", "Phone"],
] as const;

/** Below the page: where the selection stands, and how the page is looked at. */
function CanvasFoot() {
  const canvas = useCanvas();
  return (
    <div class="canvas-foot">
      <Breadcrumb />
      {canvas.editor.templateType === "email" ? (
        <Choices
          legend="Width of the email"
          options={widths}
          value={canvas.isPhone.value ? "phone" : "wide"}
          onChoose={(one) => {
            canvas.isPhone.value = one === "phone";
          }}
        />
      ) : (
        <PageChoice />
      )}
      <ValueChoice />
      <ZoomButtons />
    </div>
  );
}

/** Whether variables are shown by their names, or as the sample fills them. */
function ValueChoice() {
  const { editor } = useCanvas();
  return (
    <Choices
      legend="Show your fields as"
      options={variables}
      value={editor.showsValues.value ? "values" : "fields"}
      onChoose={(one) => {
        editor.showsValues.value = one === "values";
      }}
    />
  );
}

/** Which page's headers and footers are shown, where they differ. */
function PageChoice() {
  const canvas = useCanvas();
  const { page = {} } = canvas.editor.definition.value;
  if (page.firstHeader === undefined && page.firstFooter === undefined)
    return null;
  return (
    <Choices
      legend="Header and footer of"
      options={pages}
      value={canvas.page.value}
      onChoose={(one) => {
        canvas.page.value = one;
      }}
    />
  );
}

function ZoomButtons() {
  const { zoom } = useCanvas();
  const percent = `${Math.round(zoom.scale.value * 100)} %`;
  return (
    <div class="zoom" role="group" aria-label="Zoom">
      <button type="button" aria-label="Smaller" onClick={() => zoom.step(-1)}>
        <Icon name="minus" size={16} />
      </button>
      <button
        type="button"
        class="zoom-now"
        title="Fit to the width"
        aria-label={`${percent}: fit to the width`}
        aria-pressed={zoom.choice.value === "fit"}
        onClick={() => zoom.toggleFit()}
      >
        {percent}
      </button>
      <button type="button" aria-label="Larger" onClick={() => zoom.step(1)}>
        <Icon name="plus" size={16} />
      </button>
    </div>
  );
}

/** What is selected, within what it stands. */
function Breadcrumb() {
  const { editor } = useCanvas();
  const entry = editor.selectedEntry.value;
  const bar = useRef<HTMLElement>(null);
  // Of a long way, its end is what counts.
  useEffect(() => bar.current?.scrollTo({ left: bar.current.scrollWidth }));
  const line = entry ? lineage(editor.tree.value, entry.id) : [];
  const choose = (id: string | null) => () => {
    editor.selected.value = id;
  };
  return (
    <nav
      ref={bar}
      class="canvas-crumbs"
      aria-label="Where the selection stands"
    >
      <button
        type="button"
        aria-current={entry ? undefined : "true"}
        onClick={choose(null)}
      >
        {editor.templateType === "email" ? "Email" : "Page"}
      </button>
      {line.map(({ id, component }) => (
        <button
          type="button"
          key={id}
          aria-current={id === entry?.id ? "true" : undefined}
          onClick={choose(id)}
        >
          {catalogEntry(component.type).words}
        </button>
      ))}
    </nav>
  );
}
