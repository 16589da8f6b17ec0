import { tokenize, tokenTypes as T } from "css-tree/tokenizer";
import { LRUCache } from "lru-cache";
import { findNearestWord } from "../../plugin-api/index.js";
import { splitTemplate } from "../expressions/index.js";
import { isHarmless } from "../expressions/output.js";
import { SIZES } from "../page/paper.js";
import type { PageSetup } from "../schema/output-schema.js";
import type { MarkupProblem } from "./parse-markup.js";

// CSS of markup, read as tokens, so that the syntax of every browser passes and nothing is lost. What loads something is
// found wherever it is, and a sheet whose brackets and quotes are balanced cannot end what is written around it.

/** A part of CSS as it is printed; `image` is the source of an image. */
export type CssPiece = string | { image: string };

export interface StyleSheet {
  /** Rules that apply to the markup only. */
  rules: readonly CssPiece[];
  /** Rules that have no selectors of elements, such as `@font-face`. */
  globals: readonly CssPiece[];
  /** `@page` rules without what `page` has of them. */
  pageRules: readonly CssPiece[];
  /** Size and margins of `@page`. */
  page: Pick<PageSetup, "size" | "width" | "height" | "landscape"> & {
    margin?: Partial<Record<Side, string>>;
  };
  /** The `font-size` of `html`, on which `rem` depends. */
  rootFontSize: string | null;
  problems: readonly MarkupProblem[];
}

type Side = "top" | "right" | "bottom" | "left";
const SIDES = ["top", "right", "bottom", "left"] as const;

interface CssToken {
  type: number;
  start: number;
  end: number;
  text: string;
}

/** At-rules that contain style rules. */
const GROUPS = ["media", "supports", "container", "layer", "scope"];
/** At-rules that concern the whole document, or define what has a name. */
const GLOBALS = [
  "font-face",
  "font-feature-values",
  "font-palette-values",
  "page",
  "keyframes",
  "-webkit-keyframes",
  "property",
  "counter-style",
];
const REFUSED_AT_RULES: Readonly<Record<string, string>> = {
  import: "Write the rules here, or in several <style> elements.",
  charset: "Remove it: the text is Unicode.",
  namespace: "Remove it.",
  "view-transition": "Nothing moves on paper. Remove it.",
  "starting-style": "Nothing moves on paper. Remove it.",
  document: "Remove it.",
};
/** Functions that load images otherwise than by `url()`. */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  "cross-fade",
  "-webkit-cross-fade",
  "element",
  "expression",
  "image",
  "image-set",
  "-webkit-image-set",
  "paint",
  "src",
]);

const OPENING = new Map([
  [T.LeftCurlyBracket, T.RightCurlyBracket],
  [T.LeftParenthesis, T.RightParenthesis],
  [T.LeftSquareBracket, T.RightSquareBracket],
  [T.Function, T.RightParenthesis],
]);
const CLOSING: ReadonlySet<number> = new Set(OPENING.values());

const IMAGE_URL =
  /^(?:asset:[\w-]+|https:\/\/\S+|data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,][^]*)$/i;
const FONT_URL =
  /^(?:asset:[\w-]+|data:(?:font|application)\/[\w.+-]+(?:;[\w=-]+)*;base64,[a-z0-9+/=\s]*)$/i;

interface Edit {
  start: number;
  end: number;
  piece: CssPiece;
}

/** A sheet is read when a definition is checked, compiled and shown in an editor. */
const sheets = new LRUCache<string, StyleSheet>({
  maxSize: 2.5 * 1024 * 1024,
  sizeCalculation: (_sheet, css) => css.length + 1,
});

export function parseStyleSheet(css: string): StyleSheet {
  const cached = sheets.get(css);
  if (cached) return cached;
  const made = new SheetReader(css).read();
  sheets.set(css, made);
  return made;
}

/** Tokens with their matching brackets, and the problems of the text as a whole. */
class CssReader {
  readonly problems: MarkupProblem[] = [];
  readonly tokens: CssToken[] = [];
  /** The index of the closing bracket by the index of the opening one. */
  readonly ends = new Map<number, number>();
  protected readonly edits: Edit[] = [];

