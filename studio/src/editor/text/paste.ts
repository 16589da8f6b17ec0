import { Fragment, type Node as DocNode, Slice } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";

import { parseTemplate, serializeTemplate } from "./template.js";
import {
  createLeaf,
  createTemplateNodes,
  textSchema,
  toTemplateParts,
} from "./text-document.js";

// Content from outside of the document model: pasted, dropped, or typed as source.

/** What a field accepts. */
export interface TextFormat {
  /** A Template, without marks and page numbers. */
  isPlain: boolean;
  isMultiline: boolean;
  /** The source of a break that is typed. */
  breakSource: "\n" | "br";
}

/** Removes what the field does not accept, and parses expressions in texts into chips. */
export function fitSlice(slice: Slice, format: TextFormat): Slice {
  return new Slice(fitContent(slice.content, format), 0, 0);
}

function fitContent(content: Fragment, format: TextFormat): Fragment {
  return Fragment.fromArray(
    content.content.flatMap((node) => fitNode(node, format)),
  );
}

function fitNode(node: DocNode, format: TextFormat): DocNode[] {
  const marks = format.isPlain ? [] : node.marks;
  if (node.isText)
    return createTemplateNodes(node.text ?? "", marks).flatMap((part) =>
      part.type.name === "break" ? fitNode(part, format) : [part],
    );
  if (node.type.name === "break")
    return format.isMultiline
      ? [createLeaf("break", format.breakSource)]
      : [textSchema.text(" ")];
  if (node.type.name === "number" && format.isPlain) return [];
  return [node.mark(marks)];
}

export function parsePastedText(text: string, format: TextFormat): Slice {
  const content = Fragment.fromArray(createTemplateNodes(text, []));
  return new Slice(fitContent(content, format), 0, 0);
}

/** Text is copied as a Template, so that pasting it elsewhere keeps its expressions. */
export function copyAsTemplate(slice: Slice): string {
  return serializeTemplate(toTemplateParts(slice.content));
}

/** Turns expressions that were typed to their end into chips, and line ends into breaks; null when there are none. */
export function parseTypedText(
  state: EditorState,
  format: TextFormat,
): Transaction | null {
  const { tr } = state;
  state.doc.forEach((node, offset) => {
    const { text = "" } = node;
    const isParsed =
      /[\r\n]|\}\}/.test(text) &&
      parseTemplate(text).some(
        ({ kind }) => kind === "chip" || kind === "break",
      );
    if (!isParsed) return;
    const from = tr.mapping.map(offset);
    const content = fitContent(Fragment.from(node), format);
    tr.replaceWith(from, from + node.nodeSize, content);
  });
  return tr.docChanged ? tr : null;
}

const SKIPPED =
  "script,style,title,meta,link,head,template,noscript,object,svg";
const BLOCKS =
  "p,div,li,ul,ol,tr,table,h1,h2,h3,h4,h5,h6,blockquote,pre,section,article,header,footer,hr";

/** Reduces the HTML that other programs copy to marks, links and line breaks; blocks become lines. */
export function cleanHtml(html: string): string {
  if (html.includes("data-pm-slice")) return html;
  const source = new DOMParser().parseFromString(
    renameStyles(html),
    "text/html",
  );
  for (const element of source.querySelectorAll(SKIPPED)) element.remove();
  const target = document.implementation.createHTMLDocument("");
  new HtmlCopier(target).copy(source.body, target.body);
  return target.body.innerHTML;
}

/** Styles are only read: the content security policy would block them and log an error for each. */
function renameStyles(html: string): string {
  return html
    .replaceAll(/<style\b[^]*?<\/style>/gi, "")
    .replaceAll(/<[a-z][^>]*>/gi, (tag) =>
      tag.replaceAll(/\sstyle\s*=/gi, " data-css="),
    );
}

class HtmlCopier {
  #needsBreak = false;
  #hasContent = false;

  constructor(readonly target: Document) {}

  copy(from: Node, to: Node): void {
    for (const node of from.childNodes) {
      if (node.nodeType === 3) this.#copyText(node.textContent ?? "", to);
      else if (node instanceof Element) this.#copyElement(node, to);
    }
  }

  #copyText(text: string, to: Node): void {
    const words = text.replaceAll(/[ \t\r\n\f]+/g, " ");
    const isGap =
      words.trim() === "" && (this.#needsBreak || !this.#hasContent);
    if (words === "" || isGap) return;
    this.#startLine(to);
    to.appendChild(this.target.createTextNode(words));
  }

  #startLine(to: Node): void {
    if (this.#needsBreak && this.#hasContent)
      to.appendChild(this.target.createElement("br"));
    this.#needsBreak = false;
    this.#hasContent = true;
  }

  #copyElement(element: Element, to: Node): void {
    if (element.localName === "br") {
      this.#startLine(to);
      this.#needsBreak = true;
      return;
    }
    const isBlock = element.matches(BLOCKS);
    if (isBlock) this.#needsBreak = true;
    if (element.matches("td + td, th + th, td + th, th + td"))
      this.#copyText(" ", to);
    this.copy(element, this.#addMarks(element, to));
    if (isBlock) this.#needsBreak = true;
  }

  /** Adds an element for each mark and returns the innermost. */
  #addMarks(element: Element, to: Node): Node {
    let inner = to;
    for (const name of findMarks(element))
      inner = inner.appendChild(this.target.createElement(name));
    const href =
      element.localName === "a" ? element.getAttribute("href") : null;
    if (href !== null && /^(?:https?:|mailto:|tel:)/i.test(href)) {
      const link = this.target.createElement("a");
      link.setAttribute("href", href);
      inner = inner.appendChild(link);
    }
    return inner;
  }
}

/** By element name and by style. The style wins: Google Docs wraps everything in a `<b>` of normal weight. */
function findMarks(element: Element): string[] {
  const style = element.getAttribute("data-css") ?? "";
  const isBold =
    !/font-weight:\s*(?:normal|[1-5]00)/i.test(style) &&
    (element.matches("b,strong") ||
      /font-weight:\s*(?:bold|[6-9]00)/i.test(style));
  const isItalic =
    !/font-style:\s*normal/i.test(style) &&
    (element.matches("i,em") || /font-style:\s*italic/i.test(style));
  const isUnderlined =
    element.localName !== "a" &&
    (element.matches("u,ins") || /text-decoration[^;]*underline/i.test(style));
  const isStruck =
    element.matches("s,strike,del") ||
    /text-decoration[^;]*line-through/i.test(style);
  return [
    ...(isBold ? ["strong"] : []),
    ...(isItalic ? ["em"] : []),
    ...(isUnderlined ? ["u"] : []),
    ...(isStruck ? ["s"] : []),
  ];
}
