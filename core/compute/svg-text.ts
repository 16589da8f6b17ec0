import { PlatenError } from "../plugin-api/index.js";
import { decodeUtf8 } from "../lib/utf8.js";

/** Cleaning this much takes about a second; usual drawings have far less. */
const MAX_SVG_CHARACTERS = 2 * 1024 * 1024;

/**
 * The text of an SVG, read in the encoding that its bytes or its XML declaration name. The document type is gone, and the
 * entities that it declares are replaced with their values.
 * @throws PlatenError `invalid_request` for bytes that the encoding does not have, for entities that are not declared in
 * the file itself, and for a text that is too long
 */
export function readSvgText(bytes: Uint8Array): string {
  const text = decode(bytes).trimStart();
  assertLength(text.length);
  const { start, end, subset } = findDoctype(text);
  const drawing = text.slice(0, start) + text.slice(end);
  return OTHER_ENTITY.test(drawing)
    ? expand(drawing, new Entities(subset))
    : drawing;
}

const OTHER_ENTITY = /&(?!#|(?:amp|lt|gt|quot|apos);)/;

export function createSvgError(reason: string): PlatenError {
  return new PlatenError("invalid_request", reason);
}

function assertLength(characters: number): void {
  if (characters > MAX_SVG_CHARACTERS)
    throw createSvgError(
      `The SVG has more than ${MAX_SVG_CHARACTERS} characters. Use a PNG instead.`,
    );
}

const DECLARED_ENCODING =
  /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([\w.:-]+)\s*["']/;

/** The encoding of XML: its byte order mark, its first bytes, or what its declaration says; UTF-8 without any. */
function detectXmlEncoding(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0x3c && second === 0) return "utf-16le";
  if (first === 0 && second === 0x3c) return "utf-16be";
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const declared = DECLARED_ENCODING.exec(head)?.[1] ?? "utf-8";
  // A declaration that can be read byte by byte is not in UTF-16: programs copy it from texts in memory.
  return /^(?:utf-?16|ucs-?2|iso-10646-ucs-2)/i.test(declared)
    ? "utf-8"
    : declared;
}

function decode(bytes: Uint8Array): string {
  const encoding = detectXmlEncoding(bytes);
  const decoder = createDecoder(encoding);
  if (decoder.encoding === "utf-8") return decodeUtf8(bytes, "The SVG");
  try {
    return decoder.decode(bytes);
  } catch {
    const position = findInvalidByte(bytes, encoding);
    const byte = (bytes[position] ?? 0).toString(16).toUpperCase();
    throw createSvgError(
      `The SVG is not ${encoding}, which it says that it is: the byte 0x${byte.padStart(2, "0")} at position ${position} (the first is 0) is not part of a character. Save it as UTF-8.`,
    );
  }
}

function createDecoder(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw createSvgError(
      `The SVG says that its encoding is "${encoding}", which is unknown. Save it as UTF-8.`,
    );
  }
}

/** The position of the byte at which decoding fails. */
function findInvalidByte(bytes: Uint8Array, encoding: string): number {
  const isValid = (length: number) => {
    try {
      const decoder = new TextDecoder(encoding, { fatal: true });
      decoder.decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (isValid(middle)) valid = middle;
    else invalid = middle;
  }
  return Math.min(valid, bytes.length - 1);
}

interface Doctype {
  start: number;
  end: number;
  /** What stands between its brackets. */
  subset: string;
}

const PROLOG = /(?:\s|<\?[^]*?\?>|<!--[^]*?-->)*/y;
const QUOTED_OR_COMMENT = /"[^"]*"|'[^']*'|<!--[^]*?-->|<\?[^]*?\?>|[[\]>]/g;

