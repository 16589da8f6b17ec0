import type { PrintFlaws } from "../rendering/index.js";
import type { MergeReport } from "../compiler/index.js";
import type { FailedAsset } from "./pictures/index.js";

/** What was odd about the content of a document. */
export interface ContentReport extends MergeReport {
  /** Images that could not be had; a placeholder stands in their place. */
  failedAssets: FailedAsset[];
}

/** What was odd about a render, kept in the document's `metadata.platen.report`. */
export interface RenderReport extends ContentReport, PrintFlaws {}

/** How many variables, images, codes and characters were missing, and how many elements were too wide. */
export function warningCount(report: RenderReport): number {
  const { headers: _headers, ...lists } = report;
  return Object.values(lists).reduce((sum, { length }) => sum + length, 0);
}
