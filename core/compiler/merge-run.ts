import {
  AssetRegistry,
  type AssetReference,
} from "../definition/asset-registry.js";
import {
  compileComputedFields,
  compileText,
  describeInvalidValue,
  type ExpectedValue,
  type InvalidValue,
  type MergeContext,
  type SequenceUse,
  rootScope,
  rootTypes,
  type Scope,
  type ScopeTypes,
} from "../definition/expressions/index.js";
import {
  getDefaultLocale,
  getTranslations,
  isLocaleFromRecord,
} from "../definition/locale.js";
import { isKnownLocale } from "../definition/schema/primitives.js";
import type { Paper } from "../definition/page/paper.js";
import type { Connection } from "../definition/schema/data-schema.js";
import { listConformance } from "../definition/schema/conformance.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";
import type { EinvoiceProfile } from "../definition/schema/einvoice-terms.js";
import type {
  RenderOptions,
  PdfSetup,
} from "../definition/schema/output-schema.js";
import type { DataChecker } from "../definition/validation/check-data.js";
import { checkBudget } from "../lib/time-budget.js";
import {
  PlatenError,
  type Problem,
  type SignFieldType,
} from "../plugin-api/index.js";
import type { Edges } from "./headers/edges.js";
import { escapeFieldTagsInMarkup, escapeFieldTags } from "./markup.js";

export interface MissingValue {
  path: string;
  /** JSON path of the component that reads it. */
  component: string;
}

/** A text that the translations do not have in the language of the document. */
export interface MissingTranslation {
  key: string;
  /** JSON path of the component that prints it. */
  component: string;
  /** The locale of the document. */
  locale: string;
  /** The locale whose text is printed instead; null when nothing is printed. */
  used: string | null;
}

/** Keys may come from the data. */
const MAX_UNTRANSLATED = 1000;

/** A barcode or QR code that cannot encode its value and is drawn as a placeholder. */
export interface InvalidCode {
  /** JSON path of the component. */
  component: string;
  reason: string;
}

type RunOptions = Pick<
  MergeOptions,
  "isTest" | "limits" | "signingNonce" | "invalidCodes" | "numbers"
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
    } = options;
    this.isTest = isTest;
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
  /** The locale of this document, BCP 47; by default that of the record or the template. */
  locale?: string;
  limits?: Partial<MergeLimits>;
  /** Set when the document goes to signing: a secret part of the links that mark its fields; letters and digits. */
  signingNonce?: string;
  /** What happens to a barcode or QR code that cannot encode its value. Default "fail". */
  invalidCodes?: "fail" | "placeholder";
  /** Standards for the PDF; by default those of the template. */
  conformance?: PdfSetup["conformance"];
  /** The numbers that the document has of sequences, as it prints them, by the names of the sequences. */
  numbers?: Readonly<Record<string, string>>;
  /** Enlarges the margins for headers and footers of these heights; see `RunningHeaders.slots`. */
  headerHeights?: readonly number[];
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
  /** Fields of a role that have the same name are one field: they have the same type and options, and one answer. */
  name: string;
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
}

/** The prefix of the links that mark the fields of a document with this nonce. */
export function signLinks(nonce: string): string {
  return `https://esign.invalid/${nonce}/`;
}

export function removeSignLinks(html: string, nonce: string): string {
  return html.replaceAll(
    new RegExp(` href="${signLinks(nonce)}\\d+"`, "g"),
    "",
  );
}

/** The fields of one document and the links that mark their positions when it goes to signing. */
class SignFields {
  readonly #fields: SignField[] = [];
  readonly #namesByKind = new Map<string, string>();
  /** Roles with the names of their fields. */
  readonly #taken = new Set<string>();
  /** How many names were made of a role and a base. */
  readonly #counts = new Map<string, number>();
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

  get latestName(): string {
    return this.#fields.at(-1)?.name ?? "";
  }

  /**
   * @param field its name may be empty, or that of a field of another type
   * @returns the attribute that turns the element into a link; empty when the document does not go to signing
   */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ ...field, id, name: this.#chooseName(field) });
    if (this.#nonce === null) return "";
    return ` href="${signLinks(this.#nonce)}${id}"`;
  }