/** Of no length where there is none. */
function findDoctype(text: string): Doctype {
  PROLOG.lastIndex = 0;
  const start = PROLOG.exec(text)?.[0].length ?? 0;
  if (!/^<!doctype\b/i.test(text.slice(start, start + 10)))
    return { start, end: start, subset: "" };
  let open = 0;
  let close = 0;
  QUOTED_OR_COMMENT.lastIndex = start;
  for (;;) {
    const mark = QUOTED_OR_COMMENT.exec(text);
    if (mark === null)
      throw createSvgError("The SVG is damaged: its DOCTYPE does not end.");
    const [token] = mark;
    if (token === "[" && open === 0) open = mark.index + 1;
    else if (token === "]") close = mark.index;
    else if (token === ">" && (open === 0 || close > 0))
      return {
        start,
        end: mark.index + 1,
        subset: open === 0 ? "" : text.slice(open, close),
      };
  }
}

const ENTITY =
  /<!--[^]*?-->|<\?[^]*?\?>|<!ENTITY\s+(%\s+)?([^\s%"'<>&;]+)\s+(?:"([^"]*)"|'([^']*)'|(SYSTEM|PUBLIC)\b)|(%[\w.:-]+;)/g;
const REFERENCE = /&([^\s&;<>"'#]+);/g;
const PREDEFINED = new Set(["amp", "lt", "gt", "quot", "apos"]);

/** The entities that a document type declares. */
class Entities {
  readonly #declared = new Map<string, string | null>();
  readonly #values = new Map<string, string>();

  constructor(subset: string) {
    for (const [, parameter, name, double, single, , used] of subset.matchAll(
      ENTITY,
    )) {
      if (used !== undefined)
        throw createSvgError(
          `The DOCTYPE of the SVG uses ${used}, which is not supported. Write the entities themselves.`,
        );
      // Of two declarations, the first counts.
      if (name === undefined || parameter !== undefined) continue;
      if (!this.#declared.has(name))
        this.#declared.set(name, double ?? single ?? null);
    }
  }

  /** The text of an entity, with the entities inside of it. */
  value(name: string, within: readonly string[] = []): string {
    const ready = this.#values.get(name);
    if (ready !== undefined) return ready;
    const declared = this.#declared.get(name);
    if (declared === undefined)
      throw createSvgError(
        `The SVG uses &${name};, which it does not declare. Write the character itself.`,
      );
    if (declared === null)
      throw createSvgError(
        `The SVG takes &${name}; from another file, which is never read. Write its text into the SVG.`,
      );
    if (within.includes(name))
      throw createSvgError(`The entity &${name}; of the SVG contains itself.`);
    const text = declared.replace(/&#(x?)([0-9a-f]+);/gi, readCharacter);
    const value = this.replaceIn(text, (entity) => entity, [...within, name]);
    this.#values.set(name, value);
    return value;
  }

  /** @param escape of a value for the place where it is written */
  replaceIn(
    text: string,
    escape: (value: string) => string,
    within: readonly string[] = [],
  ): string {
    let length = 0;
    return text.replace(REFERENCE, (reference, name: string) => {
      if (PREDEFINED.has(name)) return reference;
      const value = escape(this.value(name, within));
      length += value.length;
      assertLength(length);
      return value;
    });
  }
}

/** A character that is written by its number; `&` and `<` stay so, since they would begin something. */
function readCharacter(reference: string, hex: string, digits: string): string {
  const codePoint = Number.parseInt(digits, hex === "" ? 10 : 16);
  if (codePoint === 0x26 || codePoint === 0x3c || !(codePoint <= 0x10ffff))
    return reference;
  return String.fromCodePoint(codePoint);
}

const MARKUP =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<[^!?](?:"[^"<]*"|'[^'<]*'|[^"'<>])*>|&[^\s&;<>"'#]+;/g;
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "'": "&apos;",
  "<": "&lt;",
};

/** The text with all references to entities replaced; an entity in an attribute is text, elsewhere it may be markup. */
function expand(text: string, entities: Entities): string {
  let length = 0;
  return text.replace(MARKUP, (part) => {
    const isText = part.startsWith("&");
    if (!isText && !/^<[^!?][^]*&/.test(part)) return part;
    const expanded = entities.replaceIn(part, (value) =>
      isText
        ? value
        : value.replace(/["'<]/g, (mark) => ATTRIBUTE_ESCAPES[mark] ?? mark),
    );
    length += expanded.length;
    assertLength(length);
    return expanded;
  });
}