  constructor(protected readonly css: string) {
    tokenize(css, (type, start, end) =>
      this.tokens.push({ type, start, end, text: css.slice(start, end) }),
    );
    for (const token of this.tokens) this.#checkToken(token);
    // A text that does not end contains brackets that are none.
    if (this.problems.length === 0) this.#matchBrackets();
  }

  problem(at: number, code: string, message: string, hint: string): void {
    if (this.problems.length < 200)
      this.problems.push({ at, code, message, hint });
  }

  #matchBrackets(): void {
    const open: number[] = [];
    for (const [index, { type, start, text }] of this.tokens.entries()) {
      if (OPENING.has(type)) open.push(index);
      if (!CLOSING.has(type)) continue;
      const from = open.at(-1);
      const opening = from === undefined ? undefined : this.tokens[from];
      if (from === undefined || OPENING.get(opening?.type ?? -1) !== type) {
        this.problem(
          start,
          "invalid_css",
          `"${text}" closes nothing.`,
          "Remove it, or write the bracket that it closes.",
        );
        continue;
      }
      this.ends.set(from, index);
      open.pop();
    }
    for (const index of open) {
      const { start = 0, text = "" } = this.tokens[index] ?? {};
      this.problem(
        start,
        "invalid_css",
        `"${text.slice(-40)}" is not closed.`,
        `Write the missing "${text === "{" ? "}" : text === "[" ? "]" : ")"}".`,
      );
    }
  }

  #checkToken({ type, start, text }: CssToken): void {
    const name = text.toLowerCase().replace(/\($/, "");
    if (type === T.BadString || (type === T.String && !isClosedString(text)))
      this.problem(
        start,
        "invalid_css",
        "The text in quotes does not end.",
        "Write the closing quote.",
      );
    else if (type === T.BadUrl || (type === T.Url && !text.endsWith(")")))
      this.problem(
        start,
        "invalid_css",
        "The url() is not valid, or does not end.",
        'Write the address in quotes: url("asset:<id>").',
      );
    else if (type === T.Comment && !/^\/\*[^]*\*\/$/.test(text))
      this.problem(
        start,
        "invalid_css",
        "The comment does not end.",
        "Write */ where it ends.",
      );
    else if (type === T.CDO || type === T.CDC)
      this.problem(
        start,
        "invalid_css",
        `${text} is not CSS.`,
        "Comments are written /* comment */.",
      );
    else if (
      (type === T.Function || type === T.Url || type === T.AtKeyword) &&
      text.includes("\\") &&
      !/^url\(\s*"?data:/i.test(text)
    )
      this.problem(
        start,
        "not_allowed",
        `${JSON.stringify(text.slice(0, 60))} has a backslash, which hides what it is.`,
        "Write it without one.",
      );
    else if (type === T.Function && REFUSED_FUNCTIONS.has(name))
      this.problem(
        start,
        "not_allowed",
        `The function ${name}() is not allowed.`,
        'Write url("asset:<id>") for an image.',
      );
  }

  /** Registers the addresses of a part, as images or as fonts. */
  protected checkUrls(from: number, to: number, isFont: boolean): void {
    for (let index = from; index < to; index += 1) {
      const token = this.tokens[index];
      if (!token) continue;
      const { type, start, text } = token;
      if (type === T.Url) {
        const address = text.replace(/^url\(\s*/i, "").replace(/\s*\)$/, "");
        this.#checkUrl(address, start, token.end, isFont);
      } else if (type === T.Function && text.toLowerCase() === "url(") {
        const end = this.ends.get(index) ?? index;
        const inside = this.tokens
          .slice(index + 1, end)
          .filter(
            (innerToken) =>
              innerToken.type !== T.WhiteSpace && innerToken.type !== T.Comment,
          );
        const [only, ...more] = inside;
        if (only?.type === T.String && more.length === 0)
          this.#checkUrl(
            only.text.slice(1, -1),
            start,
            this.tokens[end]?.end ?? token.end,
            isFont,
          );
        else
          this.problem(
            start,
            "invalid_css",
            "The url() has no address in quotes.",
            'Write url("asset:<id>").',
          );
      }
    }
  }

  #checkUrl(
    address: string,
    start: number,
    end: number,
    isFont: boolean,
  ): void {
    if (/^#[\w-]+$/.test(address) && !isFont) return;
    if (
      !address.includes("\\") &&
      (isFont ? FONT_URL : IMAGE_URL).test(address)
    ) {
      if (isFont)
        this.edits.push({
          start,
          end,
          piece: `url("${address.replaceAll(/\s/g, "")}")`,
        });
      else this.edits.push({ start, end, piece: { image: address } });
      return;
    }
    this.problem(
      start,
      "not_allowed",
      `${JSON.stringify(address.slice(0, 80))} is not an address that a style may load${isFont ? " a font from" : ""}.`,
      isFont
        ? 'Upload the font as an asset and write url("asset:<id>"), or write a data URL in base64.'
        : "Write asset:<id>, an https address, or the data URL of an image.",
    );
  }

  /** The texts between offsets, which ascend, with all that is replaced in them. */
  protected cutAll(
    parts: readonly (readonly [number, number])[],
  ): CssPiece[][] {
    const edits = this.edits.toSorted(
      (edit, other) => edit.start - other.start,
    );
    let next = 0;
    return parts.map(([start, end]) => {
      const pieces: CssPiece[] = [];
      let at = start;
      for (
        let edit = edits[next];
        edit && edit.end <= end;
        edit = edits[next]
      ) {
        next += 1;
        if (edit.start < at) continue;
        pieces.push(this.css.slice(at, edit.start), edit.piece);
        at = edit.end;
      }
      pieces.push(this.css.slice(at, end));
      return pieces.filter((piece) => piece !== "");
    });
  }

  /** The index of the first token from `index` that is neither white space nor a comment. */
  protected skip(index: number, to: number): number {
    let at = index;
    while (at < to && this.#isSpace(at)) at += 1;
    return at;
  }

  #isSpace(index: number): boolean {
    const type = this.tokens[index]?.type;
    return type === T.WhiteSpace || type === T.Comment;
  }
}

