import { tokenize, tokenTypes as T } from "css-tree/tokenizer";

/** How a style sheet of a drawing is cleaned. */
export interface CssCleaning {
  /** The address to be written instead; null for one outside of the file. */
  keepAddress(address: string): string | null;
  /** Called with what was left out, such as `The declaration fill`, and an address in it. */
  report(part: string, address: string): void;
  /** Called with the selector of each animation that was left out; it is empty in an attribute. */
  animation(selector: string): void;
  /** Called with each property of `PAINTING`; the selector is empty in an attribute. */
  paint?(property: string, value: string, selector: string): void;
}

interface Token {
  type: number;
  text: string;
}

const OPENING: ReadonlySet<number> = new Set([
  T.LeftCurlyBracket,
  T.LeftParenthesis,
  T.LeftSquareBracket,
  T.Function,
]);
const CLOSING: ReadonlySet<number> = new Set([
  T.RightCurlyBracket,
  T.RightParenthesis,
  T.RightSquareBracket,
]);
const ADDRESSES: ReadonlySet<number> = new Set([
  T.Url,
  T.BadUrl,
  T.String,
  T.BadString,
]);
const COMMENTS: ReadonlySet<number> = new Set([T.Comment, T.CDO, T.CDC]);
/** Functions whose texts in quotes are addresses. */
const LOADING = /^(?:url|src|image|(?:-webkit-)?(?:image-set|cross-fade))\($/i;

/** Without the color that they refer to, they paint nothing or their fallback; without a value, they paint black. */
const PAINTS = /^(?:fill|stroke)$/i;
/** What decides whether a color is seen. */
export const PAINTING =
  /^(?:fill|stroke|stroke-width|(?:fill-|stroke-)?opacity)$/i;
/** Without these two, the other properties of an animation do nothing. */
const ANIMATES = /^(?:-webkit-)?animation(?:-name)?$/i;
/** Namespaces are names, which nothing is loaded from. */
const NAMESPACES =
  /^http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml|1999\/xlink)$/;
/** Of Firefox alone. */
const UNREAD_RULE = /^\s*@(?:-moz-)?document\b/i;

/**
 * Removes what CSS loads from elsewhere (an `@import`, a declaration, or one source of a font) and what starts animations,
 * of which paper would show any moment, and nothing else.
 */
export function cleanCss(css: string, cleaning: CssCleaning): string {
  const tokens: Token[] = [];
  tokenize(css, (type, start, end) => {
    // Without comments, nothing hides in them. `-->` is none, but browsers skip it between rules.
    if (COMMENTS.has(type)) tokens.push({ type: T.WhiteSpace, text: " " });
    else tokens.push({ type, text: css.slice(start, end) });
  });
  return new CssCleaner(tokens, cleaning).clean(0, tokens.length, "");
}

/** A value of CSS, such as that of the attribute `fill`; null for one that loads something from elsewhere. */
export function cleanCssValue(
  value: string,
  name: string,
  cleaning: CssCleaning,
): string | null {
  const property = PAINTS.test(name) ? name : "--x";
  const declaration = cleanCss(`${property}:${value}`, {
    ...cleaning,
    report: (_part, address) =>
      cleaning.report(`The attribute ${name}`, address),
  });
  return declaration === "" ? null : declaration.slice(property.length + 1);
}

class CssCleaner {
  constructor(
    private readonly tokens: readonly Token[],
    private readonly cleaning: CssCleaning,
  ) {}

  /** The statements between two tokens. @param selector what they are for, such as `@font-face`; empty at the top */
  clean(from: number, to: number, selector: string): string {
    let css = "";
    for (let start = from; start < to;) {
      const { block, end } = this.#findStatement(start, to);
      css +=
        block === null
          ? this.#cleanDeclaration(start, end, selector)
          : this.#cleanRule(start, block, end);
      start = end;
    }
    return css;
  }

  /** Its end, and where its block begins. */
  #findStatement(start: number, to: number) {
    for (let index = start; index < to; index += 1) {
      const type = this.tokens[index]?.type ?? 0;
      if (type === T.Semicolon) return { block: null, end: index + 1 };
      if (!OPENING.has(type)) continue;
      const end = this.#findEnd(index, to);
      if (type === T.LeftCurlyBracket && !this.#isCustomProperty(start, index))
        return { block: index, end };
      index = end - 1;
    }
    return { block: null, end: to };
  }

  /** `--name: { … }` is a declaration. */
  #isCustomProperty(start: number, end: number): boolean {
    return /^\s*--[\w-]*\s*:/.test(this.#join(start, end));
  }

