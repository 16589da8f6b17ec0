import { distance } from "fastest-levenshtein";
import { LRUCache } from "lru-cache";
import {
  defaultTreeAdapter,
  type DefaultTreeAdapterTypes,
  html,
  parseFragment,
  type ParserError,
  type Token,
  Tokenizer,
  type TokenHandler,
  TokenizerMode,
} from "parse5";
import { findNearestWord } from "../../plugin-api/index.js";
import { splitTemplate } from "../expressions/index.js";
import { getProblem } from "../expressions/problem.js";
import {
  type Expression,
  type MarkupRepeat,
  readDirectives,
  suggestDirective,
} from "./directives.js";
import {
  type AttributeKind,
  DIRECTIVES,
  explainRefusedAttribute,
  explainRefusedElement,
  HTML_CONTENT,
  HTML_VOCABULARY,
  isDirective,
  type MarkupLanguage,
  MJML_CHILDREN,
  MJML_VOCABULARY,
  SVG_VOCABULARY,
  VOID_ELEMENTS,
  type Vocabulary,
} from "./vocabulary.js";

// Markup of templates as a tree. Unlike a browser, the parser repairs nothing: what is not closed, wrongly nested or not
// allowed is a problem with its place. All places are offsets in the source.

export interface MarkupProblem {
  /** The offset of the problem in the source. */
  at: number;
  code: string;
  message: string;
  hint?: string;
}

export interface MarkupText {
  kind: "text";
  /** A Template: references such as `&nbsp;` are characters. */
  template: string;
  start: number;
  end: number;
}

export interface MarkupAttribute {
  name: string;
  kind: AttributeKind;
  /** A Template, as for text. */
  template: string;
  start: number;
  /** The offsets of the value without its quotes. */
  valueStart: number;
  valueEnd: number;
}

export interface MarkupElement {
  kind: "element";
  /** As it is spelled in XML: `clipPath`. */
  name: string;
  language: "html" | "svg" | "mjml";
  attributes: MarkupAttribute[];
  children: MarkupNode[];
  isVoid: boolean;
  start: number;
  /** Where its start tag ends. */
  tagEnd: number;
  each?: MarkupRepeat;
  test?: Expression;
  /** Shown when the test is false: `data-else-if` has a test of its own, `data-else` has none. */
  otherwise?: MarkupElement;
  /** Shown when nothing is repeated. */
  empty?: MarkupElement;
  keepsTogether: boolean;
  /** Shows the number of the page, or how many there are. */
  pageNumber?: "page" | "pages";
  /** Prints the block at this index of `Markup.partials`. */
  partial?: number;
}

export type MarkupNode = MarkupText | MarkupElement;

/** What markup has beside the body: running headers and footers. */
export const PAGE_PARTS = [
  "header",
  "footer",
  "firstHeader",
  "firstFooter",
] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

export interface Markup {
  body: readonly MarkupNode[];
  pages: Readonly<Partial<Record<PagePart, MarkupElement>>>;
  /** The contents of `<style>` elements. */
  sheets: readonly { css: string; start: number }[];
  /** The names of the blocks that it prints, in the order of the source; a block may be there several times. */
  partials: readonly { name: string; start: number }[];
  problems: readonly MarkupProblem[];
}

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 200;
const MAX_PROBLEMS = 200;

/** A definition is parsed when it is checked, compiled and shown in an editor. */
const parsed = new LRUCache<string, Markup>({
  maxSize: 2.5 * 1024 * 1024,
  sizeCalculation: (_markup, key) => key.length + 1,
});

export function parseMarkup(source: string, language: MarkupLanguage): Markup {
  const key = `${language} ${source}`;
  const cached = parsed.get(key);
  if (cached) return cached;
  const made = new MarkupParser(source, language).parse();
  parsed.set(key, made);
  return made;
}

