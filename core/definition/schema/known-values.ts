// Values that definitions and expressions accept. This file loads nothing, not even zod.

/** The CSS properties that `style` can use: for layout and appearance, without positioning and loading of resources. */
export const STYLE_PROPERTIES = [
  "align-content",
  "align-items",
  "align-self",
  "aspect-ratio",
  "background",
  "background-color",
  "border",
  "border-bottom",
  "border-bottom-color",
  "border-bottom-left-radius",
  "border-bottom-right-radius",
  "border-bottom-style",
  "border-bottom-width",
  "border-collapse",
  "border-color",
  "border-left",
  "border-left-color",
  "border-left-style",
  "border-left-width",
  "border-radius",
  "border-right",
  "border-right-color",
  "border-right-style",
  "border-right-width",
  "border-spacing",
  "border-style",
  "border-top",
  "border-top-color",
  "border-top-left-radius",
  "border-top-right-radius",
  "border-top-style",
  "border-top-width",
  "border-width",
  "box-shadow",
  "box-sizing",
  "break-after",
  "break-before",
  "break-inside",
  "color",
  "column-count",
  "column-gap",
  "column-rule",
  "direction",
  "display",
  "flex",
  "flex-basis",
  "flex-direction",
  "flex-grow",
  "flex-shrink",
  "flex-wrap",
  "float",
  "clear",
  "font",
  "font-family",
  "font-feature-settings",
  "font-size",
  "font-style",
  "font-variant",
  "font-variant-caps",
  "font-variant-numeric",
  "font-weight",
  "gap",
  "grid-column",
  "grid-row",
  "grid-template-columns",
  "grid-template-rows",
  "height",
  "hyphens",
  "justify-content",
  "justify-items",
  "justify-self",
  "letter-spacing",
  "line-height",
  "list-style-position",
  "list-style-type",
  "margin",
  "margin-bottom",
  "margin-left",
  "margin-right",
  "margin-top",
  "max-height",
  "max-width",
  "min-height",
  "min-width",
  "object-fit",
  "object-position",
  "opacity",
  "order",
  "orphans",
  "outline",
  "overflow",
  "overflow-wrap",
  "padding",
  "padding-bottom",
  "padding-left",
  "padding-right",
  "padding-top",
  "row-gap",
  "table-layout",
  "text-align",
  "text-decoration",
  "text-decoration-color",
  "text-decoration-style",
  "text-decoration-thickness",
  "text-indent",
  "text-overflow",
  "text-shadow",
  "text-transform",
  "text-underline-offset",
  "text-wrap",
  "transform",
  "transform-origin",
  "unicode-bidi",
  "vertical-align",
  "visibility",
  "white-space",
  "widows",
  "width",
  "word-break",
  "word-spacing",
  "writing-mode",
] as const;

export type StyleProperty = (typeof STYLE_PROPERTIES)[number];

export const SIGN_FIELD_TYPES = [
  "signature",
  "initials",
  "date",
  "text",
  "checkbox",
  "select",
  "number",
  "image",
  "stamp",
] as const;
export type SignFieldType = (typeof SIGN_FIELD_TYPES)[number];

/** Is this a BCP 47 tag? */
export function isLocale(tag: unknown): tag is string {
  return typeof tag === "string" && answers(() => new Intl.Locale(tag));
}

/** Is this an IANA time zone? */
export function isTimeZone(name: unknown): name is string {
  return (
    typeof name === "string" &&
    answers(() => new Intl.DateTimeFormat("en", { timeZone: name }))
  );
}

/** Is this shaped as an ISO 4217 code? */
export function isCurrency(code: unknown): code is string {
  return typeof code === "string" && /^[A-Za-z]{3}$/.test(code);
}

function answers(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}

/** Standards that a PDF can conform to: archival ones (ISO 19005-2 and 19005-3), and one for accessibility (ISO 14289-1). */
export const CONFORMANCES = [
  "pdf/a-2b",
  "pdf/a-2u",
  "pdf/a-2a",
  "pdf/a-3b",
  "pdf/a-3u",
  "pdf/a-3a",
  "pdf/ua-1",
] as const;

export type Conformance = (typeof CONFORMANCES)[number];