function isClosedString(text: string): boolean {
  const quote = text.charAt(0);
  if (text.length < 2 || !text.endsWith(quote)) return false;
  const [, slashes = ""] = /(\\*).$/s.exec(text) ?? [];
  return slashes.length % 2 === 0;
}

/** What a block contains. */
type Content =
  "rules" | "style" | "page" | "keyframes" | "descriptors" | "font";

class SheetReader extends CssReader {
  readonly #rules: [start: number, end: number][] = [];
  readonly #globals: [start: number, end: number][] = [];
  readonly #pageRules: [start: number, end: number][] = [];
  readonly #page: StyleSheet["page"] = {};
  #rootFontSize: string | null = null;

  read(): StyleSheet {
    const { css } = this;
    const end = /<\/style/i.exec(css)?.index;
    if (end !== undefined)
      this.problem(
        end,
        "not_allowed",
        "</style> is not allowed in CSS.",
        "Remove it.",
      );
    const braces = css.indexOf("{{");
    if (braces >= 0)
      this.problem(
        braces,
        "not_allowed",
        "Expressions are not allowed in CSS.",
        'Set a custom property on an element, style="--color: {{ root.color }}", and use it here: var(--color).',
      );
    if (this.problems.length === 0)
      this.#readBlock(0, this.tokens.length, "rules", true);
    const cutAll = (parts: readonly [number, number][]) =>
      this.problems.length > 0
        ? []
        : this.cutAll(parts).flatMap((pieces) => [...pieces, "\n"]);
    return {
      rules: cutAll(this.#rules),
      globals: cutAll(this.#globals),
      pageRules: cutAll(this.#pageRules),
      page: this.#page,
      rootFontSize: this.#rootFontSize,
      problems: this.problems,
    };
  }

  /** Reads the statements between two tokens. */
  #readBlock(from: number, to: number, content: Content, isTop = false): void {
    let start = this.skip(from, to);
    while (start < to) {
      const statement = this.#findStatement(start, to, content);
      const { open, end } = statement;
      const first = this.tokens[start];
      if (first?.type === T.AtKeyword)
        this.#readAtRule(start, open, end, content, isTop);
      else if (open !== null) this.#readRule(start, open, content, isTop);
      else if (first?.type !== T.Semicolon)
        this.#readDeclaration(start, end, content);
      start = this.skip(end, to);
    }
  }

  /** The block and the end of the statement that begins at `start`. */
  #findStatement(
    start: number,
    to: number,
    content: Content,
  ): { open: number | null; end: number } {
    const isProperty =
      content !== "rules" && this.tokens[start]?.text.startsWith("--") === true;
    for (let index = start; index < to; index += 1) {
      const type = this.tokens[index]?.type;
      if (type === T.Semicolon) return { open: null, end: index + 1 };
      const close = this.ends.get(index);
      if (close === undefined) continue;
      if (type === T.LeftCurlyBracket && !isProperty)
        return { open: index, end: close + 1 };
      index = close;
    }
    return { open: null, end: to };
  }

  #readAtRule(
    start: number,
    open: number | null,
    end: number,
    content: Content,
    isTop: boolean,
  ): void {
    const { text = "", start: at = 0 } = this.tokens[start] ?? {};
    const name = text.slice(1).toLowerCase();
    const place: [number, number] = [at, this.tokens[end - 1]?.end ?? at];
    if (content === "page" || content === "descriptors") {
      this.checkUrls(start, open ?? end, false);
      if (open !== null) this.#readBlock(open + 1, end - 1, "descriptors");
      return;
    }
    const isGroup = GROUPS.includes(name);
    if (!isGroup && !GLOBALS.includes(name)) {
      const meant = findNearestWord(name, [...GROUPS, ...GLOBALS]);
      this.problem(
        at,
        "not_allowed",
        `@${name} is not allowed.`,
        REFUSED_AT_RULES[name] ??
          (meant === undefined ? "Remove it." : `Did you mean @${meant}?`),
      );
      return;
    }
    if (open === null && name !== "layer") {
      this.problem(
        at,
        "invalid_css",
        `@${name} has no block.`,
        `Write @${name} … { … }.`,
      );
      return;
    }
    if (isGroup) {
      if (open !== null) {
        const inner = content === "style" ? "style" : "rules";
        if (name === "scope") this.#rewriteSelectors(start + 1, open);
        this.#readBlock(open + 1, end - 1, inner);
      }
      if (isTop) (open === null ? this.#globals : this.#rules).push(place);
      return;
    }
    if (!isTop) {
      this.problem(
        at,
        "misplaced",
        `@${name} is not allowed inside of another rule.`,
        "Move it to the top level of the style sheet.",
      );
      return;
    }
    if (open === null) return;
    if (name === "page") this.#readPage(start, open, end - 1);
    else
      this.#readBlock(
        open + 1,
        end - 1,
        name === "font-face"
          ? "font"
          : name.endsWith("keyframes")
            ? "keyframes"
            : "descriptors",
      );
    (name === "page" ? this.#pageRules : this.#globals).push(place);
  }

  #readRule(
    start: number,
    open: number,
    content: Content,
    isTop: boolean,
  ): void {
    const close = this.ends.get(open) ?? open;
    const { start: at = 0 } = this.tokens[start] ?? {};
    const prelude = this.css
      .slice(at, this.tokens[open]?.start)
      .trim()
      .toLowerCase();
    if (prelude === "")
      this.problem(
        at,
        "invalid_css",
        "The rule has no selector.",
        "Write one before the {.",
      );
    if (content === "rules" || content === "style") {
      this.#rewriteSelectors(start, open);
      this.checkUrls(start, open, false);
    }
    this.#readBlock(open + 1, close, content === "rules" ? "style" : content);
    if (!isTop) return;
    this.#rules.push([at, this.tokens[close]?.end ?? at]);
    if (prelude === "html" || prelude === ":root") {
      const size = /(?:^|[;{\s])font-size\s*:\s*([\w.%]+)\s*(?:;|$)/.exec(
        this.css.slice(this.tokens[open]?.end, this.tokens[close]?.start),
      );
      this.#rootFontSize = size?.[1] ?? this.#rootFontSize;
    }
  }

  #readDeclaration(start: number, end: number, content: Content): void {
    const { start: at = 0, text = "" } = this.tokens[start] ?? {};
    const colon = this.skip(start + 1, end);
    const isDeclaration = this.tokens[colon]?.type === T.Colon;
    if (content === "rules" || !isDeclaration) {
      const until = this.tokens[end - 1]?.end ?? at;
      this.problem(
        at,
        "invalid_css",
        content === "rules"
          ? `${JSON.stringify(this.css.slice(at, Math.min(until, at + 60)))} is not a rule.`
          : `There is no colon after ${JSON.stringify(text.slice(0, 60))}.`,
        content === "rules"
          ? "Write selector { property: value; }."
          : "Write property: value;",
      );
      return;
    }
    this.checkUrls(colon, end, content === "font");
  }

