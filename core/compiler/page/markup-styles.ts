import { createHash } from "node:crypto";
import { AssetRegistry } from "../../definition/asset-registry.js";
import {
  isHtmlTemplate,
  listMarkups,
  listSheets,
  type MarkupComponent,
} from "../../definition/markup/markup-parts.js";
import type { CssPiece } from "../../definition/markup/style-sheet.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import type { Run } from "../merge-run.js";
import {
  HEADER_STYLE,
  HTML_HEADER_STYLE,
  HTML_STYLE,
  MARKUP_STYLE,
  PAGE_STYLE,
} from "./page-style.js";

/** The style sheets of a document. */
export interface DocumentStyles {
  /** The default style, that of components or a plain one for HTML templates; for headers too. */
  base: string;
  /** The style sheets of markup. Each applies only inside of the markup that it belongs to. */
  markup: string;
  /** `@page` rules, which headers do not have. */
  pageRules: string;
  /** Registers the images that the style sheets show. */
  register: (run: Pick<Run, "assets">) => void;
}

export function compileDocumentStyles(definition: ProjectData): DocumentStyles {
  return compileStyles(listMarkups(definition), isHtmlTemplate(definition));
}

/** @param isHtml whether the document consists of markup only */
export function compileStyles(
  markups: readonly MarkupComponent[],
  isHtml: boolean,
): DocumentStyles {
  const plain = isHtml
    ? [HTML_STYLE, HTML_HEADER_STYLE]
    : [PAGE_STYLE, HEADER_STYLE];
  const base = [...plain, ...(markups.length > 0 ? [MARKUP_STYLE] : [])];
  const sheets = new Set<string>();
  const pageRules = new Set<string>();
  const images = new Set<string>();
  const write = (pieces: readonly CssPiece[]): string => {
    const { css, images: found } = toCss(pieces);
    for (const image of found) images.add(image);
    return css;
  };
  for (const component of markups)
    for (const { sheet } of listSheets(component)) {
      const { rules, globals, rootFontSize } = sheet;
      if (isHtml && rootFontSize !== null)
        sheets.add(`html{font-size:${rootFontSize}}\n`);
      sheets.add(write(globals));
      sheets.add(`@scope (.${getScopeClass(component)}){\n${write(rules)}}\n`);
      pageRules.add(write(sheet.pageRules));
    }
  return {
    base: base.join("\n"),
    markup: [...sheets].join(""),
    pageRules: [...pageRules].join(""),
    register: ({ assets }) => {
      for (const image of images) assets.address(image, "");
    },
  };
}

/** The class of the element that the style sheets of a component apply to; equal sheets share one. */
export function getScopeClass({
  html = "",
  css = "",
}: MarkupComponent): string {
  const own = listSheets({ type: "markup", html }).length > 0 ? html : "";
  const digest = createHash("sha256").update(`${own}\n${css}`).digest("hex");
  return `m-${digest.slice(0, 12)}`;
}

/** Writes CSS with tokens in the places of its images. */
export function toCss(pieces: readonly CssPiece[]): {
  css: string;
  images: string[];
} {
  const images: string[] = [];
  const css = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    images.push(piece.image);
    // The token depends on the image only.
    return `url("${new AssetRegistry().address(piece.image, "") ?? ""}")`;
  });
  return { css: css.join(""), images };
}
