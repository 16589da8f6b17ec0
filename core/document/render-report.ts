import { PlatenError, type Problem } from "../contract/index.js";
import type { MergeReport } from "../template/index.js";
import type { FailedAsset } from "./resolve-assets.js";

/** What was odd about a render, kept in the document's `metadata.platen.report`. */
export interface RenderReport extends MergeReport {
  /** Images that could not be had; a placeholder stands in their place. */
  failedAssets: FailedAsset[];
}

/** How many variables and images were missing. */
export function warningCount(report: RenderReport): number {
  const { missing, failedAssets, refusedImages } = report;
  return missing.length + failedAssets.length + refusedImages.length;
}

/** @throws PlatenError `merge_failed` that lists all that was missing, if anything was. */
export function refuseWarnings(report: RenderReport): void {
  if (warningCount(report) === 0) return;
  throw new PlatenError(
    "merge_failed",
    "The document was not rendered, since strict is true and something is missing.",
    {
      problems: problemsOf(report),
    },
  );
}

function problemsOf(report: RenderReport): Problem[] {
  return [
    ...report.missing.map(missingProblem),
    ...report.failedAssets.map(assetProblem),
    ...report.refusedImages.map(refusedProblem),
  ];
}

function missingProblem({
  path,
  component,
}: MergeReport["missing"][number]): Problem {
  return {
    path: component,
    code: "missing_variable",
    message: `The data has no ${path}.`,
  };
}

function assetProblem({ source, reason }: FailedAsset): Problem {
  return { path: source, code: "failed_asset", message: reason };
}

function refusedProblem(source: string): Problem {
  return {
    path: source,
    code: "refused_image",
    message: "A document cannot show this as an image.",
    hint: "Use an asset, a data URL or an http address.",
  };
}
