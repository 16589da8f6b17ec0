import sanitizeHtml from "sanitize-html";
import { checkBudget } from "../../lib/time-budget.js";
import { PlatenError } from "../../plugin-api/index.js";
import { type OutputContext, type MergeContext } from "./scope.js";
import { toText, SafeHtml } from "./values.js";

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

/** Escapes text and attribute values. Removes control characters, which neither HTML nor XML allows. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(EACH_SPECIAL, (char) => ENTITIES[char] ?? "");
}

/** Removes the control characters that neither HTML nor XML allows: all but tabs and newlines. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "");
}

/** Prints a value for each context. URLs are checked later, as a whole. */
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

/** Control characters, spaces and invisible characters. Browsers drop some of them before they read a scheme. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BEFORE_PATH = /^[^/?#]*/;
const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel", "asset"];
/** A linked SVG is a document that may run scripts; an SVG in an image runs none. */
const LINKED_DATA = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const DRAWN_DATA = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** Returns the address of a link when it is relative or its scheme is allowed, else an empty string. Not escaped. */
export function safeUrl(url: string): string {
  return allowed(url, LINKED_DATA);
}

/** Does the same for the address of an image. */
function safeImageUrl(url: string): string {
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

/** Matches everything except letters, digits and the characters of colors, lengths and font names. */
const REFUSED = /[^\p{L}\p{N}\s#%.,+\-/()_]/gu;
const FUNCTION = /([\p{L}\p{N}_-]*)\s*\(/gu;
/** CSS functions that load nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient " +
    "repeat minmax rotate scale translate"
  ).split(" "),
);
/** Limits for a value from the data and for a whole declaration. */
const MAX_CSS_LENGTH = 200;
const MAX_DECLARATION_LENGTH = 4000;

/** Removes everything from a value of the data that could end a CSS declaration or load something. */
function safeCss(text: string): string {
  const clean = text.slice(0, MAX_CSS_LENGTH).replaceAll(REFUSED, "").trim();
  return isHarmless(clean) ? clean : "";
}

/**
 * Whether a value contains only known functions and balanced parentheses. Also checked for the whole value with its
 * literal parts.
 */
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

const LENGTH = /^-?\d+(?:\.\d+)?(?:px|pt|em|rem|%|mm|cm|in)?$/;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s,.%/]+\))$/i;
const KEYWORD = /^[a-z-]{2,20}$/;

const TAGS =
  "h1 h2 h3 h4 h5 h6 p div span br hr blockquote pre code ul ol li dl dt dd " +
  "a b strong i em u s del ins mark small sub sup abbr cite q kbd samp var " +
  "table caption colgroup col thead tbody tfoot tr th td img figure figcaption";
/** Elements that are removed with their content. */
const WITH_CONTENT =
  "script style textarea option noscript title template iframe object svg math xmp";

const options: sanitizeHtml.IOptions = {
  allowedTags: TAGS.split(" "),
  allowedAttributes: {
    "*": ["style", "title", "lang", "dir"],
    a: ["href"],
    img: ["src", "alt", "width", "height"],
    ol: ["start", "type"],
    td: ["colspan", "rowspan", "align"],
    th: ["colspan", "rowspan", "align", "scope"],
    col: ["span"],
  },
  allowedStyles: {
    "*": {
      color: [COLOR],
      "background-color": [COLOR],
      "text-align": [KEYWORD],
      "text-decoration": [KEYWORD],
      "font-weight": [/^(?:[a-z]{4,7}|[1-9]00)$/],
      "font-style": [KEYWORD],
      "font-size": [LENGTH],
      width: [LENGTH],
      height: [LENGTH],
      margin: [LENGTH],
      padding: [LENGTH],
      "margin-left": [LENGTH],
      display: [/^inline-block$/],
      "line-height": [LENGTH],
      "list-style-type": [KEYWORD],
    },
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "data", "asset"] },
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  nonTextTags: WITH_CONTENT.split(" "),
  nestingLimit: 50,
  exclusiveFilter: ({ tag, attribs }) =>
    tag === "img" && safeImageUrl(attribs["src"] ?? "") === "",
};

/** The nesting limit of browsers. The time of the parser grows with the number of open elements. */
const MAX_OPEN_ELEMENTS = 512;
/** How long the parser takes at most; measured. */
const CHARACTER_MS = 0.001;

/**
 * Sanitizes HTML of a template or of data; scripts and styles are removed with their content. HTML that is nested more
 * than 512 levels deep is treated as plain text.
 */
export function sanitizeMarkup(html: string): string {
  checkBudget(html.length * CHARACTER_MS);
  try {
    return withoutControls(sanitizeHtml(html, { ...options, ...depthGuard() }));
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return escapeHtml(html);
  }
}

/** What a link, or an image, in HTML refers to. */
export interface MarkupAddress {
  address: string;
  isImage: boolean;
  /** Whether the link is printed as text, because its address is not allowed. */
  isRefused: boolean;
  /** The text of a link. */
  words: string;
}

/** The addresses in HTML, also empty ones and those that are left out; none of HTML that is printed as plain text. */
export function listMarkupAddresses(html: string): MarkupAddress[] {
  checkBudget(html.length * CHARACTER_MS);
  const addresses: MarkupAddress[] = [];
  try {
    sanitizeHtml(html, {
      ...options,
      ...depthGuard(),
      nonBooleanAttributes: [], // which would be left out where they are empty
      // Keeps the address of a link of which the sanitizer leaves out the `href`.
      transformTags: {
        a: (tagName, { href }): sanitizeHtml.Tag => ({
          tagName,
          attribs: href === undefined ? {} : { href, title: href },
        }),
      },
      exclusiveFilter: ({ tag, attribs, text }) => {
        const isImage = tag === "img";
        const address = attribs[isImage ? "src" : "title"];
        if (address !== undefined && (isImage || tag === "a"))
          addresses.push({
            address,
            isImage,
            isRefused: !isImage && attribs["href"] === undefined,
            words: text,
          });
        return false;
      },
    });
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [];
  }
  return addresses;
}

function depthGuard(): Pick<sanitizeHtml.IOptions, "onOpenTag" | "onCloseTag"> {
  let open = 0;
  return {
    onOpenTag: () => {
      open += 1;
      if (open > MAX_OPEN_ELEMENTS)
        throw new PlatenError(
          "merge_failed",
          "The markup is nested too deeply.",
        );
    },
    onCloseTag: () => {
      open -= 1;
    },
  };
}

const CHARACTERS_PER_ITERATION = 32;

/** Counts markup as iterations before it is sanitized, which takes far longer than copying text. */
export function chargeMarkup(source: string, context: MergeContext): string {
  context.spend(Math.floor(source.length / CHARACTERS_PER_ITERATION));
  return source;
}
