import { toPx } from "../../../../core/definition/page/layout.js";
import {
  DEFAULT_WATERMARK,
  fitWatermark,
  getBodySize,
  type Paper as PaperSize,
} from "../../../../core/definition/page/paper.js";
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type {
  Band,
  PageSetup,
  Watermark as WatermarkSetup,
  Background,
} from "../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { enterNew } from "../commands/page-commands.js";
import { addBand } from "../model/edits.js";
import { sameJson } from "../model/same-json.js";
import { type BandName, componentsOf } from "../model/tree.js";
import { SampleScopeProvider, useSampleScope } from "../scope/sample-scope.js";
import { useAfterRender } from "./boxes.js";
import { type CanvasState, useCanvas } from "./canvas-state.js";
import { toCssUrl } from "./print-styles.js";
import {
  getPageEnds,
  layOutOneSheet,
  layOutPages,
  type PageLayout,
} from "./sheet-size.js";
import { EmptyPage, ComponentList } from "./views/component-list.js";
import { toPlainText } from "./views/component-text.js";
import { blockPlace } from "./views/element-props.js";
import { t } from "../../messages/index.js";

/** Whether the browser can lay out columns below each other. */
const hasPages = CSS.supports("column-wrap", "wrap");

/**
 * A document as its pages. The browser breaks the body into pages as it does in print: they are columns of the height of
 * a page's body. Headers and footers are drawn around them. Where the browser cannot do this, the document is one tall
 * sheet, with lines about where pages end.
 */
export function DocumentSheet() {
  const canvas = useCanvas();
  const flow = useRef<HTMLDivElement>(null);
  const { editor, hasOwnFirstPage, pageCount, shownPaper } = canvas;
  const paper = shownPaper.value;
  const { contentHeight, ends } = usePages(canvas, flow, paper);
  const layout = useMemo(
    () =>
      hasPages ? layOutPages(paper) : layOutOneSheet(paper, contentHeight),
    [paper, contentHeight],
  );
  const { components } = editor.drawn.value;
  const page = canvas.page.value;
  // The headers and footers of other pages can be edited although there is only one page.
  const count = Math.max(
    hasPages ? pageCount.value : 1,
    hasOwnFirstPage.value ? 2 : 1,
  );
  const height = layout.top(count - 1) + layout.height(count - 1);
  // Not drawn again for each change of the body: there may be a hundred pages.
  const { papers, first, others } = useMemo(() => {
    const indexes = Array.from({ length: count }, (_none, index) => index);
    const drawBand = (edge: Edge) => (index: number) => (
      <HeaderFooter
        key={`${edge}${index}`}
        edge={edge}
        index={index}
        layout={layout}
      />
    );
    return {
      papers: indexes.map((index) => (
        <Paper
          key={index}
          index={index}
          page={page}
          paper={paper}
          layout={layout}
        />
      )),
      first: { header: drawBand("header")(0), footer: drawBand("footer")(0) },
      others: [
        ...indexes.slice(1).map(drawBand("header")),
        ...indexes.slice(1).map(drawBand("footer")),
      ],
    };
  }, [count, page, paper, layout]);
  return (
    <div
      class={hasPages ? "sheet on-paper" : "sheet on-paper is-one-sheet"}
      style={{ width: `${paper.widthPx}px`, height: `${height}px` }}
    >
      {papers}
      {first.header}
      <div class="page-flow" ref={flow} style={toFlowStyle(layout)}>
        <div style={toStartStyle(layout)} />
        <div class="d-main" data-list="body">
          {components.length === 0 ? (
            <EmptyPage words={t("canvas.thisPageIsEmpty")} />
          ) : (
            <ComponentList components={components} place={blockPlace} />
          )}
        </div>
      </div>
      {first.footer}
      {others}
      {ends.map((at, index) => (
        <div
          key={index}
          class="page-end"
          style={{ top: `${layout.flow.top + at}px` }}
        >
          <span class="page-number-note">
            {t("canvas.pageNumber", { number: index + 1 })}
          </span>
        </div>
      ))}
    </div>
  );
}

function toFlowStyle({ flow }: PageLayout): Record<string, string> {
  const { left, top, width, height, gap } = flow;
  const place = { left: `${left}px`, top: `${top}px`, width: `${width}px` };
  if (!hasPages) return place;
  return {
    ...place,
    "column-width": `${width}px`,
    "column-height": `${height}px`,
    "column-wrap": "wrap",
    "column-gap": "0",
    "row-gap": `${gap}px`,
  };
}