  /** Takes size and margins, which determine the paper of the document; the other parts stay as they are written. */
  #readPage(start: number, open: number, close: number): void {
    const isGeneral = this.skip(start + 1, open) === open;
    if (!isGeneral) {
      this.#readBlock(open + 1, close, "page");
      return;
    }
    let at = this.skip(open + 1, close);
    while (at < close) {
      const { open: block, end } = this.#findStatement(at, close, "page");
      const { start: from = 0, text = "" } = this.tokens[at] ?? {};
      const property = text.toLowerCase();
      const to = this.tokens[end - 1]?.end ?? from;
      if (block !== null) this.#readBlock(at, end, "page");
      else if (property === ";") {
        // Nothing is declared.
      } else if (
        property === "size" ||
        /^margin(?:-(?:top|right|bottom|left))?$/.test(property)
      ) {
        const value = this.css
          .slice(from, to)
          .replace(/^[^:]*:/, "")
          .replace(/(?:\s*!\s*important)?\s*;?\s*$/i, "")
          .replaceAll(/\/\*[^]*?\*\//g, " ")
          .trim()
          .toLowerCase();
        const isRead =
          property === "size"
            ? this.#readSize(value)
            : this.#readMargin(property, value);
        if (!isRead)
          this.problem(
            from,
            "invalid_css",
            `${JSON.stringify(value.slice(0, 60))} is not a ${property} of a page that is supported.`,
            property === "size"
              ? "Write A3, A4, A5, letter, legal or ledger, also with landscape, or a width and a height in mm, cm, in, pt or px."
              : "Write lengths in mm, cm, in, pt or px.",
          );
        this.edits.push({ start: from, end: to, piece: "" });
      } else this.#readDeclaration(at, end, "page");
      at = this.skip(end, close);
    }
  }

