import { LRUCache } from "lru-cache";
import MarkdownIt from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import footnotes from "markdown-it-footnote";
import { checkBudget } from "../../lib/time-budget.js";
import { escapeHtml, sanitizeMarkup } from "./output.js";
import { SafeHtml } from "./values.js";

// GitHub's Markdown: CommonMark with tables, strikethrough, autolinks, task lists and footnotes. Marks also begin and end
// beside Chinese, Japanese and Korean punctuation.

type Markdown = InstanceType<typeof MarkdownIt>;

const MAX_LENGTH = 256 * 1024;
/** How long texts with many links take; measured. */
const CHARACTER_MS = 0.002;
const markdownIt = new MarkdownIt({ html: true, breaks: true, linkify: true })
  .use(cjkFriendly)
  .use(footnotes)
  .use(linkAddresses)
  .use(drawTasks)
  .use(drawFootnotes);

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
  const cached = rendered.get(source);
  if (cached) return cached;
  const html = withoutOnlyParagraph(sanitizeMarkup(renderMarkdown(source)));
  const made = new SafeHtml(html, source.trim());
  rendered.set(source, made);
  return made;
}

/** Renders Markdown as HTML that is not sanitized. */
export function renderMarkdown(source: string): string {
  if (source.length > MAX_LENGTH) return escapeHtml(source);
  checkBudget(source.length * CHARACTER_MS);
  return markdownIt.render(source);
}

function withoutOnlyParagraph(html: string): string {
  const inner = /^<p>([^]*)<\/p>\s*$/.exec(html)?.[1];
  return inner === undefined || inner.includes("</p>") ? html : inner;
}

const WWW =
  /[\p{L}\p{N}][\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s<>"]*)?/uy;
/** Belongs to the sentence, not to the address. */
const TRAILING = /[.,:;!?'*_~)\]]+$/;

/** Links addresses with a scheme, those that start with `www.`, and mail addresses; `file.md` is not an address. */
function linkAddresses({ linkify }: Markdown): void {
  linkify.set({ fuzzyLink: false });
  linkify.add("www.", {
    validate: (text: string, from: number) => {
      WWW.lastIndex = from;
      const [address = ""] = WWW.exec(text) ?? [];
      return address.replace(TRAILING, "").length;
    },
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
}

const TASK = /^\[([ xX])\][ \u00a0]+(?=\S)/;
const OPEN_BOX = "☐";
const CHECKED_BOX = "☑";

/** Draws `- [ ] task` and `- [x] task` with a box in the place of the bullet. */
function drawTasks(markdown: Markdown): void {
  markdown.core.ruler.before("inline", "tasks", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [item, paragraph] = [tokens[index - 2], tokens[index - 1]];
      const isFirst =
        item?.type === "list_item_open" && paragraph?.type === "paragraph_open";
      const task =
        token.type === "inline" && isFirst && TASK.exec(token.content);
      if (!task) continue;
      token.content = token.content.slice(task[0].length);
      token.meta = { isTask: true, isDone: task[1] !== " " };
      item.attrSet("style", "list-style-type:none");
    }
  });
  markdown.core.ruler.after("inline", "task-boxes", (state) => {
    for (const { meta, children } of state.tokens) {
      if (!isTask(meta)) continue;
      const box = new state.Token("html_inline", "", 0);
      // The width of the indent of lists, so that the lines of a task are aligned.
      box.content = `<span style="display:inline-block;width:1.4em;margin-left:-1.4em">${meta.isDone ? CHECKED_BOX : OPEN_BOX} </span>`;
      children?.unshift(box);
    }
  });
}

function isTask(meta: unknown): meta is { isDone: boolean } {
  return typeof meta === "object" && meta !== null && "isTask" in meta;
}

/** Draws numbers and a list of notes. Without links: the ids of several texts in a document would be the same. */
function drawFootnotes({ renderer: { rules } }: Markdown): void {
  rules["footnote_ref"] = (tokens, index) => {
    const meta: unknown = tokens[index]?.meta;
    const id =
      typeof meta === "object" && meta !== null && "id" in meta
        ? Number(meta.id)
        : 0;
    return `<sup style="font-size:0.7em;line-height:0">${id + 1}</sup>`;
  };
  rules["footnote_block_open"] = () =>
    '<hr style="width:30%">\n<ol style="font-size:0.85em">\n';
  rules["footnote_block_close"] = () => "</ol>\n";
  rules["footnote_open"] = () => "<li>";
  rules["footnote_close"] = () => "</li>\n";
  rules["footnote_anchor"] = () => "";
}
