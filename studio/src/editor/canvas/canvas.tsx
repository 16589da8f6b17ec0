import { Select } from "../../ui/select.js";
import { listSamples } from "../fields/make-sample.js";
import "./canvas.css";
import "./sheet.css";
import "./overlay.css";
import "./email.css";
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { lineage } from "../model/tree.js";
import { TextBar } from "../text/text-bar.js";
import {
  CanvasProvider,
  CanvasState,
  useCanvas,
  useZooming,
} from "./canvas-state.js";
import { DocumentSheet } from "./document-sheet.js";
import { EmailLines, EmailSheet } from "./views/email-views.js";
import { usePrintFonts, usePrintStyles } from "./print-styles.js";
import { SampleProblems } from "./sample-problems.js";
import { SheetOverlay } from "./sheet-overlay.js";
import { useMarks, usePointer, useReveal } from "./use-selection.js";
import { DrawProvider } from "./views/component-list.js";
import { ComponentView } from "./views/component-view.js";
import { locale, t } from "../../messages/index.js";

/** Shows the template as it prints, and edits it. */
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
      <TextBar />
      <section
        class="canvas"
        ref={scroller}
        aria-label={t("common.page")}
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
  // A layout effect, so that the first frame already has the right size.
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
  children: [sheet: VNode, overlay: ComponentChildren];
}

/**
 * Takes the size of the scaled sheet. The sheet itself is laid out at its true size and then scaled, so that lines break
 * at any zoom where they do in print.
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
      {...(scale < SHORT_NOTES_BELOW && { "data-short-notes": true })}
    >
      <div class="scaled" ref={scaled} style={{ scale: `${scale}` }}>
        {sheet}
      </div>
      {overlay}
    </div>
  );
}

/** Below this scale, the signs of lines that follow each other have room for one line of words. */
const SHORT_NOTES_BELOW = 0.8;

const variables = [
  ["fields", t("common.fields")],
  ["values", t("common.values")],
] as const;
const widths = [
  ["wide", t("common.desktop")],
  ["phone", t("common.phone")],
] as const;

function CanvasFoot() {
  const canvas = useCanvas();
  return (
    <div class="canvas-foot">
      <Breadcrumb />
      <SampleProblems />
      <SampleChoice />
      {canvas.editor.templateType === "email" && (
        <Choices
          legend={t("canvas.emailWidth")}
          options={widths}
          value={canvas.isPhone.value ? "phone" : "wide"}
          onChoose={(chosen) => {
            canvas.isPhone.value = chosen === "phone";
          }}
        />
      )}
      <ValueChoice />
      <ZoomButtons />
    </div>
  );
}

/** Chooses the sample that the page, the preview and the checks show. */
function SampleChoice() {
  const { editor } = useCanvas();
  return (
    <span class="sample-choice wide-only">
      <Select
        label={t("fields.shownSample")}
        value={editor.sampleName.value ?? ""}
        options={listSamples(editor.drawn.value)}
        none={t("fields.mainSample")}
        onChange={(name) => {
          editor.sampleName.value = name ?? null;
        }}
      />
    </span>
  );
}

/** Shows variables as their names or as values of the sample. */
function ValueChoice() {
  const { editor } = useCanvas();
  return (
    <Choices
      legend={t("canvas.showFieldsAs")}
      options={variables}
      value={editor.showsValues.value ? "values" : "fields"}
      onChoose={(chosen) => {
        editor.showsValues.value = chosen === "values";
      }}
    />
  );
}

const percentFormat = new Intl.NumberFormat(locale, { style: "percent" });

function ZoomButtons() {
  const { zoom } = useCanvas();
  const percent = percentFormat.format(zoom.scale.value);
  return (
    <div class="zoom" role="group" aria-label={t("canvas.zoom")}>
      <button
        type="button"
        aria-label={t("canvas.zoomOut")}
        onClick={() => zoom.step(-1)}
      >
        <Icon name="minus" size={16} />
      </button>
      <button
        type="button"
        class="zoom-now"
        title={t("canvas.fitToWidth")}
        aria-label={t("canvas.percentFitToWidth", { percent })}
        aria-pressed={zoom.choice.value === "fit"}
        onClick={() => zoom.toggleFit()}
      >
        {percent}
      </button>
      <button
        type="button"
        aria-label={t("canvas.zoomIn")}
        onClick={() => zoom.step(1)}
      >
        <Icon name="plus" size={16} />
      </button>
    </div>
  );
}

function Breadcrumb() {
  const { editor } = useCanvas();
  const entry = editor.selectedEntry.value;
  const bar = useRef<HTMLElement>(null);
  // The end of a long path is the most important part.
  useEffect(() => bar.current?.scrollTo({ left: bar.current.scrollWidth }));
  const line = entry ? lineage(editor.drawnTree.value, entry.id) : [];
  const choose = (id: string | null) => () => {
    editor.selected.value = id;
  };
  return (
    <nav ref={bar} class="canvas-crumbs" aria-label={t("canvas.breadcrumb")}>
      <button
        type="button"
        aria-current={entry ? undefined : "true"}
        onClick={choose(null)}
      >
        {editor.templateType === "email" ? t("common.email") : t("common.page")}
      </button>
      {line.map(({ id, component }) => (
        <button
          type="button"
          key={id}
          aria-current={id === entry?.id ? "true" : undefined}
          onClick={choose(id)}
        >
          {getCatalogEntry(component.type).words}
        </button>
      ))}
    </nav>
  );
}