  #readSize(value: string): boolean {
    const words = value.split(/\s+/);
    const orientation = words.find(
      (word) => word === "landscape" || word === "portrait",
    );
    const rest = words.filter((word) => word !== orientation);
    const [width = "", height = width] = rest;
    if (rest.length > 2) return false;
    if (orientation) this.#page.landscape = orientation === "landscape";
    if (rest.length === 0) return orientation !== undefined;
    const name = Object.keys(SIZES).find(
      (sizeName) =>
        sizeName.toLowerCase() === (width === "ledger" ? "tabloid" : width),
    );
    if (name !== undefined && rest.length === 1) {
      // The keys of a record are those of its type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      this.#page.size = name as keyof typeof SIZES;
      if (width === "ledger") this.#page.landscape = orientation !== "portrait";
      return true;
    }
    if (!LENGTH.test(width) || !LENGTH.test(height)) return false;
    Object.assign(this.#page, { size: "Custom", width, height });
    return true;
  }

  #readMargin(property: string, value: string): boolean {
    const lengths = value.split(/\s+/);
    if (!lengths.every((length) => LENGTH.test(length)) || lengths.length > 4)
      return false;
    const [top = "0", right = top, bottom = top, left = right] = lengths;
    const side = SIDES.find((candidate) => property === `margin-${candidate}`);
    if (side !== undefined && lengths.length > 1) return false;
    const margin =
      side === undefined ? { top, right, bottom, left } : { [side]: top };
    this.#page.margin = { ...this.#page.margin, ...margin };
    return true;
  }

  /** The markup is inside of an element of its own, which stands for `html`, `:root` and `body`. */
  #rewriteSelectors(from: number, to: number): void {
    for (let index = from; index < to; index += 1) {
      const { type, text = "", start = 0, end = 0 } = this.tokens[index] ?? {};
      const before = this.tokens[index - 1];
      const isNamed =
        index > from &&
        (before?.type === T.Colon ||
          before?.text === "." ||
          before?.text === "[" ||
          before?.text === "|" ||
          before?.text === "&");
      const word = text.toLowerCase();
      const isType =
        type === T.Ident && !isNamed && (word === "html" || word === "body");
      const isRoot =
        type === T.Colon &&
        this.tokens[index + 1]?.text.toLowerCase() === "root" &&
        before?.type !== T.Colon;
      if (!isType && !isRoot) continue;
      const last = isRoot ? index + 1 : index;
      const next = this.#findBody(last + 1, to);
      this.edits.push(
        word !== "body" && next !== null
          ? { start, end: this.tokens[next]?.start ?? end, piece: "" }
          : {
              start,
              end: this.tokens[last]?.end ?? end,
              piece: ":where(:scope)",
            },
      );
      index = last;
    }
  }

  /** The token `body` after `html`, `html >` or the like. */
  #findBody(from: number, to: number): number | null {
    let at = this.skip(from, to);
    if (this.tokens[at]?.text === ">") at = this.skip(at + 1, to);
    return this.tokens[at]?.text.toLowerCase() === "body" ? at : null;
  }
}

