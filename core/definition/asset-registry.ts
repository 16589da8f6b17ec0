import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { escapeXml } from "../lib/escape-xml.js";

/** An image of a merged document that the caller has to fetch or to verify. */
export interface AssetReference {
  /** Replaces the image address in the html; letters, digits and hyphens only. */
  token: string;
  /**
   * `asset:<id>`, an http(s) address, or a data URL in which characters that could end it in CSS or HTML are encoded.
   */
  source: string;
  /** The text of the placeholder that is drawn when the image cannot be fetched. */
  alt: string;
  /** The size in CSS px at which a drawing of ours is shown; absent for other images. */
  drawing?: DrawingSize;
}

interface DrawingSize {
  widthPx: number;
  heightPx: number;
}

/** What every token begins with; 32 hexadecimal digits follow. */
export const TOKEN_START = "platen-asset-";
export const TOKEN_LENGTH = TOKEN_START.length + 32;
/** Matches every token in a merged document. */
export const TOKEN = new RegExp(`${TOKEN_START}[0-9a-f]{32}`, "g");

const INLINE = /^data:image\/[\w.+-]+[;,]/i;

const OUTSIDE = /^(asset:[\w-]+|https?:\/\/\S+)$/i;

/** Whether the image is embedded in the template or the data. */
export function isInline({ source }: Pick<AssetReference, "source">): boolean {
  return INLINE.test(source);
}

/** The images of one document. A token depends only on the image and its text, so equal images share one. */
export class AssetRegistry {
  readonly #references = new Map<string, AssetReference>();
  readonly #refused = new Set<string>();

  /** @param transformAlt applied to each alternative text before it is stored */
  constructor(
    private readonly transformAlt: (alt: string) => string = (alt) => alt,
  ) {}

  get references(): AssetReference[] {
    return [...this.#references.values()];
  }

  /** Rejected image sources, at most 200 characters of each. */
  get refused(): string[] {
    return [...this.#refused];
  }

  /** Returns what to write as the image address: safe in HTML, CSS and XML. Null for a source that is not supported. */
  address(source: string, alt: string): string | null {
    const trimmed = source.trim();
    if (INLINE.test(trimmed) || OUTSIDE.test(trimmed))
      return this.#token(knownSource(trimmed), alt);
    this.#refused.add(trimmed.slice(0, 200));
    return null;
  }

  /** Returns the address of a drawing of ours, which mail programs get as an image of pixels. @param svg complete */
  drawing(svg: string, size: DrawingSize, alt: string): string {
    const source = toDataUrl(svg);
    const { widthPx, heightPx } = size;
    const digest = sha256(`${widthPx} ${heightPx} ${svg}`);
    return this.#token({ source, digest }, alt, size);
  }

  /** Returns the address of a box with the text, for an image whose source is not supported. */
  placeholder(alt: string): string {
    return this.drawing(drawBox(this.transformAlt(alt)), BOX, alt);
  }

  #token(
    { source, digest }: Known,
    words: string,
    drawing?: DrawingSize,
  ): string {
    const alt = this.transformAlt(words);
    const token = tokens.memo(`${digest}\n${alt}`);
    if (!this.#references.has(token))
      this.#references.set(token, {
        token,
        source,
        alt,
        ...(drawing && { drawing }),
      });
    return token;
  }
}

interface Known {
  source: string;
  digest: string;
}

/** The logo of a template occurs in each of its documents; it is cleaned and hashed once. */
const sources = new LRUCache<string, Known>({ max: 256 });
const MAX_CACHED_LENGTH = 65_536;

function knownSource(address: string): Known {
  const cached = sources.get(address);
  if (cached) return cached;
  const source = INLINE.test(address) ? unquoted(address) : address;
  const made = { source, digest: sha256(source) };
  if (address.length <= MAX_CACHED_LENGTH) sources.set(address, made);
  return made;
}

/** The token of a logo with its text is hashed once too. Texts may come from data, so the length of all is bounded. */
const tokens = new LRUCache<string, string>({
  max: 1024,
  maxSize: 1_000_000,
  sizeCalculation: (_token, image) => image.length,
  memoMethod: (image) => TOKEN_START + sha256(image).slice(0, 32),
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Percent-encodes the characters of a data URL that could end it in CSS or HTML. */
function unquoted(address: string): string {
  return address.replace(/["'()\\<>&\s\p{Cc}]/gu, percentEncoded);
}

function percentEncoded(character: string): string {
  const bytes = Buffer.from(character).toString("hex");
  return bytes.replace(/../g, (byte) => `%${byte}`);
}

/** Draws a box with the alternative text for an image that is not available; returns a base64 data URL. */
export function placeholder(alt: string): string {
  return toDataUrl(drawBox(alt));
}

const BOX: DrawingSize = { widthPx: 240, heightPx: 120 };

function drawBox(alt: string): string {
  const words = alt.trim().replace(/\s+/g, " ") || "Image not available";
  const label = words.length > 40 ? `${words.slice(0, 39)}…` : words;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120" viewBox="0 0 240 120">' +
    '<rect x=".5" y=".5" width="239" height="119" rx="6" fill="#f5f6f8" stroke="#c9ced6" stroke-dasharray="4 3"/>' +
    '<g fill="none" stroke="#98a1ae" stroke-width="1.5" stroke-linejoin="round"><rect x="104" y="32" width="32" height="24" rx="3"/>' +
    '<path d="m106 53 8-9 6 6 5-5 9 8"/><circle cx="127" cy="39.500" r="2.500"/></g>' +
    `<text x="120" y="80" text-anchor="middle" font-family="Inter,Noto Sans,sans-serif" font-size="11" fill="#667080">${escapeXml(label)}</text></svg>`
  );
}

function toDataUrl(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
