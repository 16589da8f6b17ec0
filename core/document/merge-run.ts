import type { Deadline } from "../contract/index.js";
import type {
  FontFace,
  MergedPdf,
  MergeOptions,
  Program,
  RenderOptions,
} from "../template/index.js";
import { safeFileName } from "./file-name.js";
import type { OwnFonts } from "./fonts/own-fonts.js";
import type { Pictures } from "./pictures/index.js";
import {
  type PrintableDocument,
  printableDocument,
} from "./printable-document.js";
import type { ContentReport } from "./render-report.js";
import type { RenderRun } from "./render-run.js";
import { imagesThatShow, type TextFormats, textFormats } from "./texts.js";

export interface MergedRun {
  document: PrintableDocument;
  /** What the template says of its PDF. */
  pdf: MergedPdf;
  texts: TextFormats;
  /** The organization's own that are in it. */
  fonts: readonly FontFace[];
  report: ContentReport;
  /** Of its downloads, without extension: the template's `fileName`, or else the template's name. */
  fileName: string;
}

/** Merges the data and brings the images and fonts. @throws PlatenError `merge_failed`. */
export async function mergeRun(
  { pictures, fonts }: { pictures: Pictures; fonts: OwnFonts },
  run: RenderRun,
  program: Program,
  deadline: Deadline,
): Promise<MergedRun> {
  const { request, template, timer } = run;
  const options = mergeOptions(run);
  const merged = await timer.time("merge", () =>
    program.merge(request.data, options),
  );
  const mjml = request.formats.includes("mjml")
    ? await timer.time("mjml", () => program.mjml(request.data, options))
    : null;
  const assets = await timer.time("assets", () =>
    pictures.resolve(
      request.organizationId,
      imagesThatShow(
        run,
        [...merged.assets, ...(mjml?.assets ?? [])],
        pictures,
      ),
      deadline,
    ),
  );
  const faces = await timer.time("assets", () =>
    fonts.facesFor(request.organizationId, merged, template.writtenAt),
  );
  const report = { ...merged.report, failedAssets: assets.failed };
  const document = printableDocument(merged, assets, faces);
  return {
    document,
    pdf: merged.pdf,
    texts: textFormats(template, { document, merged, mjml, assets }),
    fonts: faces,
    report,
    fileName: merged.fileName ?? safeFileName(template.name),
  };
}

function mergeOptions({ request, startedAt }: RenderRun): MergeOptions {
  const { isTest, renderOptions = {} } = request;
  const { invalidCodes } = renderOptions;
  const paper = paperOptions(renderOptions);
  return {
    isTest,
    now: startedAt,
    ...(paper && { renderOptions: paper }),
    ...(invalidCodes && { invalidCodes }),
  };
}

/** What changes the page, if anything does: a template that keeps its own page lays it out only once. */
function paperOptions(options: RenderOptions): RenderOptions | null {
  const {
    pages: _pages,
    pdf: _pdf,
    failedAssets: _failedAssets,
    invalidCodes: _invalidCodes,
    ...paper
  } = options;
  return Object.keys(paper).length === 0 ? null : paper;
}
