import type { MergeReport } from "../compiler/index.js";
import type { RenderOptions } from "../definition/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { PrintFlaws } from "../rendering/index.js";
import type { FailedAsset } from "./content/pictures.js";

/** Problems that did not fail a render, kept in the document's `metadata.platen.report`. */
export interface RenderReport extends MergeReport, PrintFlaws {
  /** Images that could not be fetched; each is replaced by a placeholder. */
  failedAssets: FailedAsset[];
}

/** How many variables, images, codes and characters were missing, and how many elements were too wide. */
export function countWarnings(report: RenderReport): number {
  const { headers: _headers, ...lists } = report;
  return Object.values(lists).reduce((sum, { length }) => sum + length, 0);
}

/** @throws PlatenError `merge_failed` that lists all problems which the request does not accept, if there are any. */
export function assertAcceptable(
  report: RenderReport,
  options: { strict: boolean; renderOptions: RenderOptions | undefined },
): void {
  if (options.strict) reject("strict is true", reportProblems(report));
  if (options.renderOptions?.failedAssets === "fail")
    reject('renderOptions.failedAssets is "fail"', listImageProblems(report));
}

function reject(why: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new PlatenError(
    "merge_failed",
    `The document was not rendered because ${why} and the document would be incomplete.`,
    { problems },
  );
}

/** What a render report lists, in sentences. */
export function reportProblems(report: RenderReport): Problem[] {
  return [
    ...report.missing.map(({ path, component }) => ({
      path: component,
      code: "missing_variable",
      message: `The data has no ${path}.`,
    })),
    ...listImageProblems(report),
    ...report.invalidCodes.map(({ component, reason }) => ({
      path: component,
      code: "invalid_code",
      message: reason,
    })),
    ...report.missingGlyphs.map(({ character, codePoint, count }) => ({
      path: codePoint,
      code: "missing_glyph",
      message: `No font has the character "${character}", which the document contains ${count === 1 ? "once" : `${count} times`}.`,
    })),
    ...report.overflow.map(({ element, text, widthPx, roomPx }) => ({
      path: text === "" ? `<${element}>` : `<${element}> "${text}"`,
      code: "overflow",
      message: `It is ${widthPx} px wide, and only ${roomPx} px are available.`,
    })),
  ];
}

function listImageProblems({
  failedAssets,
  refusedImages,
}: RenderReport): Problem[] {
  return [
    ...failedAssets.map(({ source, reason }) => ({
      path: source,
      code: "failed_asset",
      message: reason,
    })),
    ...refusedImages.map((source) => ({
      path: source,
      code: "refused_image",
      message: "A document cannot show this as an image.",
      hint: "Use an asset, a data URL or an http address.",
    })),
  ];
}
