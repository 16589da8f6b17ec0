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
  /** Paths that had no value, each once for a component. */
  missing: MissingValue[];
  /** Image sources that a document may not show; a placeholder is drawn. */
  refusedImages: string[];
  /** Empty unless they may have placeholders, see `MergeOptions`. */
  invalidCodes: InvalidCode[];
  /** How headers and footers are printed. */
  headers: "margin-box" | "overlay";
}

/** Page-sized strips with headers and footers, printed second and laid over the document's pages. */
export interface OverlaySource {
  /** A complete document of as many pages; its assets are those of the merged document. */
  html(pages: number): string;
}

/** One record merged into a template: the same html for pdf, html and image. */
export interface MergedDocument {
  /** Complete, doctype first. Images that are not in it stand as tokens, see `assets`. */
  html: string;
  /** Fit for a file system, without extension. */
  fileName: string | null;
  /** The paper and its margins in CSS px, at 96 to the inch. */
  page: Pick<Paper, "widthPx" | "heightPx" | "margin"> & {
    /** How wide a window is that shows all of an email; a document is shown on its paper. */
    windowPx?: number;
  };
  title: string;
  pdf: MergedPdf;
  /** BCP 47. */
  language: string;
  /** Each token once; `inlineAssets` puts the images in. */
  assets: AssetReference[];
  /** Null unless `report.headers` is "overlay". */
  overlay: OverlaySource | null;
  /** What its signers fill in. */
  signFields: SignField[];
  report: MergeReport;
}

/** One record merged into a template as MJML. Images that are not in it stand as tokens. */
export interface MergedMjml {
  mjml: string;
  fileName: string | null;
  assets: AssetReference[];
  report: Pick<MergeReport, "missing" | "refusedImages">;
}

/** A compiled template. Holds nothing of any record, so any number of merges may share it. */
export interface Program {
  /** @throws PlatenError `merge_failed` when the data is no record or the document outgrows its limits. */
  merge(data: unknown, options: MergeOptions): MergedDocument;
  /** MJML of the same record; of a document template, what emails have a use for. @throws as `merge` */
  mjml(data: unknown, options: MergeOptions): MergedMjml;
  /** The template's root connection, as it is written; null when it has none. */
  readonly connection: Connection | null;
  /** Who signs a document of this record. @throws as `merge`, and `invalid_request` for an order that is no number */
  addressees(data: unknown, options: MergeOptions): MergedAddressees;
  /** Approximate bytes that it keeps in memory. */
  readonly weight: number;
}

/** What a template says of its PDF, with the record's data in it. */
export interface MergedPdf extends Pick<
  PdfSetup,
  "tagged" | "outline" | "before" | "after"
> {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: string[];
}

/** One who signs, as the template and the record name them. Texts are trimmed; what is empty is left out. */
export interface MergedSubmitter {
  role: string;
  /** Empty where the record has none. */
  email: string;
  name?: string;
  order?: number;
  values?: Readonly<Record<string, string>>;
  /** JSON path in the definition, for errors; of a collection, with the element's place in it. */
  path: string;
}

/** What the template's root connection says of the signing of one document. */
export interface MergedAddressees {
  submitters: readonly MergedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
}
