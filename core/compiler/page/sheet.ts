import { placeholder } from "../../definition/asset-registry.js";
import {
  escapeHtml,
  type Scope,
  compileText,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { toPx } from "../../definition/page/layout.js";
import {
  DEFAULT_WATERMARK,
  fitWatermark,
  getBodySize,
  type Paper,
  px,
  type Sides,
} from "../../definition/page/paper.js";
import type {
  Background,
  Watermark,
} from "../../definition/schema/output-schema.js";
import { escapeXml } from "../../lib/escape-xml.js";
import { percentEncoded, cssUrl, languageAttributes } from "../markup.js";
import type { HeaderProgram } from "../headers/compile-headers.js";
import { type Edges, listPrograms } from "../headers/edges.js";
import {
  findSlots,
  fitHeaders,
  compileHiddenHeaders,
  marginBoxes,
  compileOverlay,
  compileScreenHeader,
  growingHeaderStyle,
  screenHeaderStyle,
} from "../headers/margin-boxes.js";
import type {
  MergedDocument,
  OverlaySource,
  RunningHeaders,
} from "../program.js";
import type { Run } from "../merge-run.js";
import { FONT_STACK, type StyleRules } from "./page-style.js";

type Write = (root: Scope, run: Run, paper: Paper) => string;

export interface SheetParts extends StyleRules {
  edges: Edges<HeaderProgram>;
  /** `@page` rules of markup. */
  pageRules: string;
  background: Write;
  watermark: Write;
  language: string;
}

/** A page with everything on it that does not depend on the record; computed once and shared by all merges. */
export interface Sheet {
  paper: Paper;
  headers: "margin-box" | "overlay";
  /** The complete html of one record. */
  html(content: SheetContent, root: Scope, run: Run): string;
  overlay(root: Scope, run: Run): OverlaySource | null;
  /** Null without headers and footers. */
  runningHeaders(root: Scope, run: Run): RunningHeaders | null;
}

export function getPage(paper: Paper): MergedDocument["page"] {
  const { widthPx, heightPx, margin, firstMargin } = paper;
  const ownMargin = firstMargin === margin ? {} : { firstMargin };
  return { widthPx, heightPx, margin, ...ownMargin };
}

interface SheetContent {
  title: string;
  body: string;
  isTest: boolean;
}

export function layOutSheet(parts: SheetParts, paper: Paper): Sheet {
  const { edges, background, watermark, ...text } = parts;
  const boxes = marginBoxes(edges, text.language, paper);
  const overlay = boxes ? null : compileOverlay(edges, text, paper);
  const header = compileScreenHeader("header", edges.top.first);
  const footer = compileScreenHeader("footer", edges.bottom.first);
  const hidden = compileHiddenHeaders(edges);
  const running =
    listPrograms(edges).length === 0
      ? null
      : {
          widthPx: paper.contentPx,
          screenStyle: growingHeaderStyle(paper),
          paper,
          slots: findSlots(edges),
        };
  const { opening, rules } = compileHead(parts, paper);
  // The test mark replaces the watermark of the template because two marks would be unreadable.
  const test = testMark(paper);
  return {
    paper,
    headers: boxes ? "margin-box" : "overlay",
    overlay: (root, run) => overlay?.(root, run) ?? null,
    runningHeaders: (root, run) =>
      running && { ...running, html: hidden(root, run) },
    html: ({ title, body, isTest }, root, run) =>
      `${opening}<title>${escapeHtml(title)}</title>\n<style>\n${rules}` +
      `${background(root, run, paper)}${boxes?.(root, run) ?? ""}${text.styles}${parts.pageRules}</style>\n</head>\n` +
      `<body>\n<div class="sheet">\n${header(root, run)}<main>${body}</main>\n${footer(root, run)}` +
      `${isTest ? test : watermark(root, run, paper)}</div>\n</body>\n</html>\n`,
  };
}

function compileHead({ language, base }: SheetParts, paper: Paper) {
  const rules = [
    pageRule(paper),
    base,
    WATERMARK_STYLE,
    screenStyle(paper),
    screenHeaderStyle(paper),
  ];
  return {
    opening:
      `<!doctype html>\n<html ${languageAttributes(language)}>\n<head>\n` +
      '<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width, initial-scale=1"/>\n',
    rules: `${rules.join("\n")}\n`,
  };
}

/** The page with margins that are large enough for headers and footers of these heights. */
export function fitSheet(
  parts: SheetParts,
  sheet: Sheet,
  heights: readonly number[],
): Sheet {
  const { paper } = sheet;
  const fitted = fitHeaders({ paper, slots: findSlots(parts.edges) }, heights);
  return fitted === null ? sheet : layOutSheet(parts, fitted);
}

function pageRule({ cssSize, margin, firstMargin, scale }: Paper): string {
  const zoom = scale === 1 ? "" : `\nmain{zoom:${scale}}`;
  const first =
    firstMargin === margin
      ? ""
      : `\n@page :first{margin:${sides(firstMargin)}}`;
  return `@page{size:${cssSize};margin:${sides(margin)}}${first}${zoom}`;
}

function sides({ top, right, bottom, left }: Sides): string {
  return [top, right, bottom, left].map(px).join(" ");
}

/** The style of the html output in a browser: a page on a gray background, or a plain page on a phone. */
function screenStyle({ widthPx, heightPx, margin }: Paper): string {
  return `@media screen{
html{background:#eceef2}
.sheet{position:relative;width:${px(widthPx)};max-width:100%;min-height:${px(heightPx)};margin:32px auto;padding:${sides(margin)};background:#fff;box-shadow:0 1px 2px #1018281a,0 8px 32px #1018281f}
.page-break{height:0;margin:${px(margin.bottom)} calc(-1*${px(margin.right)}) ${px(margin.top)} calc(-1*${px(margin.left)});border-top:10px solid #eceef2}
}
@media screen and (max-width:${px(widthPx)}){
.sheet{margin:0;padding:24px 18px;box-shadow:none;min-height:100vh}
.page-break{margin:24px -18px}
main{overflow-x:auto}
}
@media screen and (max-width:520px){
.columns{flex-wrap:wrap}
.column:not(.fixed){flex:1 1 140px!important}
}`;
}

const FITS = {
  fill: "none",
  cover: "xMidYMid slice",
  contain: "xMidYMid meet",
} as const;

/** Compiles the rules for the background of every page, including margins; they are empty when a template has none. */
export function compileBackground(
  background: Background = {},
  types: ScopeTypes,
): (root: Scope, run: Run, paper: Paper) => string {
  const { color, image, fit } =
    typeof background === "string"
      ? { color: background, image: undefined, fit: undefined }
      : background;
  if (image === undefined)
    return () => (color === undefined ? "" : backgroundRules(color, color));
  const source = compileText(image, "$.page.background.image", types);
  return (root, run, paper) => {
    const src = source(root, "plain");
    const address = run.assets.address(src, "Background") ?? placeholder("");
    const picture = sheetImage(address, FITS[fit ?? "cover"], paper);
    return (
      `:root{--paper:${picture}}\n` +
      backgroundRules(
        `${color ?? ""} var(--paper) ${onSheet(paper, paper.margin)}`,
        `${color ?? "#fff"} var(--paper) top/100% ${px(paper.heightPx)} repeat-y`,
      ) +
      (paper.firstMargin === paper.margin
        ? ""
        : `@page :first{background:${color ?? ""} var(--paper) ${onSheet(paper, paper.firstMargin)}}\n`)
    );
  };
}

function backgroundRules(paper: string, screen: string): string {
  return `@page{background:${paper}}\n@media screen{.sheet{background:${screen}}}\n`;
}

/** CSS positions a page background relative to the content area. */
function onSheet({ widthPx, heightPx }: Paper, margin: Sides): string {
  return `${px(-margin.left)} ${px(-margin.top)}/${px(widthPx)} ${px(heightPx)} no-repeat`;
}

/** Wraps the image in an SVG of the page size, which fits it to the whole paper. */
function sheetImage(address: string, fit: string, paper: Paper): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(paper.widthPx)}" height="${px(paper.heightPx)}">` +
    `<image href="${escapeHtml(address)}" width="100%" height="100%" preserveAspectRatio="${fit}"/></svg>`;
  return `url("data:image/svg+xml;charset=utf-8,${percentEncoded(svg)}")`;
}