/** The 1-based line and column of an offset. */
export function findPosition(
  source: string,
  at: number,
): { line: number; column: number } {
  const before = source.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

// While tags are read, each expression is replaced by characters that no text has, so that quotes and angle brackets in
// it mean nothing. The first one tells where an expression begins.
const FIRST = "\ufdd0";
const FURTHER = "\ufdd1";
const MASKED = /\ufdd0\ufdd1*/g;

const STYLE_END = /<\/style/gi;

interface OpenElement extends MarkupElement {
  /** The name in its tags, in lower case. */
  tag: string;
  /** Whether it is not allowed, or inside of such an element: what it contains is not reported too. */
  isRefused: boolean;
  directives: Map<string, { value: string; start: number; at: number }>;
}

class MarkupParser implements TokenHandler {
  readonly #problems: MarkupProblem[] = [];
  readonly #sheets: { css: string; start: number }[] = [];
  readonly #partials: { name: string; start: number }[] = [];
  readonly #root: MarkupNode[] = [];
  readonly #stack: OpenElement[] = [];
  /** The expressions with their braces, by their offset. */
  readonly #expressions = new Map<number, string>();
  readonly #masked: string;
  readonly #tokenizer: Tokenizer;
  /** The nodes that a browser has to read as they are written. */
  readonly #elements: OpenElement[] = [];
  /** What a browser does not see: templates are only wrappers. */
  readonly #unseen: [start: number, end: number][] = [];
  #text: { chars: string; start: number; end: number } | null = null;
  #isFull = false;

  constructor(
    private readonly source: string,
    private readonly language: MarkupLanguage,
  ) {
    this.#masked = this.#maskExpressions();
    this.#tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  }

  parse(): Markup {
    this.#tokenizer.write(this.#masked, true);
    this.#flushText();
    const body = this.#assemble(this.#root);
    if (this.#problems.length === 0 && this.language === "html")
      this.#compareWithBrowser(body);
    const { pages, rest } = this.#takePages(body);
    return {
      body: rest,
      pages,
      sheets: this.#sheets,
      partials: this.#partials,
      problems: this.#problems.toSorted(
        (problem, other) => problem.at - other.at,
      ),
    };
  }

  #problem(at: number, code: string, message: string, hint?: string): void {
    if (this.#problems.length < MAX_PROBLEMS)
      this.#problems.push({ at, code, message, ...(hint && { hint }) });
  }

  #maskExpressions(): string {
    const { source } = this;
    const odd = source.search(/[\ufdd0\ufdd1]/);
    if (odd >= 0) {
      this.#problem(
        odd,
        "invalid_html",
        "There is a character that no text has (U+FDD0 or U+FDD1).",
        "Remove it.",
      );
      return source.replaceAll(/[\ufdd0\ufdd1]/g, " ");
    }
    if (!source.includes("{{")) return source;
    let parts;
    try {
      parts = splitTemplate(source);
    } catch (error) {
      const { expression = "", code, message, hint } = getProblem(error);
      this.#problem(source.lastIndexOf(expression), code, message, hint);
      return source;
    }
    let masked = "";
    let at = 0;
    for (const [index, inner] of parts.inner.entries()) {
      const start = (parts.starts[index] ?? 0) - 2;
      const length = inner.length + 4;
      this.#expressions.set(start, source.slice(start, start + length));
      masked += source.slice(at, start) + FIRST + FURTHER.repeat(length - 1);
      at = start + length;
    }
    return masked + source.slice(at);
  }

  /** The Template of decoded text: with its expressions as they are written. */
  #toTemplate(chars: string, start: number, end: number): string {
    if (!chars.includes(FIRST)) return escapeBraces(chars);
    const places = Array.from(
      this.#masked.slice(start, end).matchAll(MASKED),
      ({ index }) => start + index,
    );
    let template = "";
    let at = 0;
    for (const { 0: run, index } of chars.matchAll(MASKED)) {
      const expression = this.#expressions.get(places.shift() ?? -1) ?? "";
      template += escapeBraces(chars.slice(at, index)) + expression;
      at = index + run.length;
    }
    return template + escapeBraces(chars.slice(at));
  }

  // Tokens.

  onCharacter({ chars, location }: Token.CharacterToken): void {
    const { startOffset: start = 0, endOffset: end = 0 } = location ?? {};
    if (this.#text) {
      this.#text.chars += chars;
      this.#text.end = end;
    } else this.#text = { chars, start, end };
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}

  onComment(): void {
    this.#flushText();
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    this.#flushText();
    this.#problem(
      location?.startOffset ?? 0,
      "not_allowed",
      "A doctype is not allowed.",
      "Write only what is inside <body>.",
    );
  }

  onEof(): void {
    this.#flushText();
    if (this.#isFull) return;
    while (this.#stack.length > 0) this.#reportUnclosed("at the end");
  }

  onParseError({ code, startOffset }: ParserError): void {
    const text = PARSE_ERRORS[code];
    if (text === null) return;
    this.#problem(
      Math.max(0, startOffset),
      "invalid_html",
      text?.[0] ?? `This is not valid HTML (${code}).`,
      text?.[1] ?? "Correct it as the HTML standard asks for.",
    );
  }

  onStartTag(token: Token.TagToken): void {
    this.#flushText();
    const { tagName: tag, location, selfClosing } = token;
    const { startOffset: start = 0, endOffset: tagEnd = 0 } = location ?? {};
    if (this.#isFull) return;
    if (
      this.#elements.length >= MAX_ELEMENTS ||
      this.#stack.length >= MAX_DEPTH
    ) {
      this.#isFull = true;
      const isDeep = this.#stack.length >= MAX_DEPTH;
      this.#problem(
        start,
        isDeep ? "too_deep" : "too_many_components",
        isDeep
          ? `Elements are nested more than ${MAX_DEPTH} levels deep.`
          : `There are more than ${MAX_ELEMENTS} elements.`,
        isDeep ? "Nest them less deeply." : "Repeat elements with data-each.",
      );
      return;
    }
    if (tag === "style" && this.#place().language === "html") {
      this.#openStyle(token, start);
      return;
    }
    const { language, vocabulary } = this.#place(tag);
    const name = vocabulary.findElement(tag);
    const isIgnored = this.#stack.at(-1)?.isRefused ?? false;
    if (name === null && !isIgnored)
      this.#reportElement(tag, start, vocabulary);
    const element: OpenElement = {
      kind: "element",
      name: name ?? tag,
      tag,
      isRefused: isIgnored || name === null,
      language,
      attributes: [],
      children: [],
      directives: new Map(),
      isVoid: language === "html" && VOID_ELEMENTS.has(tag),
      start,
      tagEnd,
      keepsTogether: false,
    };
    if (!element.isRefused) {
      this.#checkParent(element);
      for (const attribute of token.attrs)
        this.#addAttribute(element, token, attribute, vocabulary);
      this.#applyDirectives(element);
    }
    this.#children().push(element);
    this.#elements.push(element);
    if (tag === "template") this.#unseen.push([start, tagEnd]);
    if (tag === "script") this.#tokenizer.state = TokenizerMode.SCRIPT_DATA;
    if (element.isVoid || REFUSED_VOID.has(tag)) return;
    if (selfClosing) {
      if (language !== "html" || name === null) return;
      this.#problem(
        start,
        "invalid_html",
        `<${tag}/> does not close the element.`,
        `Write <${tag}></${tag}>.`,
      );
      return;
    }
    this.#stack.push(element);
  }

  onEndTag({ tagName: tag, location }: Token.TagToken): void {
    this.#flushText();
    if (this.#isFull) return;
    const { startOffset: start = 0, endOffset: end = 0 } = location ?? {};
    const at = this.#stack.findLastIndex(
      (openElement) => openElement.tag === tag,
    );
    if (at < 0) {
      if (REFUSED_VOID.has(tag)) return;
      this.#problem(
        start,
        "invalid_html",
        `</${tag}> closes nothing: there is no open <${tag}>.`,
        VOID_ELEMENTS.has(tag)
          ? `Write <${tag}> alone.`
          : `Remove it, or write <${tag}> before it.`,
      );
      return;
    }
    while (this.#stack.length > at + 1)
      this.#reportUnclosed(`before </${tag}>`);
    const element = this.#stack.pop();
    if (element) element.children = this.#assemble(element.children);
    if (tag === "template") this.#unseen.push([start, end]);
  }

  #reportUnclosed(where: string): void {
    const element = this.#stack.pop();
    if (!element) return;
    element.children = this.#assemble(element.children);
    this.#problem(
      element.start,
      "invalid_html",
      `<${element.tag}> is not closed ${where}.`,
      `Write </${element.tag}> where it ends.`,
    );
  }

  /** The content of the element is raw text. */
  #openStyle(token: Token.TagToken, start: number): void {
    STYLE_END.lastIndex = start;
    const end = STYLE_END.exec(this.#masked)?.index ?? -1;
    const from = token.location?.endOffset ?? start;
    if (this.language === "mjml")
      this.#problem(
        start,
        "not_allowed",
        "<style> is not allowed in mjml.",
        "Write styles as attributes, which all mail programs understand.",
      );
    else if (end >= 0 && this.#stack.length > 0)
      this.#problem(
        start,
        "misplaced",
        "<style> is not at the top level.",
        'Move it to the beginning, or its content into the property "css".',
      );
    else if (end >= 0)
      this.#sheets.push({ css: this.source.slice(from, end), start: from });
    for (const { name } of token.attrs)
      this.#problem(
        start,
        "unknown_attribute",
        `<style> may not have the attribute ${name}.`,
        "Remove it. For print and screen write @media.",
      );
    this.#tokenizer.state = TokenizerMode.RAWTEXT;
    this.#stack.push({
      kind: "element",
      name: "style",
      tag: "style",
      isRefused: false,
      language: "html",
      attributes: [],
      children: [],
      directives: new Map(),
      isVoid: false,
      start,
      tagEnd: from,
      keepsTogether: false,
    });
  }

  #flushText(): void {
    const text = this.#text;
    this.#text = null;
    if (!text || this.#stack.at(-1)?.tag === "style") return;
    const { chars, start, end } = text;
    if (chars.trim() !== "") this.#checkTextPlace(start);
    this.#children().push({
      kind: "text",
      template: this.#toTemplate(chars, start, end),
      start,
      end,
    });
  }

  #checkTextPlace(at: number): void {
    const parent = this.#stack.findLast(({ tag }) => tag !== "template");
    if (parent?.isRefused) return;
    if (!parent) {
      if (this.language === "mjml")
        this.#problem(
          at,
          "misplaced",
          "Text is not allowed here.",
          "Put it into an <mj-text>.",
        );
      return;
    }
    const { tag, language } = parent;
    if (language === "html" && TABLE_PARTS.has(tag))
      this.#problem(
        at,
        "misplaced",
        `Text is not allowed directly in <${tag}>.`,
        "Put it into a <td> or <th>.",
      );
    if (language === "mjml" && !HTML_CONTENT.has(tag))
      this.#problem(
        at,
        "misplaced",
        `Text is not allowed directly in <${tag}>.`,
        "Put it into an <mj-text>.",
      );
  }

  #children(): MarkupNode[] {
    return this.#stack.at(-1)?.children ?? this.#root;
  }

  /** The language of an element that is opened here. */
  #place(tag = ""): {
    language: MarkupElement["language"];
    vocabulary: Vocabulary;
  } {
    const parent = this.#stack.findLast(
      (ancestor) => ancestor.tag !== "template",
    );
    if (this.language === "mjml" && !(parent && isInHtml(parent)))
      return { language: "mjml", vocabulary: MJML_VOCABULARY };
    const isSvg = parent?.language === "svg" || tag === "svg";
    if (isSvg && this.language === "html" && tag !== "template")
      return { language: "svg", vocabulary: SVG_VOCABULARY };
    return { language: "html", vocabulary: HTML_VOCABULARY };
  }

  #reportElement(tag: string, at: number, vocabulary: Vocabulary): void {
    const reason = explainRefusedElement(tag);
    if (reason !== null) {
      this.#problem(at, "not_allowed", `<${tag}> is not allowed.`, reason);
      return;
    }
    const inSvg = vocabulary === SVG_VOCABULARY;
    if (inSvg && tag === "style") {
      this.#problem(
        at,
        "not_allowed",
        "<style> is not allowed in an <svg>.",
        'Write it in the property "css", or as attributes.',
      );
      return;
    }
    if (this.language === "mjml" && tag === "svg") {
      this.#problem(
        at,
        "not_allowed",
        "<svg> is not allowed in an email.",
        "Many mail programs do not show it. Write an <img>.",
      );
      return;
    }
    const other = [HTML_VOCABULARY, SVG_VOCABULARY, MJML_VOCABULARY].some(
      (candidate) =>
        candidate !== vocabulary && candidate.findElement(tag) !== null,
    );
    const where = inSvg ? " in an <svg>" : "";
    const meant = findNearestWord(tag, vocabulary.elements);
    this.#problem(
      at,
      "unknown_element",
      other
        ? `<${tag}> is not allowed here.`
        : `There is no element <${tag}>${where}.`,
      meant === undefined || other
        ? this.language === "mjml"
          ? `Put elements of MJML into an <mj-column>, and HTML into an <mj-text>.`
          : "Remove it, or write an element of HTML."
        : `Did you mean <${meant}>?`,
    );
  }

  /** The rows, columns and contents of an email. */
  #checkParent({ name, language, start }: OpenElement): void {
    if (language !== "mjml" || name === "template") return;
    const parent = this.#stack.findLast(({ tag }) => tag !== "template");
    if (!parent) {
      if (
        name === "mj-column" ||
        name === "mj-group" ||
        name === "mj-social-element"
      )
        this.#problem(
          start,
          "misplaced",
          `<${name}> is not allowed at the top level.`,
          name === "mj-social-element"
            ? "Put it into an <mj-social>."
            : "Put it into an <mj-section>.",
        );
      return;
    }
    const allowed = MJML_CHILDREN[parent.name] ?? [];
    if (!allowed.includes(name))
      this.#problem(
        start,
        "misplaced",
        `<${name}> is not allowed in <${parent.name}>.`,
        allowed.length === 0
          ? "Move it out."
          : `<${parent.name}> may contain ${allowed.join(", ")}.`,
      );
  }

  #addAttribute(
    element: OpenElement,
    token: Token.TagToken,
    { name: local, prefix, value }: Token.Attribute,
    vocabulary: Vocabulary,
  ): void {
    const written = prefix ? `${prefix}:${local}` : local;
    const lower = written.toLowerCase();
    const location =
      token.location?.attrs?.[lower] ?? token.location?.attrs?.[written];
    const start = location?.startOffset ?? element.start;
    const end = location?.endOffset ?? start;
    const whole = this.#masked.slice(start, end);
    const [opening = "", quote = ""] = /^[^=]*=\s*(["']?)/.exec(whole) ?? [];
    const valueStart = opening === "" ? end : start + opening.length;
    const valueEnd = end - (opening === "" ? 0 : quote.length);
    if (/[\ufdd0\ufdd1{}<"'`]/.test(written)) {
      this.#problem(
        start,
        "invalid_html",
        `${JSON.stringify(this.source.slice(start, start + 40))} is not an attribute.`,
        "Expressions are allowed in the values of attributes, in quotes. To show or hide an element, write data-if.",
      );
      return;
    }
    if (isDirective(lower)) {
      const directive = this.source.slice(valueStart, valueEnd);
      element.directives.set(lower, {
        value: directive,
        start: valueStart,
        at: start,
      });
      return;
    }
    const attribute = vocabulary.findAttribute(element.name, lower);
    if (
      attribute === null ||
      (lower.startsWith("data-") && !this.#isOwnData(lower, start))
    ) {
      if (attribute === null)
        this.#reportAttribute(element, lower, start, vocabulary);
      return;
    }
    if (attribute.name === "xmlns") return;
    element.attributes.push({
      name: attribute.name,
      kind: attribute.kind,
      template: this.#toTemplate(value, start, end),
      start,
      valueStart,
      valueEnd,
    });
  }

  /** An attribute that is nearly a directive, or one elsewhere, is a mistake. */
  #isOwnData(name: string, at: number): boolean {
    // Nobody who writes an id means a condition.
    if (name === "data-id") return true;
    const meant = DIRECTIVES.find(
      (directive) =>
        distance(directive, name) <= 1 ||
        sortLetters(directive) === sortLetters(name),
    );
    const hint =
      suggestDirective(name) ?? (meant && `Did you mean ${meant}?`) ?? null;
    if (hint === null) return true;
    this.#problem(
      at,
      "unknown_attribute",
      `There is no attribute ${name}.`,
      hint,
    );
    return false;
  }

  #reportAttribute(
    { tag, name }: OpenElement,
    attribute: string,
    at: number,
    vocabulary: Vocabulary,
  ): void {
    const reason = explainRefusedAttribute(attribute);
    const directive = suggestDirective(attribute);
    const meant = findNearestWord(attribute, [
      ...vocabulary.listAttributes(name),
      ...DIRECTIVES,
    ]);
    this.#problem(
      at,
      reason === null ? "unknown_attribute" : "not_allowed",
      `The attribute ${attribute} is not allowed on <${tag}>.`,
      reason ??
        directive ??
        (meant === undefined ? "Remove it." : `Did you mean ${meant}?`),
    );
  }

  #applyDirectives(element: OpenElement): void {
    const { directives, language, tag } = element;
    if (directives.size === 0) {
      if (tag === "template")
        this.#problem(
          element.start,
          "invalid_html",
          "<template> has no data-each, data-if or data-partial.",
          "Add one: a <template> draws only what it repeats or shows. Or remove the tags.",
        );
      return;
    }
    const isInMjml = this.language === "mjml";
    const { problems, ...read } = readDirectives(directives);
    for (const { at, message, hint } of problems)
      this.#problem(at, "invalid_directive", message, hint);
    Object.assign(element, read);
    this.#applyPartial(element);
    for (const name of ["data-page", "data-page-number", "data-page-count"]) {
      const at = directives.get(name)?.at;
      if (at !== undefined && (isInMjml || language !== "html"))
        this.#problem(
          at,
          "misplaced",
          `${name} is not allowed here.`,
          "Only HTML of documents has headers, footers and page numbers.",
        );
    }
  }

  /** A block is printed in the place of an empty template. */
  #applyPartial(element: OpenElement): void {
    const { directives, tag } = element;
    const written = directives.get("data-partial");
    if (!written) return;
    const { value, start, at } = written;
    const name = value.trim();
    const parent = this.#stack.findLast(
      (ancestor) => ancestor.tag !== "template",
    );
    const place = parent && describeClosedPlace(parent, this.language);
    if (tag !== "template")
      this.#problem(
        at,
        "misplaced",
        "data-partial is only for a <template>.",
        `Write <template data-partial="${name}"></template> where the block is to be printed.`,
      );
    else if (name === "")
      this.#problem(
        at,
        "invalid_directive",
        "The name of the block is missing.",
        'Write it: data-partial="terms".',
      );
    else if (parent === undefined && this.language === "mjml")
      this.#problem(
        at,
        "misplaced",
        "A block is not allowed at the top level of mjml.",
        'Put it into an <mj-column>, or write a component of the type "partial" before or after the markup.',
      );
    else if (place) this.#problem(at, "misplaced", place, BLOCK_HINT);
    element.partial = this.#partials.length;
    this.#partials.push({ name, start });
  }

  // Structure.

  /** Joins elements with what is shown in their places. */
  #assemble(nodes: readonly MarkupNode[]): MarkupNode[] {
    const joined: MarkupNode[] = [];
    let owner: OpenElement | null = null;
    let tail: OpenElement | null = null;
    for (const node of nodes) {
      if (node.kind === "text") {
        if (node.template.trim() !== "") owner = null;
        joined.push(node);
        continue;
      }
      // The elements of a tree that is being built are open ones.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const element = node as OpenElement;
      const { directives } = element;
      const branch = (
        ["data-else-if", "data-else", "data-empty"] as const
      ).find((name) => directives.has(name));
      if (branch === undefined) {
        joined.push(element);
        owner = element;
        tail = element;
        continue;
      }
      const at = directives.get(branch)?.at ?? element.start;
      if (
        branch === "data-empty"
          ? owner?.each && !owner.empty
          : owner && tail?.test && !tail.otherwise
      ) {
        while (joined.at(-1)?.kind === "text") joined.pop();
        if (branch === "data-empty" && owner) owner.empty = element;
        else if (tail) {
          tail.otherwise = element;
          tail = element;
        }
        continue;
      }
      this.#problem(
        at,
        "misplaced",
        `${branch} does not follow an element with ${branch === "data-empty" ? "data-each" : "data-if"}.`,
        branch === "data-empty"
          ? "Put this element directly after the one that is repeated."
          : "Put this element directly after the one with data-if or data-else-if.",
      );
    }
    return joined;
  }

  /** Running headers and footers are no part of the body. */
  #takePages(body: readonly MarkupNode[]) {
    const pages: Partial<Record<PagePart, MarkupElement>> = {};
    const rest: MarkupNode[] = [];
    for (const node of body) {
      const part = node.kind === "element" ? this.#findPagePart(node) : null;
      if (node.kind === "text" || part === null) rest.push(node);
      else if (pages[part])
        this.#problem(
          node.start,
          "misplaced",
          `There are two elements for the same ${node.name} of the pages.`,
          "Remove one.",
        );
      else pages[part] = node;
    }
    for (const { directives, start } of this.#elements) {
      const page = directives.get("data-page");
      const isTaken = Object.values(pages).some(
        (element) => element.start === start,
      );
      if (page && !isTaken && this.#problems.length === 0)
        this.#problem(
          page.at,
          "misplaced",
          "data-page is only for a <header> or <footer> at the top level.",
          "Move the element out of the others, and write <header data-page> or <footer data-page>.",
        );
    }
    return { pages, rest };
  }

  #findPagePart(element: MarkupElement): PagePart | null {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { directives, name, each, test } = element as OpenElement;
    const page = directives.get("data-page");
    if (!page || (name !== "header" && name !== "footer")) return null;
    if (each || test) {
      this.#problem(
        page.at,
        "misplaced",
        "A header or footer of the pages cannot have data-each or data-if.",
        "Put them on an element inside.",
      );
    }
    const value = page.value.trim();
    if (value === "first")
      return name === "header" ? "firstHeader" : "firstFooter";
    if (value !== "" && value !== "all")
      this.#problem(
        page.at,
        "invalid_directive",
        `data-page="${value}" is not known.`,
        'Write data-page for all pages, or data-page="first" for the first one.',
      );
    return name;
  }

  /** Reports elements that a browser would read into another place than the one where they are written. */
  #compareWithBrowser(body: readonly MarkupNode[]): void {
    const parents = new Map<number, number>();
    collectParents(
      parseFragment(
        defaultTreeAdapter.createElement("div", html.NS.HTML, []),
        this.#hideTemplates(),
        { sourceCodeLocationInfo: true },
      ),
      -1,
      parents,
    );
    const visit = (
      nodes: readonly MarkupNode[],
      parent: MarkupElement | null,
    ) => {
      for (const node of nodes) {
        if (node.kind === "text") continue;
        const isWrapper = node.name === "template";
        if (!isWrapper && parents.get(node.start) !== (parent?.start ?? -1))
          this.#reportOtherPlace(node, parent);
        visit(node.children, isWrapper ? parent : node);
        visit(
          [node.otherwise, node.empty].filter((branch) => branch !== undefined),
          parent,
        );
      }
    };
    visit(body, null);
  }

  /** The source with spaces for the tags of templates, which are not printed. */
  #hideTemplates(): string {
    let seen = "";
    let at = 0;
    for (const [start, end] of this.#unseen) {
      seen += this.#masked.slice(at, start) + " ".repeat(end - start);
      at = end;
    }
    return seen + this.#masked.slice(at);
  }

  #reportOtherPlace(
    { name, start }: MarkupElement,
    parent: MarkupElement | null,
  ): void {
    const place =
      parent === null ? "at the top level" : `directly in <${parent.name}>`;
    this.#problem(
      start,
      "misplaced",
      `<${name}> is not allowed ${place}: a browser reads it into another place.`,
      TABLE_ELEMENTS[name] ??
        (parent && TABLE_PARTS.has(parent.name)
          ? "Put it into a <td> or <th>."
          : parent?.name === "p"
            ? "Close the <p> before it, or write a <div> instead of the <p>."
            : "Close the elements around it before, or write <div> or <span> instead of them."),
    );
  }
}

