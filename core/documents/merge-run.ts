import type { Deadline } from "../plugin-api/index.js";
import {
  type AssetReference,
  type FontFace,
  type MergedPdf,
  type MergeOptions,
  type Program,
  withoutSignLinks,
} from "../compiler/index.js";
import { type RenderOptions } from "../definition/index.js";
import { safeFileName } from "./file-name.js";
import type { OwnFonts } from "./fonts/own-fonts.js";
import { type Pictures, withoutDrawnTags } from "./pictures/index.js";
import {
  type PrintableDocument,
  printableDocument,
} from "./printable-document.js";
import type { ContentReport } from "./render-report.js";
import type { RenderRun } from "./render-run.js";
import {
  type SettledSigning,
  settleSigning,
  type SigningRun,
} from "./signing-run.js";
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
  /** Null when it goes to nobody. */
  signing: SettledSigning | null;
}

/** Merges the data and brings the images and fonts. @throws PlatenError `merge_failed`. */
export async function mergeRun(
  { pictures, fonts }: { pictures: Pictures; fonts: OwnFonts },
  run: RenderRun,
  program: Program,
  deadline: Deadline,
  signingRun: SigningRun | null,
): Promise<MergedRun> {
  const { request, template, timer } = run;
  const options = mergeOptions(run, signingRun);
  const merged = await timer.time("merge", () =>
    program.merge(request.data, options),
  );
  const signing =
    signingRun &&
    (await settleSigning(run, signingRun, program, merged, options));
  const mjml = request.formats.includes("mjml")
    ? await timer.time("mjml", () => program.mjml(request.data, options))
    : null;
  const asked = [...merged.assets, ...(mjml?.assets ?? [])];
  const found = await bring(pictures, run, asked, deadline);
  const assets = signing ? withoutDrawnTags(found) : found;
  const faces = await timer.time("assets", () =>
    fonts.facesFor(request.organizationId, merged, template.writtenAt),
  );
  const document = printableDocument(merged, assets, faces);
  return {
    document,
    pdf: merged.pdf,
    texts: textFormats(template, {
      document: signing ? withoutLinks(document, signing) : document,
      merged,
      mjml,
      assets,
    }),
    fonts: faces,
    report: { ...merged.report, failedAssets: assets.failed },
    fileName: merged.fileName ?? safeFileName(template.name),
    signing,
  };
}

function bring(
  pictures: Pictures,
  run: RenderRun,
  asked: readonly AssetReference[],
  deadline: Deadline,
) {
  const { organizationId } = run.request;
  return run.timer.time("assets", () =>
    pictures.resolve(
      organizationId,
      imagesThatShow(run, asked, pictures),
      deadline,
    ),
  );
}

function withoutLinks(
  document: PrintableDocument,
  { nonce }: SettledSigning,
): PrintableDocument {
  return { ...document, html: withoutSignLinks(document.html, nonce) };
}

function mergeOptions(
  { request, startedAt }: RenderRun,
  signing: SigningRun | null,
): MergeOptions {
  const { isTest, renderOptions = {} } = request;
  const { invalidCodes } = renderOptions;
  const paper = paperOptions(renderOptions);
  return {
    isTest,
    now: startedAt,
    ...(paper && { renderOptions: paper }),
    ...(invalidCodes && { invalidCodes }),
    ...(signing && { signingNonce: signing.nonce }),
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
