import { LRUCache } from "lru-cache";
import MarkdownIt from "markdown-it";
import { SafeHtml } from "../types.js";
import { escapeHtml } from "./escape-html.js";
import { sanitizeMarkup } from "./sanitize-markup.js";

const LONGEST = 256 * 1024;
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
  if (source.length > LONGEST) return new SafeHtml(escapeHtml(source), source);
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
