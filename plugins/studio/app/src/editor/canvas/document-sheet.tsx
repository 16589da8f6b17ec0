import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef, useEffect, useLayoutEffect } from "preact/hooks";
import type {
  Band,
  Watermark as WatermarkSetup,
  Background,
} from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { enterNew } from "../commands/commands.js";
import { addBand } from "../model/edits.js";
import { type BandName, componentsOf } from "../model/tree.js";
import { useCanvas } from "./canvas-state.js";
import { toCssUrl } from "./print-styles.js";
import { type Paper, toPx } from "./sheet-size.js";
import { EmptyPage, ComponentList } from "./views/component-list.js";
import { toPlainText } from "./views/component-text.js";
import { blockPlace } from "./views/element-props.js";
import { t } from "../../messages/index.js";

/** A document as one tall sheet, with the margins, header and footer of a page. */
export function DocumentSheet() {
  const { editor, shownPaper: paper } = useCanvas();
  const main = useRef<HTMLDivElement>(null);
  const { width, height, top, right, bottom, left } = paper.value;
  const { page, components } = editor.drawn.value;
  const sides = [top, right, bottom, left].map((side) => `${side}px`);
  return (
    <div
      class="sheet on-paper"
      style={{
        width: `${width}px`,
        minHeight: `${height}px`,
        padding: sides.join(" "),
        ...getBackground(page?.background, paper.value),
      }}
    >
      <HeaderFooter edge="header" />
      <div class="d-main" data-list="body" ref={main}>
        {components.length === 0 ? (
          <EmptyPage words={t("canvas.thisPageIsEmpty")} />
        ) : (
          <ComponentList components={components} place={blockPlace} />
        )}
      </div>
      <HeaderFooter edge="footer" />
      <div
        class="margin-guide"
        style={{ inset: sides.join(" ") }}
        aria-hidden="true"
      />
      <PageEnds main={main} />
      <Watermark watermark={page?.watermark} paper={paper.value} />
    </div>
  );
}

type Edge = "header" | "footer";

const FIRST_PAGE_NAMES = {
  header: "firstHeader",
  footer: "firstFooter",
} as const;

