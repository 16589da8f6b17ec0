import { LRUCache } from "lru-cache";
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { PlatenError } from "../../../plugin-api/index.js";
import { SafeHtml, type MergeContext } from "../types.js";
import { escapeHtml, safeImageUrl, withoutControls } from "./escape.js";

const LENGTH = /^-?\d+(?:\.\d+)?(?:px|pt|em|rem|%|mm|cm|in)?$/;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s,.%/]+\))$/i;
const WORD = /^[a-z-]{2,20}$/;

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
      "text-align": [WORD],
      "text-decoration": [WORD],
      "font-weight": [/^(?:[a-z]{4,7}|[1-9]00)$/],
      "font-style": [WORD],
      "font-size": [LENGTH],
      width: [LENGTH],
      height: [LENGTH],
      margin: [LENGTH],
      padding: [LENGTH],
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

/**
 * Sanitizes HTML of a template or of data; scripts and styles are removed with their content. HTML that is nested more
 * than 512 levels deep is treated as plain text.
 */
export function sanitizeMarkup(html: string): string {
  try {
    return withoutControls(sanitizeHtml(html, { ...options, ...depthGuard() }));
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return escapeHtml(html);
  }
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

const MAX_LENGTH = 256 * 1024;
const markdownIt = new MarkdownIt({ html: true, breaks: true });
/** Notes and terms are the same in many documents. Sizes are in characters. */
const rendered = new LRUCache<string, SafeHtml>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ html }, source) => html.length + source.length + 1,
});

/**
 * Renders Markdown as sanitized HTML; newlines become line breaks. A single paragraph is returned without its `<p>`, so
 * that it fits inside a text. Input of more than 256 Ki characters is treated as plain text.
 */
export function markdownToHtml(source: string): SafeHtml {
  if (source.length > MAX_LENGTH)
    return new SafeHtml(escapeHtml(source), source);
  const known = rendered.get(source);
  if (known) return known;
  const html = withoutOnlyParagraph(sanitizeMarkup(markdownIt.render(source)));
  const made = new SafeHtml(html, source.trim());
  rendered.set(source, made);
  return made;
}

function withoutOnlyParagraph(html: string): string {
  const inner = /^<p>([^]*)<\/p>\s*$/.exec(html)?.[1];
  return inner === undefined || inner.includes("</p>") ? html : inner;
}

const CHARACTERS_PER_ITERATION = 32;

/** Counts markup as iterations before it is sanitized, which takes far longer than copying text. */
export function chargeMarkup(source: string, context: MergeContext): string {
  context.spend(Math.floor(source.length / CHARACTERS_PER_ITERATION));
  return source;
}
