// Writing text where neither HTML nor a URL scheme is the question: in CSS, and inside data URLs.

/** Text as a CSS string with its quotes, also safe inside a `<style>` element. */
export function cssString(text: string): string {
  const escaped = text.replace(
    /[\\"'<>&\p{Cc}]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped}"`;
}

/** An address as a CSS `url()`. What CSS or HTML could read as an end is percent-encoded. */
export function cssUrl(address: string): string {
  const encoded = address.replace(/["'\\<>\s\p{Cc}]/gu, (character) =>
    encodeURIComponent(character).replace("'", "%27"),
  );
  return `url("${encoded}")`;
}

/** Only what a URL in a CSS string in HTML cannot hold; control characters, which XML cannot hold, are dropped. */
export function percentEncoded(svg: string): string {
  return svg.replace(/[%#"\\<>\p{Cc}\ufffe\uffff]/gu, (character) =>
    DROPPED.test(character) ? "" : encodeURIComponent(character),
  );
}

const DROPPED = /[^%#"\\<>\n\r\t]/;

// Providers of signatures read `{{name;type=signature}}` out of a PDF's text as fields of theirs. Where a document goes
// to signing, no data may bring such text: its braces are held apart by a blank. Readers of PDFs, PDFium and PDF.js among
// them, leave out of the text what has no width, and spaces where a line ends; so it is a blank that is no space.

/** Braces, and what readers may take for them. */
const BRACE = "[{}\\uff5b\\uff5d\\ufe5b\\ufe5c\\ufe37\\ufe38]";
/** What may stand between two braces and not be seen there. */
const UNSEEN = "[\\p{Default_Ignorable_Code_Point}\\s]*";
/** The braille pattern without dots, which the fonts that are always there have. */
const GAP = "\u2800";

const ANY = new RegExp(BRACE);
/** Before another one, or at the end, behind which another text may begin with one. */
const BEFORE_BRACE = new RegExp(`(${BRACE})(?=${UNSEEN}(?:${BRACE}|$))`, "gu");
const AT_START = new RegExp(`^(?=${UNSEEN}${BRACE})`, "u");
const TAG_OR_TEXT = /<style\b[^]*?<\/style>|<[^>]*>|[^<]+/g;
const BRACES_OF_URLS = /[{}]/g;

/** The same text without two braces side by side, within it or with what stands around it. */
export function withoutFieldTags(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(BEFORE_BRACE, `$1${GAP}`).replace(AT_START, GAP);
}

/** The same for the texts of markup; its tags stay as they are. */
export function markupWithoutFieldTags(markup: string): string {
  if (!ANY.test(markup)) return markup;
  return markup.replace(TAG_OR_TEXT, (part) =>
    part.startsWith("<") ? part : withoutFieldTags(part),
  );
}

/** An address leads to the same place with its braces encoded. */
export function urlWithoutBraces(url: string): string {
  return url.replace(BRACES_OF_URLS, encodeURIComponent);
}