const LENGTH = /^(?:0|\d+(?:\.\d+)?(?:mm|cm|in|pt|px))$/;

/** One declaration of a `style` attribute. */
export interface StyleDeclaration {
  property: string;
  /** The value if it is constant. */
  pieces: readonly CssPiece[] | null;
  /** A Template if it is not. */
  template: string;
}

const EXPRESSION = "\ufdd0";

/** Reads the Template of a `style` attribute. The places of problems are offsets in the Template. */
export function parseStyleAttribute(template: string): {
  declarations: StyleDeclaration[];
  problems: readonly MarkupProblem[];
} {
  if (!template.includes("{{")) return new StyleReader(template, []).read();
  const { literals, inner } = splitTemplate(template);
  const css = literals.join(EXPRESSION);
  return new StyleReader(css, inner).read();
}

class StyleReader extends CssReader {
  constructor(
    css: string,
    private readonly expressions: readonly string[],
  ) {
    super(css);
  }

  read() {
    const declarations: StyleDeclaration[] = [];
    let used = 0;
    let start = this.skip(0, this.tokens.length);
    while (start < this.tokens.length && this.problems.length === 0) {
      let end = start;
      while (end < this.tokens.length && this.tokens[end]?.type !== T.Semicolon)
        end = (this.ends.get(end) ?? end) + 1;
      const from = this.tokens[start]?.start ?? 0;
      const to = this.tokens[end]?.start ?? this.css.length;
      const whole = this.css.slice(from, to);
      if (start < end) {
        const colon = this.skip(start + 1, end);
        const valueStart = this.tokens[colon]?.end ?? to;
        const property = this.tokens[start]?.text ?? "";
        const count = whole.split(EXPRESSION).length - 1;
        const inner = this.expressions.slice(used, used + count);
        used += count;
        if (
          this.tokens[colon]?.type !== T.Colon ||
          property.includes(EXPRESSION)
        )
          this.problem(
            from,
            "invalid_css",
            `${JSON.stringify(whole.replaceAll(EXPRESSION, "{{…}}").slice(0, 60))} is not a declaration.`,
            "Write property: value;, with expressions in the value only.",
          );
        else
          declarations.push(
            this.#declaration(property, valueStart, to, colon, end, inner),
          );
      }
      start = this.skip(end + 1, this.tokens.length);
    }
    return { declarations, problems: this.problems };
  }

  #declaration(
    property: string,
    from: number,
    to: number,
    colon: number,
    end: number,
    expressions: readonly string[],
  ): StyleDeclaration {
    const value = this.css.slice(from, to);
    if (expressions.length === 0) {
      this.checkUrls(colon, end, false);
      return {
        property,
        pieces: this.cutAll([[from, to]])[0] ?? [],
        template: "",
      };
    }
    if (
      !isHarmless(value.replaceAll(EXPRESSION, "0")) ||
      /[;{}\\]|!|\/\*/.test(value)
    )
      this.problem(
        from,
        "not_allowed",
        `The value of ${property} is not allowed together with an expression.`,
        `Set a custom property to the expression, style="--value: {{ … }}", and use it in CSS: ${property}: … var(--value).`,
      );
    let index = 0;
    const template = value
      .trim()
      .replaceAll(EXPRESSION, () => `{{${expressions[index++] ?? ""}}}`);
    return { property, pieces: null, template };
  }
}
