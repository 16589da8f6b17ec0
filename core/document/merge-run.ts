import type { FileStore } from "../contract/index.js";
import type { Store } from "../store/index.js";
import type { Program } from "../template/index.js";
import { safeFileName } from "./file-name.js";
import {
  type PrintableDocument,
  printableDocument,
} from "./printable-document.js";
import { refuseWarnings, type RenderReport } from "./render-report.js";
import type { RenderRun } from "./render-run.js";
import { resolveAssets } from "./resolve-assets.js";

export interface MergedRun {
  document: PrintableDocument;
  report: RenderReport;
  /** Of its downloads, without extension: the template's `fileName`, or else the template's name. */
  fileName: string;
}

/** Merges the data and brings the images. @throws PlatenError `merge_failed`, when strict also for what is missing. */
export async function mergeRun(
  { store, files }: { store: Store; files: FileStore },
  { request, template, startedAt, timer }: RenderRun,
  program: Program,
): Promise<MergedRun> {
  const { organizationId, data, isTest, renderOptions } = request;
  const merged = await timer.time("merge", () =>
    program.merge(data, {
      isTest,
      now: startedAt,
      ...(renderOptions && { renderOptions }),
    }),
  );
  const assets = await timer.time("assets", () =>
    resolveAssets({ read: store.read, files }, organizationId, merged.assets),
  );
  const report = { ...merged.report, failedAssets: assets.failed };
  if (request.strict) refuseWarnings(report);
  return {
    document: printableDocument(merged, assets),
    report,
    fileName: merged.fileName ?? safeFileName(template.name),
  };
}
