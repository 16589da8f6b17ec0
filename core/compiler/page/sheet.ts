import { escapeHtml, type Scope } from "../../definition/expressions/index.js";
import { px, type Paper } from "../../definition/page/paper.js";
import type { HeaderProgram, Edges } from "../headers/compile-headers.js";
import { HEADER_STYLE } from "../headers/header-style.js";
import { marginBoxes } from "../headers/margin-boxes.js";
import {
  compileOverlay,
  compileScreenHeader,
  screenHeaderStyle,
} from "../headers/overlay.js";
import { languageAttributes } from "../locale.js";
import type { OverlaySource } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { PAGE_STYLE } from "./page-style.js";
import { testMark, WATERMARK_STYLE } from "./watermark.js";

type Write = (root: Scope, run: Run, paper: Paper) => string;

export interface SheetParts {
  edges: Edges<HeaderProgram>;
  /** Rules of the named styles. */
  styles: string;
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
}

interface SheetContent {
  title: string;
  body: string;
  isTest: boolean;
}

export function layOutSheet(parts: SheetParts, paper: Paper): Sheet {
  const { edges, background, watermark, ...text } = parts;
  const boxes = marginBoxes(edges, text, paper);
  const overlay = boxes ? null : compileOverlay(edges, text, paper);
  const header = compileScreenHeader("header", edges.top.first);
  const footer = compileScreenHeader("footer", edges.bottom.first);
  const { opening, rules } = compileHead(parts, paper);
  // The test mark replaces the watermark of the template because two marks would be unreadable.
  const test = testMark(paper);
  return {
    paper,
    headers: boxes ? "margin-box" : "overlay",
    overlay: (root, run) => overlay?.(root, run) ?? null,
    html: ({ title, body, isTest }, root, run) =>
      `${opening}<title>${escapeHtml(title)}</title>\n<style>\n${rules}` +
      `${background(root, run, paper)}${boxes?.(root, run) ?? ""}${text.styles}</style>\n</head>\n` +
      `<body>\n<div class="sheet">\n${header(root, run)}<main>${body}</main>\n${footer(root, run)}` +
      `${isTest ? test : watermark(root, run, paper)}</div>\n</body>\n</html>\n`,
  };
}

function compileHead({ language }: SheetParts, paper: Paper) {
  const rules = [
    pageRule(paper),
    PAGE_STYLE,
    HEADER_STYLE,
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

function pageRule({ cssSize, margin, scale }: Paper): string {
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  const zoom = scale === 1 ? "" : `\nmain{zoom:${scale}}`;
  return `@page{size:${cssSize};margin:${sides.map(px).join(" ")}}${zoom}`;
}

/** The style of the html output in a browser: a page on a gray background, or a plain page on a phone. */
function screenStyle({ widthPx, heightPx, margin }: Paper): string {
  const padding = [margin.top, margin.right, margin.bottom, margin.left];
  return `@media screen{
html{background:#eceef2}
.sheet{position:relative;width:${px(widthPx)};max-width:100%;min-height:${px(heightPx)};margin:32px auto;padding:${padding.map(px).join(" ")};background:#fff;box-shadow:0 1px 2px #1018281a,0 8px 32px #1018281f}
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
