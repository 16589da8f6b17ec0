import { createHash, randomBytes } from "node:crypto";
import type { Deadline } from "../../plugin-api/index.js";

// A digital signature in a PDF (ISO 32000-1, 12.8; PAdES, ETSI EN 319 142-1). The PDF is written with space for it; then
// everything but that space is hashed, the hash is signed, and the signature is put into the space.

export interface PdfSigner extends SignatureSpace {
  /**
   * @param digest of the PDF without the space for the signature
   * @returns the signature: CMS SignedData in DER
   * @throws PlatenError `unavailable` when it cannot be signed at the moment
   */
  sign(digest: Uint8Array, deadline: Deadline): Promise<Uint8Array>;
}

/** What must be known of a signature before a PDF is written. */
export interface SignatureSpace {
  digestAlgorithm: "sha256" | "sha384" | "sha512";
  /** How long the signature is at most. */
  maxBytes: number;
}

/** A PDF with an empty signature. */
export interface UnsignedPdf {
  digest: Uint8Array;
  /** Where the hexadecimal digits of the signature begin. */
  contentsAt: number;
}

/** A signature without an appearance, which is printed and locked, as archival standards require (ISO 19005-2, 6.3.2). */
export const SIGNATURE_FIELD = {
  Type: "Annot",
  Subtype: "Widget",
  FT: "Sig",
  F: 132,
  Rect: [0, 0, 0, 0],
} as const;

/** Three positions of at most 12 digits: files have less than a terabyte. */
const EMPTY_RANGE = `[0${" ".repeat(3 * 13)}]`;

/** The dictionary of a signature, whose values are filled in after the PDF was written. */
export class EmptySignature {
  /** PDF syntax, which must be written as it is: neither compressed nor encrypted. */
  readonly text: string;
  readonly #rangeAt: number;
  readonly #contentsAt: number;
  readonly #digits: number;

  constructor(
    private readonly space: SignatureSpace,
    signedAt: Date,
  ) {
    this.#digits = space.maxBytes * 2;
    // Makes the text unique in its file.
    const mark = randomBytes(16).toString("hex");
    const date = signedAt.toISOString().replace(/\D/g, "").slice(0, 14);
    const before = `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:${date}Z)/ByteRange`;
    const between = `${before}${EMPTY_RANGE}/Contents<`;
    this.#rangeAt = before.length;
    this.#contentsAt = between.length;
    this.text = `${between}${mark.padEnd(this.#digits, "0")}>>>`;
  }

  /** Where the text begins in a PDF that contains it. */
  findIn(pdf: Buffer): number {
    const at = pdf.indexOf(this.text, 0, "latin1");
    if (at < 0) throw new Error("the PDF has no space for its signature");
    return at;
  }

  /**
   * Hashes a PDF that contains the text.
   * @param textAt where it begins @param size of the PDF
   * @param read bytes of the PDF, in parts of any size @param write overwrites bytes of it
   */
  complete(
    textAt: number,
    size: number,
    read: (start: number, end: number) => Iterable<Uint8Array>,
    write: (at: number, bytes: Buffer) => void,
  ): UnsignedPdf {
    const contentsAt = textAt + this.#contentsAt;
    // The signature's brackets are not signed either.
    const gapStart = contentsAt - 1;
    const gapEnd = contentsAt + this.#digits + 1;
    const range = `[0 ${gapStart} ${gapEnd} ${size - gapEnd}`;
    const padded = `${range.padEnd(EMPTY_RANGE.length - 1)}]`;
    write(textAt + this.#rangeAt, Buffer.from(padded, "latin1"));
    const hash = createHash(this.space.digestAlgorithm);
    for (const part of read(0, gapStart)) hash.update(part);
    for (const part of read(gapEnd, size)) hash.update(part);
    return { digest: hash.digest(), contentsAt };
  }
}

/** The digits to write at `contentsAt`. @throws RangeError for a signature that is longer than its space */
export function toContents(
  signature: Uint8Array,
  { maxBytes }: SignatureSpace,
): Buffer {
  if (signature.length > maxBytes)
    throw new RangeError(
      `the signature has ${signature.length} bytes, and there is space for ${maxBytes}`,
    );
  const digits = Buffer.from(signature).toString("hex");
  return Buffer.from(digits.padEnd(maxBytes * 2, "0"), "latin1");
}
