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
/** These vanish with all that is in them. */
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

/** As deep as browsers nest; the parser's time grows with the elements that are open at once. */
const MAX_OPEN_ELEMENTS = 512;

/**
 * HTML of a template or of data, made harmless; scripts and styles vanish with their content. What nests deeper than
 * 512 elements is taken as plain text.
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
/** Notes and terms are the same in many documents. Measured in characters. */
const rendered = new LRUCache<string, SafeHtml>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ html }, source) => html.length + source.length + 1,
});

/**
 * Markdown as sanitized HTML; a line end is a line break. A single paragraph comes without its `<p>`, so that it
 * stands well inside a text. What is longer than 256 Ki characters is taken as plain text.
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

/** Markup on its way to be made harmless, which takes far longer than copying a text, and so counts as more iterations. */
export function chargeMarkup(source: string, context: MergeContext): string {
  context.spend(Math.floor(source.length / CHARACTERS_PER_ITERATION));
  return source;
}
