import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DesignFont } from "../../../../core/compiler/views.js";
import type { Style } from "../../../../core/plugin-api/definition.js";
import { local } from "../../api.js";
import { base } from "../../router.js";
import type { Editor } from "../model/editor.js";
import { type CanvasState, isDataDependent } from "./canvas-state.js";

/** Adds the print style sheets while the canvas is mounted: the shared one of documents or emails, then the template's named styles. */
export function usePrintStyles(canvas: CanvasState): void {
  const { editor } = canvas;
  const templateSheet = useMemo(() => new CSSStyleSheet(), []);
  useEffect(() => {
    const page = new CSSStyleSheet();
    const { pageStyle, emailStyle } = editor.design;
    const isEmail = editor.templateType === "email";
    page.replaceSync(scopePrintStyles(isEmail ? emailStyle : pageStyle));
    const ends = [adoptStyleSheet(page), adoptStyleSheet(templateSheet)];
    return () => ends.forEach((end) => end());
  }, [editor, templateSheet]);
  useSignalEffect(() =>
    writeNamedStyles(
      templateSheet,
      canvas.styles.value,
      editor.design.fontAliases,
    ),
  );
}

// The print style sheet is scoped to the sheet, and its class names get a prefix that no rule of the studio has. Styles
// that the studio sets on all elements are reset in the sheet.

const STUDIO_RESET = `
&{letter-spacing:normal;font-feature-settings:normal;-webkit-font-smoothing:auto;text-align:start}
h1,h2,h3{overflow-wrap:inherit}
ul{list-style:disc}ul ul{list-style:circle}ol{list-style:decimal}
img,svg{display:inline}
dd{margin-inline-start:40px}
`;

// Elements of the editor between those of the page do not count as children. Specificities are as in print. `:nth-child`
// comes last and only beside such an element: where it is evaluated, any change of the list restyles all its children.
const PRINTED = ":where(:not(.aside))";
const FIRST_CHILD = `${PRINTED}:is(:first-child,:where(.aside + *):nth-child(1 of ${PRINTED}))`;
const LAST_CHILD = `${PRINTED}:is(:last-child,:where(:has(+ .aside)):nth-last-child(1 of ${PRINTED}))`;

/** In print, groups and blocks have no element, so the first and last component in them are children of the element around. */
const GROUP_STYLE = `
:where(.d-main,.d-header,.d-footer,.d-column,.d-container,td,th,li)>:where(:is(.fragment,.block-frame,.stand-in)${FIRST_CHILD})>${FIRST_CHILD}{margin-top:0}
:where(.d-column,td,th,li)>:where(:is(.fragment,.block-frame,.stand-in)${LAST_CHILD})>${LAST_CHILD}{margin-bottom:0}
thead{break-inside:avoid}
`;

/** Matches only within a selector, in front of its block. */
const IN_SELECTOR = "(?=[^{}]*\\{)";
const CLASS_NAMES = new RegExp(`\\.([a-z][\\w-]*)${IN_SELECTOR}`, "g");
const PART_NAMES = new RegExp(
  `(?<![\\w.-])(main|header|footer)\\b${IN_SELECTOR}`,
  "g",
);

/** @param pageStyle or `emailStyle`, as `EditorDesign` has it. */
function scopePrintStyles(pageStyle: string): string {
  const named = pageStyle
    .replaceAll(/\[class="([\w-]+)"\]/g, '.$1[class="d-$1"]')
    .replaceAll(CLASS_NAMES, ".d-$1")
    .replaceAll(PART_NAMES, ".d-$1")
    .replace(/(^|\})\s*body\{/, "$1&{")
    .replaceAll(/(?<=[\s:])"?Inter"?,/g, `${PRINT_INTER},`)
    .replaceAll("break-after:page", "break-after:column")
    .replaceAll(":first-child", FIRST_CHILD)
    .replaceAll(":last-child", LAST_CHILD);
  // No specificity, as in print, so that any style of a component wins.
  return `:where(.sheet){${STUDIO_RESET}${named}${GROUP_STYLE}}`;
}

/** Adds a constructed style sheet, which the content security policy allows. @returns removes it */
function adoptStyleSheet(sheet: CSSStyleSheet): () => void {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
      (adopted) => adopted !== sheet,
    );
  };
}

/**
 * Writes the named styles to a style sheet, one class each, as in print. Values are set by property, never as CSS text,
 * because a draft can contain anything.
 */
function writeNamedStyles(
  sheet: CSSStyleSheet,
  styles: Readonly<Record<string, Style>>,
  aliases: Readonly<Record<string, string>>,
): void {
  while (sheet.cssRules.length > 0) sheet.deleteRule(0);
  for (const [name, style] of Object.entries(styles)) {
    if (isDataDependent(style)) continue;
    const { length } = sheet.cssRules;
    sheet.insertRule(`:where(.sheet) .c-${CSS.escape(name)}{}`, length);
    const rule = sheet.cssRules[length];
    if (!(rule instanceof CSSStyleRule)) continue;
    for (const [property, value] of Object.entries(style)) {
      if (loadsResource(value)) continue;
      rule.style.setProperty(property, toPageStyle(property, value, aliases));
    }
  }
}

/** The value of a CSS property on the canvas, where a page is a column and fonts have other names. */
export function toPageStyle(
  property: string,
  value: string,
  aliases: Readonly<Record<string, string>>,
): string {
  if (property === "font-family") return toPrintFonts(value, aliases);
  return /^break-(?:before|after)$/.test(property) && value.trim() !== "auto"
    ? toColumnBreak(value.trim())
    : value;
}

function toColumnBreak(value: string): string {
  return value.startsWith("avoid") ? "avoid" : "column";
}

/** The studio's variable Inter, which differs only in its digits, is used until the print font has loaded. */
const PRINT_INTER = '"Inter", "Inter Variable"';

/**
 * Resolves aliases and generic names in a list of font families, as in print.
 * @param aliases as `EditorDesign.fontAliases`
 */
function toPrintFonts(
  families: string,
  aliases: Readonly<Record<string, string>>,
): string {
  return families
    .split(",")
    .map((written) => {
      const name = written.trim().replaceAll(/^["']|["']$/g, "");
      const meant = Object.hasOwn(aliases, name) ? aliases[name] : name;
      if (meant === "Inter") return PRINT_INTER;
      return meant === name ? written.trim() : `"${meant}"`;
    })
    .join(", ");
}

/** The browser loads only the fonts that the template uses. */
export function usePrintFonts({ design }: Editor): void {
  useEffect(() => {
    const faces = design.fonts.map(createFontFace);
    for (const face of faces) document.fonts.add(face);
    return () => faces.forEach((face) => document.fonts.delete(face));
  }, [design]);
}

function createFontFace({
  family,
  weight,
  style,
  source,
}: DesignFont): FontFace {
  const address =
    "file" in source
      ? `${base}api/fonts/${encodeURIComponent(source.file)}`
      : local(source.url);
  return new FontFace(family, `url("${address}")`, {
    weight,
    style,
    display: "swap",
  });
}

/** Whether a CSS value would load a resource. The checker rejects such values, but a draft can contain them. */
export function loadsResource(css: string): boolean {
  return /url\(|image-set\(|src\(/i.test(css);
}

export function toCssUrl(address: string): string {
  const escaped = address.replaceAll(
    /["\\\n\r\f]/g,
    (letter) => `\\${letter.codePointAt(0)?.toString(16)} `,
  );
  return `url("${escaped}")`;
}