const BLOCK_HINT = "Close the element before it.";

/** Why a block cannot be printed in an element; null when it can. */
function describeClosedPlace(
  { tag, language: elementLanguage }: OpenElement,
  language: MarkupLanguage,
): string | null {
  const isOpen =
    language === "mjml"
      ? tag === "mj-column" || tag === "mj-hero"
      : elementLanguage === "html" &&
        !TABLE_PARTS.has(tag) &&
        !CLOSED_BY_BLOCKS.has(tag);
  return isOpen ? null : `A block is not allowed directly in <${tag}>.`;
}

/** Elements that end, for a browser, where a block begins. */
const CLOSED_BY_BLOCKS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 a button".split(" "),
);

/** Literal text of a Template. */
function escapeBraces(text: string): string {
  return text.replaceAll(/\\?\{\{/g, "\\{{");
}

function sortLetters(word: string): string {
  return word.split("").toSorted().join("");
}

function isInHtml({ language, name }: MarkupElement): boolean {
  return language !== "mjml" || HTML_CONTENT.has(name);
}

type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** The offset of the parent of each element that is written, by its own offset. */
function collectParents(
  root: ParentNode,
  rootStart: number,
  parents: Map<number, number>,
): void {
  const open: [ParentNode, number][] = [[root, rootStart]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, start] = next;
    for (const child of node.childNodes) {
      if (!("tagName" in child)) continue;
      const offset = child.sourceCodeLocation?.startOffset;
      // The second of two elements from one tag is a repair.
      const isRepair = offset !== undefined && parents.has(offset);
      if (offset !== undefined) parents.set(offset, isRepair ? -2 : start);
      open.push([child, offset ?? start]);
    }
  }
}

const TABLE_PARTS: ReadonlySet<string> = new Set([
  "table",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "colgroup",
]);

const TABLE_ELEMENTS: Readonly<Record<string, string>> = {
  tr: "Put it into a <table>, <thead>, <tbody> or <tfoot>.",
  td: "Put it into a <tr>.",
  th: "Put it into a <tr>.",
  thead: "Put it directly into a <table>.",
  tbody: "Put it directly into a <table>.",
  tfoot: "Put it directly into a <table>.",
  col: "Put it into a <colgroup>.",
  colgroup: "Put it directly into a <table>.",
  caption: "Put it directly into a <table>.",
};

/** Refused elements that have no end tag. */
const REFUSED_VOID: ReadonlySet<string> = new Set([
  "area",
  "base",
  "embed",
  "frame",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
]);

type Advice = readonly [message: string, hint: string];

/** What tokenizers report; null for what is harmless or reported elsewhere. */
const PARSE_ERRORS: Readonly<Record<string, Advice | null>> = {
  "invalid-first-character-of-tag-name": null,
  "noncharacter-in-input-stream": null,
  "unexpected-equals-sign-before-attribute-name": [
    "There is an = where an attribute should begin.",
    "Remove it, or write the name of the attribute before it.",
  ],
  "unexpected-character-in-attribute-name": null,
  "unexpected-solidus-in-tag": [
    "There is a / inside of the tag.",
    "Remove it.",
  ],
  "missing-whitespace-between-attributes": [
    "There is no space between two attributes.",
    "Write a space between them.",
  ],
  "missing-attribute-value": [
    "The value of the attribute is missing.",
    'Write it in quotes: name="value".',
  ],
  "duplicate-attribute": [
    "The element has this attribute twice.",
    "Remove one of them.",
  ],
  "unexpected-character-in-unquoted-attribute-value": [
    "The value of the attribute has characters that need quotes.",
    'Write it in quotes: name="value".',
  ],
  "unexpected-null-character": ["There is a null character.", "Remove it."],
  "eof-in-tag": [
    "The tag does not end.",
    'Write the missing ">", or close the quotes of its attributes.',
  ],
  "eof-before-tag-name": [
    "The tag does not end.",
    "Write &lt; for the character <.",
  ],
  "eof-in-comment": ["The comment does not end.", "Write --> where it ends."],
  "abrupt-closing-of-empty-comment": [
    "The comment ends before it begins.",
    "Write <!-- comment -->.",
  ],
  "incorrectly-opened-comment": [
    "This is not a comment or a tag.",
    "Comments are written <!-- comment -->; for the character < write &lt;.",
  ],
  "incorrectly-closed-comment": [
    "The comment is closed by --!>.",
    "Write -->.",
  ],
  "nested-comment": ["There is a <!-- inside of the comment.", "Remove it."],
  "cdata-in-html-content": [
    "CDATA is not allowed.",
    "Write the text with &lt; and &amp;.",
  ],
  "unexpected-question-mark-instead-of-tag-name": [
    "A processing instruction is not allowed.",
    "Remove it.",
  ],
  "missing-end-tag-name": ["The end tag has no name.", "Write </name>."],
  "end-tag-with-attributes": [
    "The end tag has attributes.",
    "Move them into the start tag.",
  ],
  "end-tag-with-trailing-solidus": [
    "The end tag ends with />.",
    "Write </name>.",
  ],
  "unknown-named-character-reference": [
    "There is no character of this name.",
    "Write &amp; for the character &.",
  ],
  "missing-semicolon-after-character-reference": [
    "The semicolon after the name of the character is missing.",
    "Write it, or &amp; for the character &.",
  ],
  "absence-of-digits-in-numeric-character-reference": [
    "The number of the character is missing.",
    "Write it, such as &#8364;, or &amp; for the character &.",
  ],
  "control-character-in-input-stream": [
    "There is a control character.",
    "Remove it.",
  ],
  "control-character-reference": [
    "This refers to a control character.",
    "Remove it.",
  ],
  "surrogate-in-input-stream": ["There is half a character.", "Remove it."],
};