  /**
   * A name that only fields with the same type and options share: "Note", and "Note 2" for a checkbox of that name. A
   * field without a name is one of its own, named after its type.
   */
  #chooseName({ name, role, type, options }: Omit<SignField, "id">): string {
    const given = name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
    const kind = JSON.stringify([role, given, type, options]);
    const known = given === "" ? undefined : this.#namesByKind.get(kind);
    if (known !== undefined) return known;
    const base = given || type.charAt(0).toUpperCase() + type.slice(1);
    const counter = JSON.stringify([role, base]);
    let number = this.#counts.get(counter) ?? 0;
    let chosen: string;
    let key: string;
    do {
      number += 1;
      chosen = number === 1 ? base : `${base} ${number}`;
      key = JSON.stringify([role, chosen]);
    } while (this.#taken.has(key));
    this.#counts.set(counter, number);
    this.#taken.add(key);
    this.#namesByKind.set(kind, chosen);
    return chosen;
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

/**
 * Starts a merge: checks the record and creates the root scope and the run.
 * @throws PlatenError `merge_failed` when the data is not an object
 */
export type StartMerge = (
  data: unknown,
  options: MergeOptions,
) => { root: Scope; run: Run };

/**
 * Compiles what all parts of a program share: the computed fields, the translations, and the language of a document.
 * @throws PlatenError `invalid_definition`
 */
export function compileStart(
  definition: Omit<ProjectData, "components">,
): StartMerge {
  const { schema, currency = "USD", timeZone = "UTC" } = definition;
  const locale = getDefaultLocale(definition);
  const translations = getTranslations(definition);
  const addComputed = compileComputedFields(schema);
  const readLocale = isLocaleFromRecord(definition)
    ? compileRecordLocale(definition.locale ?? "", rootTypes(schema), locale)
    : null;
  return (data, options) => {
    checkRecord(data);
    const run = new Run(options);
    const { now } = options;
    const start = (language: string) => {
      const settings = { locale: language, currency, timeZone, now };
      const context = run.context({ ...settings, translations });
      return rootScope(data, context, addComputed);
    };
    // What the record's locale is computed from is formatted in the default locale, and not kept.
    const chosen =
      options.locale ?? (readLocale ? readLocale(start(locale)) : locale);
    return { root: start(chosen), run };
  };
}

/** Reads the locale from the record: one that is missing or empty is the default, and an unknown one is reported. */
function compileRecordLocale(
  source: string,
  types: ScopeTypes,
  defaultLocale: string,
): (root: Scope) => string {
  const write = compileText(source, LOCALE_PATH, types);
  return (root) => {
    const text = write(root, "plain").trim();
    // Many programs write de_DE.
    const locale = text.replaceAll("_", "-");
    if (text === "") return defaultLocale;
    if (isKnownLocale(locale)) return locale;
    const expression = source.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, "");
    root.context.onInvalid(expression, LOCALE_PATH, "locale", text);
    return defaultLocale;
  };
}

const LOCALE_PATH = "$.locale";

const REFUSED_KEYS = new Set(["__proto__", "constructor", "prototype"]);
const MAX_DEPTH = 200;

/**
 * Checks that a record is a JSON object without keys that could reach a prototype, at any depth.
 * @throws PlatenError `merge_failed`
 */
function checkRecord(data: unknown): void {
  if (!isObject(data) || Array.isArray(data))
    throw refused(
      "The data of a document must be a JSON object: one record becomes one document.",
    );
  let level = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      throw refused(`The data is nested more than ${MAX_DEPTH} levels deep.`);
    checkBudget();
    const next: Branch[] = [];
    for (const value of level) pushParts(value, next, data);
    level = next;
  }
}

/** A JSON object or array. */
type Branch = Readonly<Record<string, unknown>>;

function pushParts(value: Branch, parts: Branch[], data: Branch): void {
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    if (!isList && REFUSED_KEYS.has(key))
      throw refused(
        `The data has the key "${key}" at ${pathTo(value, data, "$")}, which is not allowed. Rename it.`,
      );
    const part = value[key];
    if (isObject(part)) parts.push(part);
  }
}

