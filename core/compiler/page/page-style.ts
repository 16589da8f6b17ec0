import { escapeHtml } from "../../definition/expressions/index.js";
import { px } from "../../definition/page/paper.js";
import { percentEncoded, languageAttributes } from "../markup.js";
import type { Declarations } from "../styles.js";

export interface StyleRules {
  /** The default style, that of components or a plain one for HTML templates. */
  base: string;
  /** The named styles and the style sheets of markup. Each of these applies only inside of the markup that it belongs to. */
  styles: string;
}

/**
 * The built-in font families. Missing characters come from the next family that has them, depending on the language.
 */
export const FONT_STACK = '"Inter","Noto Sans",sans-serif';

/**
 * The default style of documents. Selectors are as weak as possible, so that any named style or `style` overrides them;
 * no rule needs more than the elements that the emitters write.
 */
export const PAGE_STYLE = `
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;color:#1b2230;font:400 10.5pt/1.5 ${FONT_STACK};font-kerning:normal;text-rendering:optimizeLegibility;overflow-wrap:break-word;orphans:3;widows:3}
h1,h2,h3,h4,h5,h6{margin:1.2em 0 .4em;color:#0f1524;font-weight:700;line-height:1.2;letter-spacing:-.01em;text-wrap:balance;break-after:avoid;break-inside:avoid}
h1{font-size:22pt;letter-spacing:-.02em}
h2{font-size:15pt;letter-spacing:-.015em}
h3{font-size:12pt}
h4{font-size:10.5pt}
h5{font-size:9.5pt}
h6{font-size:8.5pt;color:#5b6575;letter-spacing:.04em;text-transform:uppercase}
p{margin:0 0 .45em}
h1,h2,h3,h4,h5,h6,p,li,td,th{white-space:pre-line}
:where(main,header,footer,.column,.container,td,th,li,.markdown)>:first-child{margin-top:0}
:where(.column,td,th,li,.markdown)>:last-child{margin-bottom:0}
a{color:#1d4ed8;text-decoration:underline;text-decoration-thickness:.06em;text-underline-offset:.15em}
strong{font-weight:600}
hr{margin:12pt 0;border:0;border-top:.75pt solid #dfe3e9}
img{max-width:100%;vertical-align:middle}
.image{line-height:0}
.image:where(:has(>[style*="text-align:center"])){text-align:center}
.image:where(:has(>[style*="text-align:right"])){text-align:right}
.image:where(:has(>[style*="text-align:end"])){text-align:end}
ul,ol{margin:0 0 .6em;padding-inline-start:1.4em}
li{margin:0 0 .2em}
li::marker{color:#6b7585}
.columns{display:flex;gap:24px;align-items:flex-start}
p+[class="columns"]:not([style]),p+.chart,p+.code{margin-top:.9em}
.columns.wrap{flex-wrap:wrap}
.column{flex:1 1 0;min-width:0}
table{width:100%;margin:0 0 1em;border-collapse:collapse;font-variant-numeric:tabular-nums lining-nums}
th,td{padding:5.5pt 8pt;border-bottom:.5pt solid #e3e7ed;text-align:start;vertical-align:top}
th{padding-block:4.5pt;border-bottom-color:#aab3c0;color:#5b6575;font-size:8.5pt;font-weight:600;vertical-align:bottom}
:where(th,td):first-child{padding-inline-start:0}
:where(th,td):last-child{padding-inline-end:0}
tr{break-inside:avoid}
thead{display:table-header-group}
.center{text-align:center}
.right{text-align:right}
.keep{break-inside:avoid}
.page-break{break-after:page}
.page-break+*{margin-top:0}
.button{display:inline-block;padding:6pt 14pt;border-radius:4pt;background:#1b2230;color:#fff;font-weight:600;text-decoration:none;line-height:1.3}
.code,.chart{break-inside:avoid;line-height:0}
.code svg,.chart svg{max-width:100%;height:auto}
.code svg:not([width]){width:100%;height:100%}
:where(.center,[style*="text-align:center"])>.code:where(:not([style*="text-align"])),.code:where([style*="text-align:center"]){margin-inline:auto}
:where(.right,[style*="text-align:right"])>.code:where(:not([style*="text-align"])),.code:where([style*="text-align:right"]){margin-left:auto}
:where([style*="text-align:end"])>.code:where(:not([style*="text-align"])),.code:where([style*="text-align:end"]){margin-inline-start:auto}
.sign-field{position:relative;display:inline-block;max-width:100%;break-inside:avoid;border:.5pt solid #c9d0da;border-radius:2pt;background:#f8f9fb;vertical-align:bottom;text-decoration:none}
:where(.sign-field:has(+.sign-field),.sign-field+.sign-field){--sign-gap:8pt}
:where(.sign-field:has(+.sign-field)){margin-inline-end:8pt}
:where(.sign-field+.sign-field){margin-top:6pt}
.sign-signature,.sign-initials{border-width:0 0 .75pt;border-color:#1b2230;border-radius:0}
.sign-checkbox{border:.75pt solid #6b7585;border-radius:1pt;background:#fff}
.sign-field span{position:absolute;inset:2pt 4pt auto;overflow:hidden;color:#7a8494;font-size:6pt;font-weight:400;line-height:1.25;letter-spacing:.02em;text-align:start;white-space:nowrap;text-overflow:ellipsis}
.markdown{white-space:normal}
.markdown :where(p,li,td,th,h1,h2,h3,h4,h5,h6){white-space:normal}
blockquote{margin:.8em 0;padding-inline-start:1em;border-inline-start:2.5pt solid #dfe3e9;color:#465063}
code,pre{font-family:"JetBrains Mono",monospace;font-size:.9em}
pre{margin:.8em 0;padding:8pt 10pt;border-radius:4pt;background:#f5f6f8;white-space:pre-wrap}
`.trim();

