import type { EntityManager } from "typeorm";
import { type Deadline, PlatenError } from "../plugin-api/index.js";
import type { PrintFlaws, Renderer } from "../rendering/index.js";
import type { Store } from "../storage/database/index.js";
import type { FinishingDesk } from "./finishing/finishing-desk.js";
import { type MergedRun, mergeRun } from "./merge-run.js";
import type { OutputStore, SavedFile } from "./output-store.js";
import type { OwnFonts } from "./fonts/own-fonts.js";
import type { Pictures } from "./pictures/index.js";
import { Press } from "./press.js";
import type { Previews } from "./previews/index.js";
import type { ProgramCache } from "./program-cache.js";
import { refuseFlaws } from "./refuse-flaws.js";
import type { RenderReport } from "./render-report.js";
import type { RenderRun } from "./render-run.js";
import { draftToSign, signer } from "./sign-document.js";
import type { Signing } from "./signing.js";
import { beginSigning } from "./signing-run.js";

export interface ProductionParts {
  store: Store;
  pictures: Pictures;
  fonts: OwnFonts;
  outputs: OutputStore;
  programs: ProgramCache;
  renderer: Renderer;
  finishing: FinishingDesk;
  signing: Signing;
}

/** A document whose files are stored, and of which nothing is recorded yet. */
export interface ProducedDocument {
  saved: readonly SavedFile[];
  /** Without extension. */
  fileName: string;
  report: RenderReport;
  /** How many pages were printed; null when nothing was, as for an html alone. */
  pages: number | null;
  previews: Previews;
  /** Writes the request to have it signed; null when it goes to nobody. @returns the request's id */
  sign: ((tx: EntityManager) => Promise<string>) | null;
}

/** The story: compile, merge, print, store. Whoever called then records: a file is there before the row that names it. */
export async function produceDocument(
  parts: ProductionParts,
  run: RenderRun,
  deadline: Deadline,
): Promise<ProducedDocument> {
  const { documentId, template, timer } = run;
  const program = await timer.time("compile", () =>
    parts.programs.program(template),
  );
  const going = await beginSigning(parts.signing, run, program);
  const merged = await mergeRun(parts, run, program, deadline, going);
  const plan = await parts.finishing.plan(run.request, {
    title: merged.document.title,
    pdf: merged.pdf,
    signNonce: going && going.nonce,
  });
  const press = new Press(parts.renderer, merged, plan, run, deadline);
  const artifacts = await press.artifacts();
  const previews = await press.previews();
  const { fileName } = merged;
  const report = await reportOf(parts.fonts, merged, press.flaws);
  refuseFlaws(report, run.request);
  const draft = draftToSign(merged, press.finishedPdf);
  const owner = { documentId, fileName, expiresAt: run.request.expiresAt };
  const saved = await timer.time("store", () =>
    parts.outputs.save(owner, artifacts),
  );
  const sign = draft && signer(draft, documentId, saved);
  return { saved, fileName, report, pages: press.pages, previews, sign };
}

/** The renderer knows no fonts but its own: what an organization's font has is not missing. */
async function reportOf(
  { characters }: OwnFonts,
  { report, fonts }: MergedRun,
  { missingGlyphs, overflow }: PrintFlaws,
): Promise<RenderReport> {
  const lacking = await characters.lacking(missingGlyphs, fonts);
  return { ...report, missingGlyphs: lacking, overflow };
}

/** Why a render was ended early, where whoever ended it said so. */
export function reasonOf({ signal }: Deadline): PlatenError | null {
  const reason: unknown = signal.reason;
  return reason instanceof PlatenError ? reason : null;
}