/** Computed only for the error message. */
function pathTo(sought: Branch, value: unknown, path: string): string | null {
  if (value === sought) return path;
  if (!isObject(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    const found = pathTo(sought, part, path + step);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Branch {
  return typeof value === "object" && value !== null;
}

function refused(message: string): PlatenError {
  return new PlatenError("merge_failed", message);
}

/** A value of the data that does not fit its use in the template, or its declaration. */
export interface InvalidData {
  /** The path that an expression reads, or a JSON path in the request such as `$.data.price`. */
  path: string;
  /** JSON path of the component that reads it. */
  component?: string;
  code: string;
  expected: string;
  found: string;
  message: string;
  hint?: string;
}

export interface MergeReport {
  /** Paths without a value, each once per component. */
  missing: MissingValue[];
  /** Texts of the translations that are missing in the language of the document, each once per component. */
  missingTranslations: MissingTranslation[];
  invalidData: InvalidData[];
  /** Rejected image sources; a placeholder is drawn for each. */
  refusedImages: string[];
  /** Empty unless `MergeOptions.invalidCodes` is "placeholder". */
  invalidCodes: InvalidCode[];
  /** JSON paths of images without `alt`; empty unless the PDF must conform to PDF/UA. */
  imagesWithoutText: string[];
  /** How headers and footers are printed. */
  headers: "margin-box" | "overlay";
}

/**
 * Headers and footers on separate pages, printed second and laid over the pages of the document; `overlayHtml` makes a
 * document of them. It shares the assets of the merged document.
 */
export interface OverlaySource {
  /** Up to its first page. */
  head: string;
  /** With marks for the page numbers. */
  strips: Edges<string>;
}

/** The headers and footers of a merged document, whose heights only a browser can measure. */
export interface RunningHeaders {
  /** Hidden markup for the end of the body: those that the html does not contain as elements of the class `band`. */
  html: string;
  widthPx: number;
  /** Rules for the html output, in which a header or footer pushes the body away as it does in print. */
  screenStyle: string;
  paper: Paper;
  /** For each header and footer, the index of its element among all elements of the class `band`. */
  slots: Edges<number>;
}

/** One record merged into a template; pdf, html and image outputs use the same html. */
export interface MergedDocument {
  /** A complete document with doctype. Images are tokens, see `assets`. */
  html: string;
  /** Valid in every file system, without extension. */
  fileName: string | null;
  /** The paper and its margins in CSS px, at 96 to the inch. */
  page: Pick<Paper, "widthPx" | "heightPx" | "margin"> & {
    /** The margins of the first page, if they differ. */
    firstMargin?: Paper["firstMargin"];
    /** The window width that shows a whole email. */
    windowPx?: number;
  };
  title: string;
  pdf: MergedPdf;
  /** BCP 47. */
  language: string;
  /** Each token once; `inlineAssets` replaces them. */
  assets: AssetReference[];
  /** Null unless `report.headers` is "overlay". */
  overlay: OverlaySource | null;
  /** Null without headers and footers. */
  headers: RunningHeaders | null;
  signFields: SignField[];
  /** The numbers of sequences that it needs and does not have: it prints zeros in their places. */
  sequences: SequenceUse[];
  report: MergeReport;
}

/** One record merged into a template as MJML. Images are tokens. */
export interface MergedMjml {
  mjml: string;
  assets: AssetReference[];
}

/** A compiled template. It contains no data of records, so any number of merges may share it. */
export interface Program {
  /** @throws PlatenError `merge_failed` when the data is not an object or the document exceeds its limits. */
  merge(data: unknown, options: MergeOptions): MergedDocument;
  /** Merges the record as MJML; components that emails do not support are omitted. @throws as `merge` */
  mjml(data: unknown, options: MergeOptions): MergedMjml;
  /**
   * The electronic invoice of the record, or the rules that it breaks.
   * @throws as `merge`, and `invalid_request` when the template has none
   */
  einvoice(data: unknown, options: MergeOptions): CheckedEinvoice;
  /** Checks a record against the template's schema; merging does not, so that drafts print whatever their sample has. */
  readonly checkData: DataChecker;
  /** The connection of the template's root collection; null when it has none. */
  readonly connection: Connection | null;
  /**
   * The signers of a document of this record.
   * @throws as `merge`, and `invalid_request` for an order that is not a number
   */
  addressees(data: unknown, options: MergeOptions): MergedSigners;
  /**
   * Merges texts with expressions that are not part of the template, each by its JSON path.
   * @throws as `merge`, and `invalid_definition` for an expression that the schema does not allow
   */
  texts(
    sources: Readonly<Record<string, string>>,
    data: unknown,
    options: MergeOptions,
  ): Record<string, string>;
  /** Approximate bytes in memory. */
  readonly weight: number;
}

/** One record as an electronic invoice. */
export interface MergedEinvoice {
  profile: EinvoiceProfile;
  xml: string;
}

/** A broken rule, with the JSON path of its field. */
export interface EinvoiceProblem extends Problem {
  /** The place of its term in the map: `buyerCountryCode`, `lines.itemName`. */
  term: string;
  /** What the term should have: a code of two letters such as DE. */
  expected?: string;
}

/** What a record makes of the e-invoice of its template. */
export interface CheckedEinvoice {
  problems: readonly EinvoiceProblem[];
  /** Null when there are problems. */
  einvoice: MergedEinvoice | null;
}

export function mergeTexts(
  definition: ProjectData,
  sources: Readonly<Record<string, string>>,
  data: unknown,
  options: MergeOptions,
): Record<string, string> {
  const types = rootTypes(definition.schema);
  const { root, run } = compileStart(definition)(data, options);
  const merged = Object.entries(sources).map(([path, source]) => [
    path,
    compileText(source, path, types)(root, "plain"),
  ]);
  assertNumbered(run);
  return Object.fromEntries(merged);
}

/** @throws PlatenError `merge_failed` for a text with a number that its document does not have */
export function assertNumbered({ sequences }: Pick<Run, "sequences">): void {
  const [use] = sequences;
  if (use)
    throw new PlatenError(
      "merge_failed",
      `The document has no number of the sequence "${use.name}". A number is taken when a document prints it: write sequence("${use.name}", "${use.pattern}") in its template, best as a computed field that all texts use.`,
    );
}

/** The PDF settings of a template, merged with a record. */
export interface MergedPdf extends Pick<
  PdfSetup,
  "conformance" | "tagged" | "outline" | "sign" | "before" | "after"
> {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: string[];
}

/** A signer. Texts are trimmed, empty ones omitted. */
export interface MergedSubmitter {
  role: string;
  /** Empty when the record has none. */
  email: string;
  name?: string;
  order?: number;
  values?: Readonly<Record<string, string>>;
  /** JSON path in the definition, for errors, with the index of the element for a mapping. */
  path: string;
}

export interface MergedSigners {
  submitters: readonly MergedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
  redirectUrl: string | null;
}