/**
 * The default style of HTML templates: that of browsers, with the built-in fonts, and made for paper. It is in a layer, so
 * that any rule of a template overrides it.
 */
export const HTML_STYLE = `
@layer platen{
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;color:#000;font:400 10.5pt/1.5 ${FONT_STACK};font-kerning:normal;text-rendering:optimizeLegibility;overflow-wrap:break-word;orphans:3;widows:3}
h1,h2,h3,h4,h5,h6{break-after:avoid;break-inside:avoid}
img,svg{max-width:100%}
tr,.keep{break-inside:avoid}
code,kbd,pre,samp{font-family:"JetBrains Mono",monospace}
}
`.trim();

/** Headers and footers of HTML templates have no style of their own, but their place in the margin. */
export const HTML_HEADER_STYLE = `
.band{display:flex;flex-direction:column;justify-content:center}
.band>*{flex:none}
`.trim();

/** Markup may position its elements; it stays below the watermark, and in its header or footer. */
export const MARKUP_STYLE = `
.sheet>main{isolation:isolate}
.band{contain:paint}
`.trim();

/** Styles and language of headers and footers. */
export interface HeaderText extends StyleRules {
  /** BCP 47. */
  language: string;
}

/** The default text style of headers and footers, in markup and margin boxes. */
export const HEADER_TEXT: Declarations = {
  color: "#5b6575",
  "font-family": FONT_STACK,
  "font-size": "8.5pt",
  "font-weight": "400",
  "line-height": "1.4",
};

/** The style of a divider in a header or footer; `locateNumbers` relies on these lengths. */
export const DIVIDER_STYLE: Declarations = {
  margin: "6px 0",
  "border-top": "0.75pt",
};

/** The style differences of headers and footers, which are centered in their margin. */
export const HEADER_STYLE = `
.band{display:flex;flex-direction:column;justify-content:center;${declarations(HEADER_TEXT)}}
.band>*{flex:none}
.band p{margin:0}
.band hr{margin:6px 0;border:0;border-top:.75pt solid #dfe3e9}
.band .columns{align-items:center}
`.trim();

export function declarations(style: Declarations): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}

export interface ImageSize {
  width: number;
  height: number;
}

/**
 * Wraps markup in an SVG image in a CSS `url()`, the only way to show markup in a page margin box. The image loads
 * nothing, so it contains all styles. Returns the parts before and after the percent-encoded markup.
 */
export function headerImage(
  { base, styles, language }: HeaderText,
  { width, height }: ImageSize,
): { before: string; after: string } {
  const css = escapeHtml(`${base}\n${styles}`);
  const before =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}"><foreignObject width="100%" height="100%">` +
    `<body xmlns="http://www.w3.org/1999/xhtml" ${languageAttributes(language)}><style>${css}</style><div class="band" style="height:${px(height)}">`;
  const after = "</div></body></foreignObject></svg>";
  return {
    before: `url("data:image/svg+xml;charset=utf-8,${percentEncoded(before)}`,
    after: `${percentEncoded(after)}")`,
  };
}
