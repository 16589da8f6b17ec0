import { toFileName } from "../../lib/file-name.js";
import { AssetRegistry } from "../../definition/asset-registry.js";
import type { MergeContext } from "../../definition/expressions/index.js";
import type { RenderOptions } from "../../definition/schema/output-schema.js";
import { PlatenError, type SignFieldType } from "../../plugin-api/index.js";
import { escapeFieldTagsInMarkup, escapeFieldTags } from "../escape.js";

export interface MissingValue {
  path: string;
  /** JSON path of the component that reads it. */
  component: string;
}

/** A barcode or QR code that cannot encode its value and is drawn as a placeholder. */
export interface InvalidCode {
  /** JSON path of the component. */
  component: string;
  reason: string;
}

type RunOptions = Pick<
  MergeOptions,
  "isTest" | "limits" | "signingNonce" | "invalidCodes"
>;

/** The counters and results of one merge. */
export class Run {
  readonly assets = new AssetRegistry((alt) => this.guardText(alt));
  readonly signing: SignFields;
  readonly isTest: boolean;
  /** Whether a placeholder is drawn for an invalid code; otherwise the merge fails. */
  readonly drawsPlaceholders: boolean;
  readonly #limits: MergeLimits;
  readonly #missing = new Map<string, MissingValue>();
  readonly #invalidCodes = new Map<string, InvalidCode>();
  #iterations = 0;
  #written = 0;

  constructor({ isTest, limits, signingNonce, invalidCodes }: RunOptions) {
    this.isTest = isTest;
    this.#limits = { ...MERGE_LIMITS, ...limits };
    this.signing = new SignFields(signingNonce ?? null);
    this.drawsPlaceholders = invalidCodes === "placeholder";
  }

  /** The part of the run that expressions use. */
  context(
    locale: Pick<MergeContext, "locale" | "currency" | "timeZone" | "now">,
  ): MergeContext {
    return {
      ...locale,
      onMissing: (path, component) => this.#miss(path, component),
      spend: (iterations) => this.#spend(iterations),
    };
  }

  get missing(): MissingValue[] {
    return [...this.#missing.values()];
  }

  /** Lists each component once, with its first reason. */
  get invalidCodes(): InvalidCode[] {
    return [...this.#invalidCodes.values()];
  }

  reportInvalidCode(component: string, reason: string): void {
    if (!this.#invalidCodes.has(component))
      this.#invalidCodes.set(component, { component, reason });
  }

  /** Counts written text and returns it. */
  write(text: string): string {
    this.#written += text.length;
    if (this.#written > this.#limits.htmlBytes) throw this.#tooLarge();
    return text;
  }

  /** Escapes field tags in markup from data when the document goes to signing. */
  guardMarkup(markup: string): string {
    return this.signing.isActive ? escapeFieldTagsInMarkup(markup) : markup;
  }

  /** Escapes field tags in plain text when the document goes to signing. */
  guardText(text: string): string {
    return this.signing.isActive ? escapeFieldTags(text) : text;
  }

  /**
   * Counts literal text that a loop is about to write. The factor accounts for conditions, of which only one branch is
   * written.
   */
  reserve(characters: number): void {
    this.#written += characters / 4;
    if (this.#written > this.#limits.htmlBytes) throw this.#tooLarge();
  }

  /** @throws PlatenError `merge_failed` when the finished html is larger than allowed. */
  checkSize(html: string): void {
    const limit = this.#limits.htmlBytes;
    const isSurelySmall = html.length * 3 <= limit; // no character has more bytes
    if (!isSurelySmall && Buffer.byteLength(html) > limit)
      throw this.#tooLarge();
  }

  #miss(path: string, component: string): void {
    const key = `${component} ${path}`;
    if (!this.#missing.has(key)) this.#missing.set(key, { path, component });
  }

  #spend(iterations: number): void {
    this.#iterations += iterations;
    if (this.#iterations <= this.#limits.iterations) return;
    throw new PlatenError(
      "merge_failed",
      `The data makes the template repeat components, or draw long texts, codes and charts, more than ${this.#limits.iterations} times. ` +
        "Send fewer records, or limit the collection.",
    );
  }

  #tooLarge(): PlatenError {
    return new PlatenError(
      "merge_failed",
      `The merged document is larger than ${this.#limits.htmlBytes} bytes of html. ` +
        "Send fewer records, or smaller images.",
    );
  }
}

export interface MergeOptions {
  /** Prints a prominent watermark over the document. */
  isTest: boolean;
  /** The time of TODAY() and NOW(). */
  now: Date;
  renderOptions?: RenderOptions;
  limits?: Partial<MergeLimits>;
  /** Set when the document goes to signing: a secret part of the links that mark its fields; letters and digits. */
  signingNonce?: string;
  /** What happens to a barcode or QR code that cannot encode its value. Default "fail". */
  invalidCodes?: "fail" | "placeholder";
}

/** The limits of one document. Beyond them the merge fails, which bounds its time and memory. */
export interface MergeLimits {
  /** Bytes of the merged html. */
  htmlBytes: number;
  /** Iterations of all loops together. */
  iterations: number;
}

export const MERGE_LIMITS: MergeLimits = {
  htmlBytes: 32 * 1024 * 1024,
  iterations: 200_000,
};

/** A field that a signer fills in. */
export interface SignField {
  /** A number that counts from 1 in document order; the last part of its link. */
  id: string;
  name: string;
  /** The signer's role. */
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
}

/** The prefix of the links that mark the fields of a document with this nonce. */
export function signLinks(nonce: string): string {
  return `https://esign.invalid/${nonce}/`;
}

/** Removes the links that mark fields. */
export function removeSignLinks(html: string, nonce: string): string {
  return html.replaceAll(
    new RegExp(` href="${signLinks(nonce)}\\d+"`, "g"),
    "",
  );
}

/** The fields of one document and the links that mark their positions when it goes to signing. */
class SignFields {
  readonly #fields: SignField[] = [];
  readonly #nonce: string | null;

  /** @param nonce part of the links; null when the document does not go to signing. */
  constructor(nonce: string | null) {
    this.#nonce = nonce;
  }

  get isActive(): boolean {
    return this.#nonce !== null;
  }

  get list(): SignField[] {
    return this.#fields;
  }

  /** @returns the attribute that turns the element into a link; empty when the document does not go to signing. */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ id, ...field });
    if (this.#nonce === null) return "";
    return ` href="${signLinks(this.#nonce)}${id}"`;
  }
}

/** A valid file name with escaped field tags. Cleans first, because removing characters may bring braces together. */
export function guardedFileName(
  merged: string,
  run: Pick<Run, "guardText">,
): string | null {
  return toFileName(run.guardText(toFileName(merged) ?? ""));
}
