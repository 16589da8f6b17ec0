import type { RenderJob } from "./render-request.js";
import type { MergeReport } from "../../compiler/index.js";
import type { DataProblem } from "../../definition/index.js";
import {
  type Conformance,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import type { Overflow, PrintFlaws } from "../../rendering/index.js";
import type { ChangedAsset, FailedAsset } from "./content/pictures.js";

/** Problems that did not fail a render, kept in the document's `metadata.platen.report`. */
export interface RenderReport extends MergeReport, PrintFlaws {
  /** Of a definition in the request: what saving it would warn of. */
  definitionWarnings: readonly Problem[];
  /** Images that could not be fetched; each is replaced by a placeholder. */
  failedAssets: FailedAsset[];
  /** What was left out of images; the rest of them is drawn. */
  changedAssets: ChangedAsset[];
  /** The html of an email, when it is so long that Gmail cuts it off. */
  clippedHtml: ClippedHtml[];
}

interface ClippedHtml {
  sizeBytes: number;
  maxBytes: number;
}

/** Gmail documents no limit; senders measure 102 kB. */
const gmailMaxBytes = 102_000;

/** @param sizeBytes of an email's html */
export function findClippedHtml(sizeBytes: number): ClippedHtml[] {
  const maxBytes = gmailMaxBytes;
  return sizeBytes > maxBytes ? [{ sizeBytes, maxBytes }] : [];
}

export function describeClippedHtml({
  sizeBytes,
  maxBytes,
}: ClippedHtml): string {
  return `The html of the email has ${sizeBytes} bytes, and Gmail cuts off what is longer than ${maxBytes}. Repeat fewer sections, or link to the rest.`;
}

/** The report of a record that is merged, and not printed yet. */
export function toRenderReport(report: MergeReport): RenderReport {
  return {
    ...report,
    definitionWarnings: [],
    failedAssets: [],
    changedAssets: [],
    missingGlyphs: [],
    overflow: [],
    clippedHtml: [],
  };
}

export function countWarnings(report: object): number {
  const lists = Object.values(report).filter((value) => Array.isArray(value));
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** @throws PlatenError `merge_failed` that lists all problems which the request does not accept, if there are any. */
export function assertAcceptable(
  report: RenderReport,
  options: Pick<RenderJob, "strict" | "renderOptions">,
  conformance: readonly Conformance[],
): void {
  if (conformance.length > 0)
    reject(
      `it must conform to ${conformance.join(" and ")}, and no font has some of its characters`,
      listGlyphProblems(report),
    );
  if (options.strict)
    reject(
      `strict is true and the document would be incomplete`,
      reportProblems(report),
    );
  if (options.renderOptions?.failedAssets === "fail")
    reject(
      `renderOptions.failedAssets is "fail" and the document would be incomplete`,
      listImageProblems(report),
    );
}

/**
 * @param merged what merging the record reports beside; null when it failed, which invalid data may cause
 * @throws PlatenError `merge_failed` that lists all problems of data which the request does not accept
 */
export function assertAcceptableData(
  invalidData: readonly DataProblem[],
  { strict, unknownFields }: Pick<RenderJob, "strict" | "unknownFields">,
  merged: RenderReport | null,
): void {
  if (invalidData.length === 0) return;
  if (strict)
    reject("strict is true and its data is invalid", [
      ...invalidData,
      ...(merged ? reportProblems(merged) : []),
    ]);
  if (unknownFields === "error")
    reject(
      'unknownFields is "error" and its data has undeclared fields',
      invalidData.filter(({ code }) => code === "unknown_field"),
    );
}

function reject(why: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new PlatenError(
    "merge_failed",
    `The document was not rendered because ${why}.`,
    { problems },
  );
}

/** What a render report lists, in sentences. */
export function reportProblems(report: RenderReport): Problem[] {
  return [
    ...report.definitionWarnings,
    ...report.missing.map(({ path, component }) => ({
      path: component,
      code: "missing_variable",
      message: `The data has no ${path}.`,
    })),
    ...report.missingTranslations.map(({ key, component, locale, used }) => ({
      path: component,
      code: "missing_translation",
      message: `The translations have no text "${key}" in ${locale}${used === null ? "" : `; that in ${used} is printed`}.`,
    })),
    ...report.invalidData.map(({ component, path, code, message, hint }) => ({
      path: component ?? path,
      code,
      message,
      ...(hint !== undefined && { hint }),
    })),
    ...listImageProblems(report),
    ...report.changedAssets.map(({ source, reason }) => ({
      path: source,
      code: "changed_asset",
      message: reason,
    })),
    ...report.invalidCodes.map(({ component, reason }) => ({
      path: component,
      code: "invalid_code",
      message: reason,
    })),
    ...report.imagesWithoutText.map((component) => ({
      path: component,
      code: "missing_alt",
      message: "An accessible PDF needs a text for this image.",
      hint: 'Describe it in `alt`; for an image that says nothing, set `alt` to "".',
    })),
    ...listGlyphProblems(report),
    ...report.overflow.map((overflow) => ({
      path:
        overflow.text === ""
          ? `<${overflow.element}>`
          : `<${overflow.element}> "${overflow.text}"`,
      code: "overflow",
      message: describeOverflow(overflow),
    })),
    ...report.clippedHtml.map((clipped) => ({
      path: "html",
      code: "clipped_html",
      message: describeClippedHtml(clipped),
    })),
  ];
}

function describeOverflow({
  widthPx,
  roomPx,
  heightPx,
  roomHeightPx,
}: Overflow): string {
  return heightPx === undefined
    ? `It is ${widthPx} px wide, and only ${roomPx} px are available.`
    : `It is ${heightPx} px high, and only ${roomHeightPx} px are available on a page.`;
}

function listGlyphProblems({ missingGlyphs }: RenderReport): Problem[] {
  return missingGlyphs.map(({ character, codePoint, count }) => ({
    path: codePoint,
    code: "missing_glyph",
    message: `No font has the character "${character}", which the document contains ${count === 1 ? "once" : `${count} times`}.`,
  }));
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