/** Above the content of every page: fixed boxes are repeated on each page at no cost. */
export const WATERMARK_STYLE = `
.watermark{position:fixed;inset:0;z-index:9;pointer-events:none;background:center/contain no-repeat}
@media screen{.watermark{position:absolute;background-repeat:repeat-y}}
`.trim();

/** Empty when there is no watermark or its text is empty. */
export function compileWatermark(
  watermark: Watermark | undefined,
  types: ScopeTypes,
): (root: Scope, run: Run, paper: Paper) => string {
  if (watermark === undefined) return () => "";
  const settings =
    typeof watermark === "string" ? { text: watermark } : watermark;
  const text = compileText(settings.text ?? "", "$.page.watermark", types);
  const image = compileText(
    settings.image ?? "",
    "$.page.watermark.image",
    types,
  );
  const {
    opacity = DEFAULT_WATERMARK.opacity,
    color = DEFAULT_WATERMARK.color,
    angle = DEFAULT_WATERMARK.angle,
    fontSize,
  } = settings;
  return (root, run, paper) => {
    const source = image(root, "plain");
    const address = source && run.assets.address(source, "Watermark");
    const picture = address ? markElement(cssUrl(address), opacity) : "";
    const words = run.guardText(text(root, "plain").trim());
    const size = fontSize === undefined ? undefined : toPx(fontSize);
    const ink = {
      color,
      angle,
      size: size ?? fitWatermark(words, angle, paper),
    };
    return (
      picture + (words && markElement(textImage(words, ink, paper), opacity))
    );
  };
}

/** The mark on every page of a test document; the content below stays readable. */
export function testMark(paper: Paper): string {
  const size = Math.min(paper.contentPx * 0.36, paper.heightPx * 0.36);
  const ink = { color: "#dc2626", angle: -35, size };
  return markElement(textImage("TEST", ink, paper), 0.2);
}

interface Ink {
  color: string;
  /** Degrees, clockwise. */
  angle: number;
  /** CSS px. */
  size: number;
}

function markElement(image: string, opacity: number): string {
  const style = `background-image:${image};opacity:${opacity}`;
  return `<div class="watermark" aria-hidden="true" style="${escapeHtml(style)}"></div>\n`;
}

function textImage(words: string, ink: Ink, paper: Paper): string {
  const { widthPx: width, heightPx: height } = getBodySize(paper);
  const [x, y] = [width / 2, height / 2];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}">` +
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" transform="rotate(${ink.angle} ${x.toFixed(1)} ${y.toFixed(1)})" ` +
    `text-anchor="middle" dominant-baseline="central" font-family="${escapeHtml(FONT_STACK)}" font-weight="700" ` +
    `font-size="${px(ink.size)}" letter-spacing="0.04em" fill="${ink.color}">${escapeXml(words)}</text></svg>`;
  return cssUrl(`data:image/svg+xml,${encodeURIComponent(svg)}`);
}
