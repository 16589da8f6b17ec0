import { BAND_STYLE } from "../band/band-style.js";
import { marginBoxes } from "../band/margin-boxes.js";
import { overlayOf } from "../band/overlay.js";
import { screenBand, screenBandStyle } from "../band/screen-bands.js";
import type { BandProgram } from "../band/band-program.js";
import type { Edges } from "../band/edges.js";
import { escapeHtml, type Scope } from "../../definition/expressions/index.js";
import type { OverlaySource } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { px } from "../../definition/page/lengths.js";
import { PAGE_STYLE } from "./page-style.js";
import type { Paper } from "../../definition/page/paper.js";
import { screenStyle } from "./screen-style.js";
import { languageAttributes } from "./text-direction.js";
import { testMark, WATERMARK_STYLE } from "./watermark.js";

type Write = (root: Scope, run: Run, paper: Paper) => string;

export interface SheetParts {
  bands: Edges<BandProgram>;
  /** Rules of the named styles. */
  styles: string;
  background: Write;
  watermark: Write;
  language: string;
}

/** A document's paper with all that is on it whatever the record: made once, and shared by all merges. */
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
  const { bands, background, watermark, ...text } = parts;
  const boxes = marginBoxes(bands, text, paper);
  const overlay = boxes ? null : overlayOf(bands, text, paper);
  const header = screenBand("header", bands.top.first);
  const footer = screenBand("footer", bands.bottom.first);
  const { opening, rules } = headOf(parts, paper);
  // Two marks over each other could not be read: a test's stands in the place of the template's own.
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

function headOf({ language }: SheetParts, paper: Paper) {
  const rules = [
    pageRule(paper),
    PAGE_STYLE,
    BAND_STYLE,
    WATERMARK_STYLE,
    screenStyle(paper),
    screenBandStyle(paper),
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