/** A negative margin moves the content of the first page up, above its column. */
function toStartStyle({ flow: { start } }: PageLayout): Record<string, string> {
  return start < 0 ? { "margin-top": `${start}px` } : { height: `${start}px` };
}

interface OneSheet {
  /** In CSS px. */
  contentHeight: number;
  /** Where pages end, in CSS px from the top of the content. */
  ends: readonly number[];
}

/** Counts the pages after each change that can move something; without pages, measures the sheet instead. */
function usePages(
  { editor, opened, pageCount }: CanvasState,
  flow: RefObject<HTMLDivElement | null>,
  paper: PaperSize,
): OneSheet {
  const sheet = useSignal<OneSheet>({ contentHeight: 0, ends: [] });
  const measure = () => {
    const element = flow.current;
    if (!element) return;
    const { offsetHeight } = element;
    if (hasPages) {
      const { height, gap } = layOutPages(paper).flow;
      const count = Math.round((offsetHeight + gap) / (height + gap));
      pageCount.value = Math.max(1, count);
      return;
    }
    const ends = getPageEnds(paper, offsetHeight, findPageBreaks(element));
    const next = { contentHeight: offsetHeight, ends };
    if (!sameJson(next, sheet.peek())) sheet.value = next;
    pageCount.value = ends.length + 1;
  };
  useLayoutEffect(() => {
    const element = flow.current;
    if (!element) return undefined;
    measure();
    const follow = new ResizeObserver(measure);
    follow.observe(element);
    return () => follow.disconnect();
  }, [paper]);
  useAfterRender(
    () => {
      // A page break can move within content that keeps its height.
      void editor.drawn.value;
      void editor.facts.value;
      void editor.showsValues.value;
      void opened.value;
    },
    () => {
      measure();
      return undefined;
    },
  );
  return sheet.value;
}

/** The middles of the page breaks, in CSS px from the top of the content. */
function findPageBreaks(flow: HTMLElement): number[] {
  const { top, height } = flow.getBoundingClientRect();
  const scale = height / flow.offsetHeight || 1;
  return [...flow.querySelectorAll(".d-page-break")].map((pageBreak) => {
    const box = pageBreak.getBoundingClientRect();
    return (box.top + box.height / 2 - top) / scale;
  });
}

interface PaperProps {
  /** Of the page, from 0. */
  index: number;
  page: PageSetup;
  paper: PaperSize;
  layout: PageLayout;
}

function Paper({ index, page, paper, layout }: PaperProps) {
  const { pageCount } = useCanvas();
  const { top, right, bottom, left } =
    index === 0 ? paper.firstMargin : paper.margin;
  const isBeyond = index >= (hasPages ? pageCount.value : 1);
  const number = hasPages ? index + 1 : pageCount.value;
  return (
    <div
      class={isBeyond ? "page-sheet is-beyond" : "page-sheet"}
      style={{
        top: `${layout.top(index)}px`,
        width: `${paper.widthPx}px`,
        height: `${layout.height(index)}px`,
        ...getBackground(page.background, paper),
      }}
    >
      <div
        class="margin-guide"
        style={{
          inset: [top, right, bottom, left]
            .map((side) => `${side}px`)
            .join(" "),
        }}
        aria-hidden="true"
      />
      <span class="page-number-note">
        {isBeyond ? t("canvas.otherPages") : t("canvas.pageNumber", { number })}
      </span>
      <Watermark watermark={page.watermark} paper={paper} />
    </div>
  );
}

type Edge = "header" | "footer";

const FIRST_PAGE_NAMES = {
  header: "firstHeader",
  footer: "firstFooter",
} as const;

interface HeaderFooterProps {
  edge: Edge;
  /** Of the page, from 0. */
  index: number;
  layout: PageLayout;
}

