import { AssetRegistry } from "../definition/asset-registry.js";
import { describeSmallCode, type PrintedCode } from "../definition/barcodes.js";
import {
  describeInvalidValue,
  type ExpectedValue,
  type InvalidValue,
  type MergeContext,
  type SequenceUse,
} from "../definition/expressions/index.js";
import { listConformance } from "../definition/schema/conformance.js";
import type { PdfSetup } from "../definition/schema/output-schema.js";
import { checkBudget } from "../lib/time-budget.js";
import { PlatenError } from "../plugin-api/index.js";
import { escapeFieldTagsInMarkup, escapeFieldTags } from "./markup.js";
import {
  type MergeOptions,
  type MergeLimits,
  MERGE_LIMITS,
  type MergeReport,
  type MissingValue,
  type MissingTranslation,
  type InvalidCode,
} from "./program.js";
import { SignFields } from "./sign-fields.js";

/** Keys may come from the data. */
const MAX_UNTRANSLATED = 1000;

type RunOptions = Pick<
  MergeOptions,
  | "isTest"
  | "limits"
  | "signingNonce"
  | "invalidCodes"
  | "numbers"
  | "renderOptions"
  | "imageScale"
>;

/** How many elements of a list are reported for one path of a component. */
const MAX_INDEXES = 20;

/** The counters and results of one merge. */
export class Run {
  readonly assets = new AssetRegistry((alt) => this.guardText(alt));
  readonly signing: SignFields;
  readonly isTest: boolean;
  /** Whether a placeholder is drawn for an invalid code; otherwise the merge fails. */
  readonly drawsPlaceholders: boolean;
  readonly #limits: MergeLimits;
  readonly #missing = new Map<string, MissingValue>();
  readonly #untranslated = new Map<string, MissingTranslation>();
  readonly #invalidData = new Map<string, InvalidValue>();
  readonly #indexCounts = new Map<string, number>();
  readonly #invalidCodes = new Map<string, InvalidCode>();
  readonly #imagesWithoutText = new Set<string>();
  readonly #numbers: Readonly<Record<string, string>>;
  readonly #pageScale: number;
  readonly #imageScale: number | undefined;
  readonly #sequences = new Map<string, SequenceUse>();
  #iterations = 0;
  #written = 0;

  constructor(options: RunOptions) {
    const {
      isTest,
      limits,
      signingNonce,
      invalidCodes,
      numbers = {},
      renderOptions,
      imageScale,
    } = options;
    this.isTest = isTest;
    this.#pageScale = renderOptions?.scale ?? 1;
    this.#imageScale = imageScale;
    this.#numbers = numbers;
    this.#limits = { ...MERGE_LIMITS, ...limits };
    this.signing = new SignFields(signingNonce ?? null);
    this.drawsPlaceholders = invalidCodes === "placeholder";
  }

  /** The part of the run that expressions use. */
  context(
    settings: Pick<
      MergeContext,
      "locale" | "currency" | "timeZone" | "now" | "translations"
    >,
  ): MergeContext {
    return {
      ...settings,
      onUntranslated: (key, component, used) =>
        this.#reportUntranslated(key, component, used, settings.locale),
      onMissing: (path, component) => this.#miss(path, component),
      onInvalid: (path, component, expected, value) =>
        this.#reportInvalid(path, component, expected, value),
      findNumber: (use) => this.#findNumber(use),
      spend: (iterations) => this.#spend(iterations),
    };
  }

