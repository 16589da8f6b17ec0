import { createHash } from "node:crypto";

/** An image that somebody else has to bring, or at least to look at. */
export interface AssetReference {
  /** Stands in the html in the image's place; letters, digits and hyphens only. */
  token: string;
  /** `asset:<id>`, an http(s) address, or a data URL without what could end it in CSS or HTML. */
  source: string;
  /** What the placeholder says when it cannot be had. */
  alt: string;
}

/** Matches every token in a merged document. */
export const TOKEN = /platen-asset-[0-9a-f]{32}/g;

const INLINE =
  /^data:image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)[;,]/i;

/** Whether the image came along with the template or the data. */
export function isInline({ source }: Pick<AssetReference, "source">): boolean {
  return INLINE.test(source);
}

/** The images of one document: each is named by a token that depends on nothing but itself. */
export class AssetBook {
  readonly #references = new Map<string, AssetReference>();
  readonly #refused = new Set<string>();

  get references(): AssetReference[] {
    return [...this.#references.values()];
  }

  /** Sources that are no image that a document may show, at most 200 characters of each. */
  get refused(): string[] {
    return [...this.#refused];
  }

  /** What to write as the image's address: safe in HTML, CSS and XML as it is. Null when its source is not accepted. */
  address(source: string, alt: string): string | null {
    const trimmed = source.trim();
    if (INLINE.test(trimmed)) return this.#token(unquoted(trimmed), alt);
    if (/^(asset:[\w-]+|https?:\/\/\S+)$/i.test(trimmed))
      return this.#token(trimmed, alt);
    this.#refused.add(trimmed.slice(0, 200));
    return null;
  }

  #token(source: string, alt: string): string {
    const hash = createHash("sha256").update(`${source}\n${alt}`).digest("hex");
    const token = `platen-asset-${hash.slice(0, 32)}`;
    if (!this.#references.has(token))
      this.#references.set(token, { token, source, alt });
    return token;
  }
}

/** The same data URL without what could end it in CSS or in HTML, wherever it is going to stand. */
function unquoted(address: string): string {
  return address.replace(/["'()\\<>&\s\p{Cc}]/gu, percentEncoded);
}

function percentEncoded(character: string): string {
  const bytes = Buffer.from(character).toString("hex");
  return bytes.replace(/../g, (byte) => `%${byte}`);
}