/** The header or footer of a page, in the page margin, which grows with it. */
function HeaderFooter({ edge, index, layout }: HeaderFooterProps) {
  const canvas = useCanvas();
  const element = useRef<HTMLDivElement>(null);
  const { paper, hasOwnFirstPage, bandHeights } = canvas;
  const page = canvas.page.value;
  const pages = Math.max(canvas.pageCount.value, index + 1);
  const ownName = FIRST_PAGE_NAMES[edge];
  const hasOwn = page[ownName] !== undefined;
  const name = index === 0 && hasOwn ? ownName : edge;
  const isCopy = index > (name === edge && hasOwn ? 1 : 0);
  const isMeasured = index === 0 || (index === 1 && hasOwnFirstPage.value);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured || !isMeasured) return undefined;
    const heights = bandHeights[edge];
    const pageKind = index === 0 ? "first" : "other";
    const follow = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      const previous = heights.peek();
      if (previous[pageKind] !== height)
        heights.value = { ...previous, [pageKind]: height };
    });
    follow.observe(measured);
    return () => follow.disconnect();
  }, [bandHeights, edge, index, isMeasured]);
  const scope = useMemo(
    () => ({ row: null, isCopy, page: index + 1, pages }),
    [isCopy, index, pages],
  );
  const band = page[name];
  const { margin, contentPx } = paper.value;
  const pageTop = layout.top(index);
  if (band === undefined && isCopy) return null;
  const place = {
    left: `${margin.left}px`,
    width: `${contentPx}px`,
    ...(edge === "header"
      ? { top: `${pageTop}px`, "min-height": `${margin.top}px` }
      : {
          // From its bottom, since it may be taller than the margin.
          top: `${pageTop + layout.height(index)}px`,
          translate: "0 -100%",
          "min-height": `${margin.bottom}px`,
        }),
  };
  return (
    <div
      ref={element}
      class={`band-place at-${edge}`}
      style={place}
      aria-hidden={isCopy}
    >
      {band === undefined ? (
        <AddBandButton edge={edge} />
      ) : (
        <SampleScopeProvider value={scope}>
          <BandContent name={name} band={band} edge={edge} />
        </SampleScopeProvider>
      )}
    </div>
  );
}

interface DrawnBandProps {
  name: BandName;
  band: Band;
  edge: Edge;
}

function BandContent({ name, band, edge }: DrawnBandProps) {
  const { isCopy } = useSampleScope();
  const components = componentsOf(band);
  if (isCopy && components.length === 0) return null;
  return (
    <div class={`d-${edge} d-band`} {...(!isCopy && { "data-list": name })}>
      <ComponentList
        components={components}
        place={blockPlace}
        hint={
          edge === "header" ? t("canvas.emptyHeader") : t("canvas.emptyFooter")
        }
      />
    </div>
  );
}

function AddBandButton({ edge }: { edge: Edge }) {
  const { editor } = useCanvas();
  if (!editor.mayEdit) return null;
  return (
    <button
      type="button"
      class="add-band"
      // Not in the tab order: keyboard users add headers and footers in the outline or the page properties.
      tabIndex={-1}
      onClick={() => {
        addBand(editor, edge);
        enterNew(editor);
      }}
    >
      <Icon name="plus" size={14} />
      {edge === "header" ? t("canvas.addHeader") : t("canvas.addFooter")}
    </button>
  );
}

interface WatermarkProps {
  watermark: WatermarkSetup | undefined;
  paper: PaperSize;
}

function Watermark({ watermark, paper }: WatermarkProps) {
  if (watermark === undefined) return null;
  const setup = typeof watermark === "string" ? { text: watermark } : watermark;
  const {
    color = DEFAULT_WATERMARK.color,
    opacity = DEFAULT_WATERMARK.opacity,
    angle = DEFAULT_WATERMARK.angle,
    fontSize,
  } = setup;
  const words = toPlainText(setup.text);
  const { margin } = paper;
  const { widthPx: width, heightPx: height } = getBodySize(paper);
  if (words === "") return null;
  return (
    <svg
      class="sheet-watermark"
      width={width}
      height={height}
      style={{ top: `${margin.top}px`, left: `${margin.left}px`, opacity }}
      aria-hidden="true"
    >
      <text
        x={width / 2}
        y={height / 2}
        transform={`rotate(${angle} ${width / 2} ${height / 2})`}
        text-anchor="middle"
        dominant-baseline="central"
        font-weight="700"
        font-size={toPx(fontSize) ?? fitWatermark(words, angle, paper)}
        letter-spacing="0.04em"
        fill={color}
      >
        {words}
      </text>
    </svg>
  );
}

/** The page background, without images that depend on the record. */
function getBackground(
  background: Background | undefined,
  { heightPx }: PaperSize,
): Record<string, string> {
  const { color, image } =
    typeof background === "string"
      ? { color: background, image: undefined }
      : (background ?? {});
  return {
    "background-color": color ?? "#fff",
    ...(image?.startsWith("data:image/") && {
      "background-image": toCssUrl(image),
      "background-size": `100% ${heightPx}px`,
      "background-repeat": "repeat-y",
    }),
  };
}
