import { AssetRegistry } from "../../definition/asset-registry.js";
import type { MergeContext } from "../../definition/expressions/index.js";
import type { RenderOptions } from "../../definition/schema/output-schema.js";
import { PlatenError, type SignFieldType } from "../../plugin-api/index.js";
import { markupWithoutFieldTags, withoutFieldTags } from "../escape.js";

export interface MissingValue {
  path: string;
  /** JSON path of the component that asked for it. */
  component: string;
}

/** A barcode or QR code that cannot carry its value; a placeholder stands in its place. */
export interface InvalidCode {
  /** JSON path of the component. */
  component: string;
  reason: string;
}

type RunOptions = Pick<
  MergeOptions,
  "isTest" | "limits" | "signingNonce" | "invalidCodes"
>;

/** What one merge counts and collects while the program runs. */
export class Run {
  readonly assets = new AssetRegistry((alt) => this.guardText(alt));
  readonly signing: SignFields;
  readonly isTest: boolean;
  /** Whether a code that cannot be drawn is shown as such; otherwise the merge fails. */
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

  /** The part of it that expressions see. */
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

  /** Each component once, with its first reason. */
  get invalidCodes(): InvalidCode[] {
    return [...this.#invalidCodes.values()];
  }

  reportInvalidCode(component: string, reason: string): void {
    if (!this.#invalidCodes.has(component))
      this.#invalidCodes.set(component, { component, reason });
  }

  /** Counts what is written, and gives it back. */
  write(text: string): string {
    this.#written += text.length;
    if (this.#written > this.#limits.htmlBytes) throw this.#tooLarge();
    return text;
  }

  /** Data as markup: where the document goes to signing, it brings no fields of its own. */
  guardMarkup(markup: string): string {
    return this.signing.isActive ? markupWithoutFieldTags(markup) : markup;
  }

  /** The same for text that is not markup. */
  guardText(text: string): string {
    return this.signing.isActive ? withoutFieldTags(text) : text;
  }

  /** Counts literal text that a loop is about to write; both sides of a condition in it, hence the factor. */
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
  /** A watermark that nobody can overlook is drawn over the document. */
  isTest: boolean;
  /** What TODAY() and NOW() give. */
  now: Date;
  renderOptions?: RenderOptions;
  limits?: Partial<MergeLimits>;
  /** Set when the document goes to signing: part of the links that mark its fields; letters and digits, secret. */
  signingNonce?: string;
  /** What becomes of a barcode or QR code whose value it cannot carry. Default "fail". */
  invalidCodes?: "fail" | "placeholder";
}

/** How much one document may become; past it the merge fails, in bounded time and memory. */
export interface MergeLimits {
  /** Bytes of the merged html. */
  htmlBytes: number;
  /** Rounds of all its loops together. */
  iterations: number;
}

export const MERGE_LIMITS: MergeLimits = {
  htmlBytes: 32 * 1024 * 1024,
  iterations: 200_000,
};

/** One field that a signer fills in, in the order in which they stand in the document. */
export interface SignField {
  /** `1`, `2` and so on: the last part of its link. */
  id: string;
  name: string;
  /** The signer's role. */
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
}

/** What the addresses of the links begin with that mark fields in the document of this nonce. */
export function signLinks(nonce: string): string {
  return `https://esign.invalid/${nonce}/`;
}

/** A document that went to signing, for readers of its text: its fields are no links. */
export function withoutSignLinks(html: string, nonce: string): string {
  return html.replaceAll(
    new RegExp(` href="${signLinks(nonce)}\\d+"`, "g"),
    "",
  );
}

/** The fields of one document, and the links that mark their places when it goes to signing. */
class SignFields {
  readonly #fields: SignField[] = [];
  readonly #nonce: string | null;

  /** @param nonce of the links' addresses; null when the document does not go to signing. */
  constructor(nonce: string | null) {
    this.#nonce = nonce;
  }

  get isActive(): boolean {
    return this.#nonce !== null;
  }

  get list(): SignField[] {
    return this.#fields;
  }

  /** @returns the attribute that makes the field's element a link; empty when the document does not go to signing. */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ id, ...field });
    if (this.#nonce === null) return "";
    return ` href="${signLinks(this.#nonce)}${id}"`;
  }
}

const MAX_LENGTH = 120;

/** A merged name made fit for every file system, without extension; null when nothing is left of it. */
export function safeFileName(merged: string): string | null {
  const name = merged
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .slice(0, MAX_LENGTH)
    .replace(/^[.\s-]+|[.\s\p{Cs}-]+$/gu, "");
  return name === "" ? null : name;
}

/** The same of a run, which may keep braces apart: once more, since what stood between two may be gone by then. */
export function guardedFileName(
  merged: string,
  run: Pick<Run, "guardText">,
): string | null {
  return safeFileName(run.guardText(safeFileName(merged) ?? ""));
}
