import { SafeHtml, type OutputContext } from "../types.js";
import { toText } from "../values/text.js";

const SPECIAL = /[&<>"'\p{Cc}]/u;
const EACH_SPECIAL = /[&<>"'\p{Cc}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\t": "\t",
  "\n": "\n",
  "\r": "\r",
};

/** For text and for attribute values alike. Control characters are dropped: neither HTML nor XML can hold them. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(EACH_SPECIAL, (char) => ENTITIES[char] ?? "");
}

/** Text without the control characters that neither HTML nor XML can hold: all but tab and line ends. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "");
}

/** One value as it is printed in each context; a URL is looked at when it is whole. */
export const writeValue: Readonly<
  Record<OutputContext, (value: unknown) => string>
> = {
  html: (value) =>
    value instanceof SafeHtml ? value.html : escapeHtml(toText(value)),
  attribute: (value) => escapeHtml(toText(value)),
  url: toText,
  css: (value) => safeCss(toText(value)),
  plain: toText,
};

/** Controls, blanks and marks that no eye sees; browsers drop some of them before they read a scheme. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BEFORE_PATH = /^[^/?#]*/;
const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel", "asset"];
/** Behind a link, SVG is a document, which may run scripts; drawn as an image, it runs none. */
const LINKED_DATA = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const DRAWN_DATA = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The address of a link when it is relative or its scheme is allowed, else nothing. Not escaped. */
export function safeUrl(url: string): string {
  return allowed(url, LINKED_DATA);
}

/** The same for the address of an image. */
export function safeImageUrl(url: string): string {
  return allowed(url, DRAWN_DATA);
}

function allowed(url: string, data: RegExp): string {
  return isSafe(url.replaceAll(UNSEEN, ""), data) ? withoutBlanks(url) : "";
}

function isSafe(url: string, data: RegExp): boolean {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return SCHEMES.includes(scheme) || data.test(url);
  return BEFORE_PATH.exec(url)?.[0].includes(":") !== true;
}

function withoutBlanks(url: string): string {
  return url
    .trim()
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(" ", "%20");
}

/** Letters, digits and what colours, lengths and font names are written with. No quotes, no ends, no comments. */
const REFUSED = /[^\p{L}\p{N}\s#%.,+\-/()_]/gu;
const FUNCTION = /([\p{L}\p{N}_-]*)\s*\(/gu;
/** None of these loads anything. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient " +
    "repeat minmax rotate scale translate"
  ).split(" "),
);
/** Of one value out of the data, and of a whole declaration. */
const MAX_LENGTH = 200;
const MAX_DECLARATION_LENGTH = 4000;

/** A value out of the data as a part of a CSS declaration's value: what could end it or load something is taken out. */
function safeCss(text: string): string {
  const clean = text.slice(0, MAX_LENGTH).replaceAll(REFUSED, "").trim();
  return isHarmless(clean) ? clean : "";
}

/** Only known functions, and every parenthesis closed. Also asked about the whole value, with its literal parts. */
export function isHarmless(value: string): boolean {
  if (value.length > MAX_DECLARATION_LENGTH) return false;
  for (const [, name = ""] of value.matchAll(FUNCTION)) {
    if (name !== "" && !FUNCTIONS.has(name.toLowerCase())) return false;
  }
  return areParenthesesClosed(value);
}

function areParenthesesClosed(value: string): boolean {
  let open = 0;
  for (const char of value) {
    if (char === "(") open++;
    if (char === ")" && --open < 0) return false;
  }
  return open === 0;
}
