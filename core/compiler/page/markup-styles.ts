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
  type StyleRules,
} from "./page-style.js";
import { NamedStyles } from "../styles.js";

export interface DocumentStyles {
  /** The rules that a document, header or footer with this source needs. Each header has a copy of its own. */
  rulesFor: (source: string) => StyleRules;
  /** `@page` rules, which headers do not have. */
  pageRules: string;
  /** Registers the images that the style sheets show. */
  register: (run: Pick<Run, "assets">) => void;
}

export function compileDocumentStyles(definition: ProjectData): DocumentStyles {
  const named = new NamedStyles(definition.styles);
  const isHtml = isHtmlTemplate(definition);
  return compileStyles(listMarkups(definition), isHtml, named);
}

/** @param isHtml whether the document consists of markup only */
export function compileStyles(
  markups: readonly MarkupComponent[],
  isHtml: boolean,
  named = new NamedStyles(),
): DocumentStyles {
  const plain = isHtml
    ? [HTML_STYLE, HTML_HEADER_STYLE]
    : [PAGE_STYLE, HEADER_STYLE];
  const base = [...plain, ...(markups.length > 0 ? [MARKUP_STYLE] : [])];
  const sheets = new Set<string>();
  const pageRules = new Set<string>();
  const images = new Set<string>();
  const write = (pieces: readonly CssPiece[]): string => {
    const { css, images: usedImages } = toCss(pieces);
    for (const image of usedImages) images.add(image);
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
  const all = {
    base: base.join("\n"),
    styles: named.css + [...sheets].join(""),
  };
  return {
    // The elements and classes of markup are only known when it is merged.
    rulesFor: (source) => (markups.length > 0 ? all : usedRules(all, source)),
    pageRules: [...pageRules].join(""),
    register: ({ assets }) => {
      for (const image of images) assets.address(image, "");
    },
  };
}

/** The elements and classes that every document has around its components. */
const FRAME = ["*", "html", "body", "main", "header", "footer", ".band"];
/** An element of this class may contain any other element, but none with a class. */
const MARKDOWN = ".markdown";

/** Leaves out the rules that apply to no element of a source. */
function usedRules({ base, styles }: StyleRules, source: string): StyleRules {
  const names = new Set(FRAME);
  for (const [, element = ""] of source.matchAll(/<([a-z]\w*)/g))
    names.add(element);
  for (const [, list = ""] of source.matchAll(/ class="([^"]*)"/g))
    for (const name of list.split(" ")) names.add(`.${name}`);
  const isAny = names.has(MARKDOWN);
  const isUsed = (name: string) =>
    names.has(name) || (isAny && !name.startsWith("."));
  const select = (css: string) =>
    css
      .split(/(?<=\})\n/)
      .filter((rule) =>
        getAlternatives(rule).some(({ all, some }) =>
          all.length > 0 ? all.every(isUsed) : some.some(isUsed),
        ),
      )
      .join("\n");
  return { base: select(base), styles: select(styles) };
}

/** The elements and classes that a rule needs: all of those outside of parentheses, else some of those inside. */
function getAlternatives(rule: string): { all: string[]; some: string[] }[] {
  const selector = rule.slice(0, rule.indexOf("{"));
  const bare = selector.replace(/\[[^\]]*\]|::?[a-z-]+/g, "");
  return bare.split(/,(?![^(]*\))/).map((alternative) => ({
    all: findNames(alternative.replace(/\(.*\)/, "")),
    some: findNames(alternative),
  }));
}

function findNames(text: string): string[] {
  return text.match(/\.?[a-z][\w-]*|\*/gi) ?? [];
}

/** The class of the element that the style sheets of a component apply to; equal sheets share one. */
export function getScopeClass({
  html = "",
  css = "",
}: MarkupComponent): string {
  const styledHtml =
    listSheets({ type: "markup", html }).length > 0 ? html : "";
  const digest = createHash("sha256")
    .update(`${styledHtml}\n${css}`)
    .digest("hex");
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
