import { PlatenError } from "../../plugin-api/index.js";
import type { MergeContext } from "../../definition/expressions/index.js";
import { AssetBook } from "../../definition/assets/asset-book.js";
import {
  markupWithoutFieldTags,
  withoutFieldTags,
} from "../output/field-tags.js";
import { MERGE_LIMITS, type MergeLimits } from "./limits.js";
import type { MergeOptions } from "./merge-options.js";
import { SignFields } from "./sign-fields.js";

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
  readonly assets = new AssetBook((alt) => this.guardText(alt));
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

  noteInvalidCode(component: string, reason: string): void {
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