/** The header or footer of the shown page, in the page margin, which grows with it. */
function HeaderFooter({ edge }: { edge: Edge }) {
  const canvas = useCanvas();
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { bandHeights } = canvas;
    const measured = element.current;
    if (!measured) return undefined;
    const follow = new ResizeObserver(() => {
      const { offsetHeight } = measured;
      const known = bandHeights.peek();
      if (known[edge] !== offsetHeight)
        bandHeights.value = { ...known, [edge]: offsetHeight };
    });
    follow.observe(measured);
    return () => follow.disconnect();
  }, [canvas, edge]);
  const { editor, page: shown, paper } = canvas;
  const { page = {} } = editor.drawn.value;
  const first = FIRST_PAGE_NAMES[edge];
  const isFirst = shown.value === "first" && page[first] !== undefined;
  const name = isFirst ? first : edge;
  const band = page[name];
  const { top, right, bottom, left } = paper.value;
  const height = edge === "header" ? top : bottom;
  const place = {
    minHeight: `${height}px`,
    left: `${left}px`,
    right: `${right}px`,
  };
  return (
    <div ref={element} class={`band-place at-${edge}`} style={place}>
      {band === undefined ? (
        <AddBandButton edge={edge} />
      ) : (
        <BandContent name={name} band={band} edge={edge} />
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
  return (
    <div class={`d-${edge} d-band`} data-list={name}>
      <ComponentList
        components={componentsOf(band)}
        place={blockPlace}
        hint={
          edge === "header" ? t("canvas.emptyHeader") : t("canvas.emptyFooter")
        }
      />
    </div>
  );
}

/** Adds a missing header or footer. */
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

/** Lines that mark approximately where each page ends. */
function PageEnds({ main }: { main: RefObject<HTMLDivElement | null> }) {
  const { shownPaper: paper, pageCount } = useCanvas();
  const { height, top, bottom } = paper.value;
  const contentHeight = height - top - bottom;
  const ends = useSignal<readonly number[]>([]);
  useEffect(() => {
    const element = main.current;
    if (!element) return undefined;
    const follow = new ResizeObserver(() => {
      const breaks = findPageBreaks(element);
      ends.value = getPageEnds(element, breaks, contentHeight);
      pageCount.value = ends.peek().length + breaks.length + 1;
    });
    follow.observe(element);
    return () => follow.disconnect();
  }, [contentHeight]);
  return (
    <>
      {ends.value.map((at, index) => (
        <div key={index} class="page-end" style={{ top: `${top + at}px` }}>
          <span>{t("canvas.pageNumber", { number: index + 2 })}</span>
        </div>
      ))}
    </>
  );
}

/** The positions of the page breaks, in px from the top of the content. */
function findPageBreaks(main: HTMLElement): number[] {
  const { top, height } = main.getBoundingClientRect();
  const scale = height / main.offsetHeight || 1;
  return [...main.querySelectorAll(".d-page-break")].map(
    (one) => (one.getBoundingClientRect().top - top) / scale,
  );
}

/** Pages are counted from the top and from each page break. */
function getPageEnds(
  main: HTMLElement,
  breaks: readonly number[],
  contentHeight: number,
): number[] {
  // With a header that fills the page, printing fails and there are no pages.
  if (contentHeight <= 0) return [];
  return [0, ...breaks].flatMap((start, index) => {
    const end = breaks[index] ?? main.offsetHeight;
    const count = Math.max(0, Math.ceil((end - start) / contentHeight) - 1);
    return Array.from(
      { length: count },
      (_none, at) => start + (at + 1) * contentHeight,
    );
  });
}

interface WatermarkProps {
  watermark: WatermarkSetup | undefined;
  paper: Paper;
}

/** The watermark of the first page; in print, each page has it. */
function Watermark({ watermark, paper }: WatermarkProps) {
  const { watermark: usual } = useCanvas().editor.design.defaults;
  if (watermark === undefined) return null;
  const own = typeof watermark === "string" ? { text: watermark } : watermark;
  const {
    color = usual.color,
    opacity = usual.opacity,
    angle = usual.angle,
    fontSize,
  } = own;
  const words = toPlainText(own.text);
  const width = paper.width - paper.left - paper.right;
  const height = paper.height - paper.top - paper.bottom;
  if (words === "") return null;
  return (
    <svg
      class="sheet-watermark"
      width={width}
      height={height}
      style={{ top: `${paper.top}px`, left: `${paper.left}px`, opacity }}
      aria-hidden="true"
    >
      <text
        x={width / 2}
        y={height / 2}
        transform={`rotate(${angle} ${width / 2} ${height / 2})`}
        text-anchor="middle"
        dominant-baseline="central"
        font-weight="700"
        font-size={toPx(fontSize) ?? fitFontSize(words, angle, width, height)}
        letter-spacing="0.04em"
        fill={color}
      >
        {words}
      </text>
    </svg>
  );
}

/** The largest size that fits, as in print. */
function fitFontSize(
  words: string,
  angle: number,
  width: number,
  height: number,
): number {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = 0.78 * Math.max(3, words.length);
  return Math.min(
    160,
    width / (length * cos + sin),
    height / (length * sin + cos),
  );
}

/** The page background, without images that depend on the record. */
function getBackground(
  background: Background | undefined,
  { height }: Paper,
): Record<string, string> {
  const { color, image } =
    typeof background === "string"
      ? { color: background, image: undefined }
      : (background ?? {});
  return {
    "background-color": color ?? "#fff",
    ...(image?.startsWith("data:image/") && {
      "background-image": toCssUrl(image),
      "background-size": `100% ${height}px`,
      "background-repeat": "repeat-y",
    }),
  };
}