  /** Behind the bracket that closes the one at `open`; where none does, the text closes all. */
  #findEnd(open: number, to: number): number {
    let depth = 0;
    for (let index = open; index < to; index += 1) {
      const type = this.tokens[index]?.type ?? 0;
      if (OPENING.has(type)) depth += 1;
      if (CLOSING.has(type)) depth -= 1;
      if (depth === 0) return index + 1;
    }
    return to;
  }

  #cleanRule(start: number, block: number, end: number): string {
    const prelude = this.#join(start, block);
    if (UNREAD_RULE.test(prelude)) return "";
    const hasClose = this.tokens[end - 1]?.type === T.RightCurlyBracket;
    const inside = this.clean(
      block + 1,
      hasClose ? end - 1 : end,
      prelude.trim(),
    );
    const names = this.#cleanPart(start, block);
    if (names.address !== null) {
      this.cleaning.report("The rule", names.address);
      return "";
    }
    return `${names.text}{${inside}}`;
  }

  #cleanDeclaration(start: number, end: number, selector: string): string {
    const text = this.#join(start, end);
    const name = /^[\s}]*([\w-]+|@[^\s"'(;]+)/.exec(text)?.[1] ?? "";
    if (/^@namespace$/i.test(name)) return this.#cleanNamespace(start, end);
    if (name.startsWith("@")) return this.#cleanAtRule(name, text);
    if (/^src$/i.test(name) && /^@font-face$/i.test(selector))
      return this.#cleanSources(start, end);
    if (ANIMATES.test(name)) {
      if (!/:\s*none\b/i.test(text)) this.cleaning.animation(selector);
      return "";
    }
    const { text: cleaned, address } = this.#cleanPart(start, end);
    if (PAINTING.test(name))
      this.cleaning.paint?.(
        name.toLowerCase(),
        cleaned.slice(cleaned.indexOf(":") + 1),
        selector,
      );
    if (address === null) return cleaned;
    if (/^cursor$/i.test(name)) return "";
    this.cleaning.report(`The declaration ${name}`, address);
    return PAINTS.test(name) ? cleaned : "";
  }

  #cleanAtRule(name: string, text: string): string {
    // Without a block, they import, or say what the text is.
    if (/^@layer$/i.test(name) && !/url\(/i.test(text)) return text;
    if (/^@charset$/i.test(name)) return "";
    const address = /url\(\s*["']?([^"')]*)|["']([^"']*)["']/i.exec(text);
    this.cleaning.report(
      `The ${name} of a style sheet`,
      address?.[1] ?? address?.[2] ?? "",
    );
    return "";
  }

  /** A selector may name it; nothing that is drawn is in another namespace. */
  #cleanNamespace(start: number, end: number): string {
    return this.tokens
      .slice(start, end)
      .map(({ type, text }) => {
        if (!ADDRESSES.has(type)) return text;
        const name = text.replace(/^url\(\s*|\s*\)$|["']/gi, "");
        return NAMESPACES.test(name) ? `"${name}"` : '"#"';
      })
      .join("");
  }

  /** The sources of a font are alternatives. */
  #cleanSources(start: number, end: number): string {
    const hasEnd = this.tokens[end - 1]?.type === T.Semicolon;
    const last = hasEnd ? end - 1 : end;
    let from = start;
    while (this.tokens[from]?.type !== T.Colon && from < last) from += 1;
    from += 1;
    const sources: string[] = [];
    for (let index = from; index <= last; index += 1) {
      const type = this.tokens[index]?.type ?? 0;
      if (index < last && OPENING.has(type)) {
        index = this.#findEnd(index, last) - 1;
        continue;
      }
      if (index < last && type !== T.Comma) continue;
      const { text, address } = this.#cleanPart(from, index);
      if (address === null) sources.push(text);
      else this.cleaning.report("The font", address);
      from = index + 1;
    }
    return sources.length === 0
      ? ""
      : `src:${sources.join(",")}${hasEnd ? ";" : ""}`;
  }

  /** The text with its addresses replaced, and the first that is outside of the file. */
  #cleanPart(
    from: number,
    to: number,
  ): { text: string; address: string | null } {
    let text = "";
    let outside: string | null = null;
    let loadingEnd = from;
    for (let index = from; index < to; index += 1) {
      const token = this.tokens[index];
      if (!token) continue;
      const isUnclear =
        token.type === T.BadUrl ||
        (token.text.includes("\\") &&
          (token.type === T.Function || token.type === T.AtKeyword));
      if (isUnclear) return { text: "", address: token.text };
      if (token.type === T.Function && LOADING.test(token.text))
        loadingEnd = Math.max(loadingEnd, this.#findEnd(index, to));
      const address =
        token.type === T.Url
          ? token.text.replace(/^url\(\s*|\s*\)$/gi, "")
          : token.type === T.String && index < loadingEnd
            ? token.text.replace(/^["']|["']$/g, "")
            : null;
      if (address === null) {
        text += token.text;
        continue;
      }
      const inside =
        address.trim() === ""
          ? address
          : this.cleaning.keepAddress(readEscapes(address));
      if (inside === null) {
        outside ??= address;
        text += token.type === T.Url ? "url(#)" : '"#"';
      } else if (inside === address) text += token.text;
      else
        text +=
          token.type === T.Url
            ? `url("${escapeString(inside)}")`
            : `"${escapeString(inside)}"`;
    }
    return { text, address: outside };
  }

  #join(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join("");
  }
}

function escapeString(text: string): string {
  return text.replaceAll(
    /["\\<>\p{Cc}]/gu,
    (character) => `\\${character.codePointAt(0)?.toString(16)} `,
  );
}

function readEscapes(text: string): string {
  return text.replace(
    /\\(?:([0-9a-f]{1,6})\s?|(\r\n|[^]))/gi,
    (_escape, hex: string | undefined, character: string | undefined) => {
      if (hex === undefined)
        return /[\r\n]/.test(character ?? "") ? "" : (character ?? "");
      const codePoint = Number.parseInt(hex, 16);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "\ufffd";
    },
  );
}
