import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { RenderReport } from "./render-report.js";
import type { SettledRequest } from "./render-request.js";

/** @throws PlatenError `merge_failed` that lists all that the request does not put up with, if there is any of it. */
export function refuseFlaws(
  report: RenderReport,
  { strict, renderOptions }: Pick<SettledRequest, "strict" | "renderOptions">,
): void {
  if (strict) refuse("strict is true", reportProblems(report));
  if (renderOptions?.failedAssets === "fail")
    refuse('renderOptions.failedAssets is "fail"', imageProblems(report));
}

function refuse(why: string, problems: readonly Problem[]): void {
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
    ...imageProblems(report),
    ...report.invalidCodes.map(({ component, reason }) => ({
      path: component,
      code: "invalid_code",
      message: reason,
    })),
    ...printProblems(report),
  ];
}

function imageProblems({
  failedAssets,
  refusedImages,
}: Pick<RenderReport, "failedAssets" | "refusedImages">): Problem[] {
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

function printProblems({ missingGlyphs, overflow }: RenderReport): Problem[] {
  return [
    ...missingGlyphs.map(({ character, codePoint, count }) => ({
      path: codePoint,
      code: "missing_glyph",
      message: `No font has the character "${character}", which is in the document ${times(count)}.`,
    })),
    ...overflow.map(({ element, text, widthPx, roomPx }) => ({
      path: text === "" ? `<${element}>` : `<${element}> "${text}"`,
      code: "overflow",
      message: `It is ${widthPx} px wide, and there is room for ${roomPx} px.`,
    })),
  ];
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
