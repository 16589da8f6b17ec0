import type { AssetReference } from "../definition/asset-registry.js";
import type { SequenceUse } from "../definition/expressions/index.js";
import type { Paper } from "../definition/page/paper.js";
import type { Connection } from "../definition/schema/data-schema.js";
import type { EinvoiceProfile } from "../definition/schema/einvoice-terms.js";
import type {
  RenderOptions,
  PdfSetup,
} from "../definition/schema/output-schema.js";
import type { DataChecker } from "../definition/validation/check-data.js";
import type { Problem } from "../plugin-api/index.js";
import type { Edges } from "./headers/edges.js";
import type { SignField } from "./sign-fields.js";

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
  ): MergedTexts;
  /** Approximate bytes in memory. */
  readonly weight: number;
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
  /** Pixels for each CSS pixel of the image that the document becomes; absent when it becomes none. */
  imageScale?: number;
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

/** Texts by the names of their sources, and the values that they miss; `component` is the name of the source. */
export interface MergedTexts {
  values: Record<string, string>;
  missing: MissingValue[];
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

export interface MergeReport {
  /** Paths without a value, each once per component. */
  missing: MissingValue[];
  /** Texts of the translations that are missing in the language of the document, each once per component. */
  missingTranslations: MissingTranslation[];
  invalidData: InvalidData[];
  /** Rejected image sources; a placeholder is drawn for each. */
  refusedImages: string[];
  /** Those that cannot be drawn only when `MergeOptions.invalidCodes` is "placeholder". */
  invalidCodes: InvalidCode[];
  /** JSON paths of images without `alt`; empty unless the PDF must conform to PDF/UA. */
  imagesWithoutText: string[];
  /** How headers and footers are printed. */
  headers: "margin-box" | "overlay";
}

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

/** A barcode or QR code that cannot encode its value and is drawn as a placeholder, or that is too small to be read. */
export interface InvalidCode {
  /** JSON path of the component. */
  component: string;
  reason: string;
}

/** One record merged into a template as MJML. Images are tokens. */
export interface MergedMjml {
  mjml: string;
  assets: AssetReference[];
}

export interface MergedSigners {
  submitters: readonly MergedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
  redirectUrl: string | null;
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

/** What a record makes of the e-invoice of its template. */
export interface CheckedEinvoice {
  problems: readonly EinvoiceProblem[];
  /** Null when there are problems. */
  einvoice: MergedEinvoice | null;
}

/** A broken rule, with the JSON path of its field. */
export interface EinvoiceProblem extends Problem {
  /** The place of its term in the map: `buyerCountryCode`, `lines.itemName`. */
  term: string;
  /** What the term should have: a code of two letters such as DE. */
  expected?: string;
}

/** One record as an electronic invoice. */
export interface MergedEinvoice {
  profile: EinvoiceProfile;
  xml: string;
}
