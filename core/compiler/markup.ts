import { LRUCache } from "lru-cache";

// What text needs to be written into markup: escapes for CSS, data URLs and field tags, and the language.

/** Quotes text as a CSS string that is also safe inside a `<style>` element. */
export function cssString(text: string): string {
  const escaped = text.replace(
    /[\\"'<>&\p{Cc}]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}

/** Writes an address as a CSS `url()`; characters that CSS or HTML could read as an end are percent-encoded. */
export function cssUrl(address: string): string {
  const encoded = address.replace(/["'\\<>\s\p{Cc}]/gu, (character) =>
    encodeURIComponent(character).replace("'", "%27"),
  );
  return `url("${encoded}")`;
}

/**
 * Encodes only the characters that a URL in a CSS string in HTML cannot contain; removes control characters, which XML
 * does not allow.
 */
export function percentEncoded(svg: string): string {
  return svg.replace(/[%#"\\<>\p{Cc}\ufffe\uffff]/gu, (character) =>
    DROPPED.test(character) ? "" : encodeURIComponent(character),
  );
}

const DROPPED = /[^%#"\\<>\n\r\t]/;

// Providers of signatures read `{{name;type=signature}}` out of a PDF's text as fields of theirs. Where a document goes
// to signing, no data may bring such text: its braces are held apart by a blank. Readers of PDFs, PDFium and PDF.js among
// them, leave out of the text what has no width, and spaces where a line ends; so it is a blank that is no space.

/** Braces and characters that PDF readers may treat as braces. */
const BRACE = "[{}\\uff5b\\uff5d\\ufe5b\\ufe5c\\ufe37\\ufe38]";
/** Invisible characters that may occur between two braces. */
const UNSEEN = "[\\p{Default_Ignorable_Code_Point}\\s]*";
/** The blank braille pattern, which the built-in fonts contain. */
const GAP = "\u2800";

const ANY = new RegExp(BRACE);
/** A brace before another one, or at the end, where the next text may start with one. */
const BEFORE_BRACE = new RegExp(`(${BRACE})(?=${UNSEEN}(?:${BRACE}|$))`, "gu");
const AT_START = new RegExp(`^(?=${UNSEEN}${BRACE})`, "u");
const TAG_OR_TEXT = /<style\b[^]*?<\/style>|<[^>]*>|[^<]+/g;
const BRACES_OF_URLS = /[{}]/g;

/** Separates adjacent braces within a text and at its ends. */
export function escapeFieldTags(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(BEFORE_BRACE, `$1${GAP}`).replace(AT_START, GAP);
}

/** Does the same for the text of markup; tags are unchanged. */
export function escapeFieldTagsInMarkup(markup: string): string {
  if (!ANY.test(markup)) return markup;
  return markup.replace(TAG_OR_TEXT, (part) =>
    part.startsWith("<") ? part : escapeFieldTags(part),
  );
}

/** Encodes braces in an address, which does not change its target. */
export function urlWithoutBraces(url: string): string {
  return url.replace(BRACES_OF_URLS, encodeURIComponent);
}

const RIGHT_TO_LEFT = new Set(["Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Adlm"]);

export type Direction = "ltr" | "rtl";

export function languageAttributes(locale: string): string {
  return `lang="${locale}" dir="${textDirection(locale)}"`;
}

export function textDirection(locale: string): Direction {
  return directions.memo(locale);
}

/** Intl takes longer than all else that an email does with its locale. */
const directions = new LRUCache<string, Direction>({
  max: 100,
  memoMethod: (locale) => {
    const { script = "Latn" } = new Intl.Locale(locale).maximize();
    return RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
  },
});
