import type { AssetReference } from "../../definition/asset-registry.js";
import type { Paper } from "../../definition/page/paper.js";
import type { Connection } from "../../definition/schema/data-schema.js";
import type { PdfSetup } from "../../definition/schema/output-schema.js";
import type {
  MergeOptions,
  SignField,
  InvalidCode,
  MissingValue,
} from "./run.js";

export interface MergeReport {
  /** Paths without a value, each once per component. */
  missing: MissingValue[];
  /** Rejected image sources; a placeholder is drawn for each. */
  refusedImages: string[];
  /** Empty unless `MergeOptions.invalidCodes` is "placeholder". */
  invalidCodes: InvalidCode[];
  /** How headers and footers are printed. */
  headers: "margin-box" | "overlay";
}

/** Headers and footers on separate pages, printed second and laid over the pages of the document. */
export interface OverlaySource {
  /** A complete document with this number of pages; it shares the assets of the merged document. */
  html(pages: number): string;
}

/** One record merged into a template; pdf, html and image outputs use the same html. */
export interface MergedDocument {
  /** A complete document with doctype. Images are tokens, see `assets`. */
  html: string;
  /** Valid in every file system, without extension. */
  fileName: string | null;
  /** The paper and its margins in CSS px, at 96 to the inch. */
  page: Pick<Paper, "widthPx" | "heightPx" | "margin"> & {
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
  /** The fields that signers fill in. */
  signFields: SignField[];
  report: MergeReport;
}

/** One record merged into a template as MJML. Images are tokens. */
export interface MergedMjml {
  mjml: string;
  fileName: string | null;
  assets: AssetReference[];
  report: Pick<MergeReport, "missing" | "refusedImages">;
}

/** A compiled template. It contains no data of records, so any number of merges may share it. */
export interface Program {
  /** @throws PlatenError `merge_failed` when the data is not an object or the document exceeds its limits. */
  merge(data: unknown, options: MergeOptions): MergedDocument;
  /** Merges the record as MJML; components that emails do not support are omitted. @throws as `merge` */
  mjml(data: unknown, options: MergeOptions): MergedMjml;
  /** The connection of the template's root collection; null when it has none. */
  readonly connection: Connection | null;
  /**
   * The signers of a document of this record.
   * @throws as `merge`, and `invalid_request` for an order that is not a number
   */
  addressees(data: unknown, options: MergeOptions): MergedSigners;
  /** Approximate bytes in memory. */
  readonly weight: number;
}

/** The PDF settings of a template, merged with a record. */
export interface MergedPdf extends Pick<
  PdfSetup,
  "tagged" | "outline" | "before" | "after"
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

/** The signers and message of one document. */
export interface MergedSigners {
  submitters: readonly MergedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
}
