import {
  compileText,
  type Scope,
  type ScopeTypes,
  escapeHtml,
} from "../../definition/expressions/index.js";
import { placeholder } from "../../definition/asset-registry.js";
import type { Background } from "../../definition/schema/output-schema.js";
import type { Run } from "../merge/run.js";
import { percentEncoded } from "../escape.js";
import { px, type Paper } from "../../definition/page/paper.js";

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
        `${color ?? ""} var(--paper) ${onSheet(paper)}`,
        `${color ?? "#fff"} var(--paper) top/100% ${px(paper.heightPx)} repeat-y`,
      )
    );
  };
}

function backgroundRules(paper: string, screen: string): string {
  return `@page{background:${paper}}\n@media screen{.sheet{background:${screen}}}\n`;
}

/** CSS positions a page background relative to the content area. */
function onSheet({ widthPx, heightPx, margin }: Paper): string {
  return `${px(-margin.left)} ${px(-margin.top)}/${px(widthPx)} ${px(heightPx)} no-repeat`;
}

/** Wraps the image in an SVG of the page size, which fits it to the whole paper. */
function sheetImage(address: string, fit: string, paper: Paper): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(paper.widthPx)}" height="${px(paper.heightPx)}">` +
    `<image href="${escapeHtml(address)}" width="100%" height="100%" preserveAspectRatio="${fit}"/></svg>`;
  return `url("data:image/svg+xml;charset=utf-8,${percentEncoded(svg)}")`;
}