  /** The numbers of sequences that the document needs and does not have yet. */
  get sequences(): SequenceUse[] {
    return this.isTest
      ? []
      : [...this.#sequences.values()].filter(
          ({ name }) => !Object.hasOwn(this.#numbers, name),
        );
  }

  /** @throws PlatenError `merge_failed` for a sequence that the document writes in two ways */
  #findNumber(use: SequenceUse): string | null {
    const { name, pattern } = use;
    const first = this.#sequences.get(name) ?? use;
    this.#sequences.set(name, first);
    if (first.pattern !== pattern)
      throw new PlatenError(
        "merge_failed",
        `The document has one number of the sequence "${name}", but two patterns for it: ${first.pattern} and ${pattern}. Write the same pattern everywhere, or give one of them another name.`,
      );
    return Object.hasOwn(this.#numbers, name)
      ? (this.#numbers[name] ?? null)
      : null;
  }

  /** @param conformance of the PDF */
  report(conformance?: PdfSetup["conformance"]): Omit<MergeReport, "headers"> {
    const needsText = listConformance(conformance).includes("pdf/ua-1");
    return {
      missing: [...this.#missing.values()],
      missingTranslations: [...this.#untranslated.values()],
      invalidData: [...this.#invalidData.values()],
      refusedImages: this.assets.refused,
      invalidCodes: [...this.#invalidCodes.values()],
      imagesWithoutText: needsText ? [...this.#imagesWithoutText] : [],
    };
  }

  /** Reports each component once, with its first reason. */
  reportInvalidCode(component: string, reason: string): void {
    if (!this.#invalidCodes.has(component))
      this.#invalidCodes.set(component, { component, reason });
  }

  /** Reports a code that is drawn too small to be scanned. @param code its width in CSS px of the unscaled page */
  checkCodeSize(
    component: string,
    { widthPx, ...code }: Omit<PrintedCode, "widthMm"> & { widthPx: number },
  ): void {
    const widthMm = (widthPx / 96) * 25.4 * this.#pageScale;
    const problem = describeSmallCode({ ...code, widthMm }, this.#imageScale);
    if (problem !== null) this.reportInvalidCode(component, problem);
  }

  reportImageWithoutText(component: string): void {
    this.#imagesWithoutText.add(component);
  }

  /** Counts written text and returns it. */
  write(text: string): string {
    checkBudget();
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
   * A valid file name with escaped field tags. Cleans first, because removing characters may bring braces together; null
   * when nothing is left.
   */
  guardFileName(name: string): string | null {
    return toFileName(this.guardText(toFileName(name) ?? ""));
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
    if (!this.#missing.has(key) && this.#hasRoom("missing", path, component))
      this.#missing.set(key, { path, component });
  }

  #reportUntranslated(
    key: string,
    component: string,
    used: string | null,
    locale: string,
  ): void {
    const id = JSON.stringify([key, component]);
    const isKnown = this.#untranslated.has(id);
    if (!isKnown && this.#untranslated.size < MAX_UNTRANSLATED)
      this.#untranslated.set(id, { key, component, locale, used });
  }

  #reportInvalid(
    path: string,
    component: string,
    expected: ExpectedValue,
    value: unknown,
  ): void {
    const key = `${component} ${expected} ${path}`;
    if (this.#invalidData.has(key) || !this.#hasRoom(expected, path, component))
      return;
    const problem = describeInvalidValue(path, component, expected, value);
    this.#invalidData.set(key, problem);
  }

  /** A list may lack a field in every element; the first of them are enough to find the reason. */
  #hasRoom(kind: string, path: string, component: string): boolean {
    const pattern = path.replaceAll(/\[\d+\]/g, "[]");
    if (pattern === path) return true;
    const key = `${component} ${kind} ${pattern}`;
    const count = (this.#indexCounts.get(key) ?? 0) + 1;
    this.#indexCounts.set(key, count);
    return count <= MAX_INDEXES;
  }

  #spend(iterations: number): void {
    checkBudget();
    this.#iterations += iterations;
    if (this.#iterations <= this.#limits.iterations) return;
    throw new PlatenError(
      "merge_failed",
      `The data makes the template repeat components, process long texts and lists, or draw codes and charts, more than ${this.#limits.iterations} times. ` +
        "Send fewer records or shorter texts, or limit the collection.",
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

const MAX_NAME_CHARACTERS = 120;

/** A name without extension that is valid in every file system; null when nothing is left. */
export function toFileName(name: string): string | null {
  const safe = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/^[.\s-]+|[.\s\p{Cs}-]+$/gu, "");
  return safe === "" ? null : safe;
}
