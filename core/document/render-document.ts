import {
  type Deadline,
  type FileStore,
  type Log,
  PlatenError,
} from "../contract/index.js";
import type { Renderer } from "../render/index.js";
import type { Store } from "../store/index.js";
import { mergeRun } from "./merge-run.js";
import type { OutputStore } from "./output-store.js";
import type { Phases } from "./phase-timer.js";
import { Press } from "./press.js";
import type { ProgramCache } from "./program-cache.js";
import { recordFailed, recordSucceeded } from "./record-document.js";
import { refuseFlaws } from "./refuse-flaws.js";
import { warningCount } from "./render-report.js";
import type { RenderRequest } from "./render-request.js";
import { renderResult, type RenderResult } from "./render-result.js";
import { beginRun, type RenderRun } from "./render-run.js";

// One record becomes one document. HTTP puts a key and a check of the request in front of it; whoever else renders
// calls the same function.

export interface RenderParts {
  store: Store;
  files: FileStore;
  outputs: OutputStore;
  programs: ProgramCache;
  renderer: Renderer;
  log: Log;
}

export interface RenderWatch {
  /** One for the whole render. */
  deadline: Deadline;
  /** Called once the document has a row, also when it failed. */
  onRecorded(documentId: string): void;
}

export interface RenderedDocument {
  documentId: string;
  result: RenderResult;
  /** How much its report lists. */
  warnings: number;
  phases: Phases;
}

/**
 * Renders one document. Rejects with PlatenError: `invalid_request` and `not_found` leave nothing behind, anything
 * later leaves a document with status `failed`.
 */
export type RenderDocument = (
  request: RenderRequest,
  watch: RenderWatch,
) => Promise<RenderedDocument>;

export function createRenderDocument(parts: RenderParts): RenderDocument {
  return async (request, watch) => {
    const run = await beginRun(parts.store.read, request);
    try {
      return await render(parts, run, watch.deadline);
    } catch (thrown) {
      const error = reasonOf(watch.deadline) ?? thrown;
      await recordFailed(parts, run, error);
      throw error;
    } finally {
      watch.onRecorded(run.documentId);
    }
  };
}

/** Why the render was ended early, where whoever ended it said so. */
function reasonOf({ signal }: Deadline): PlatenError | null {
  const reason: unknown = signal.reason;
  return reason instanceof PlatenError ? reason : null;
}

/** The story: compile, merge, print, store, record. A file is there before the row that names it. */
async function render(
  parts: RenderParts,
  run: RenderRun,
  deadline: Deadline,
): Promise<RenderedDocument> {
  const { documentId, template, timer } = run;
  const program = await timer.time("compile", () =>
    parts.programs.program(template),
  );
  const merged = await mergeRun(parts, run, program);
  const press = new Press(parts.renderer, merged, run, deadline);
  const artifacts = await press.artifacts();
  const { fileName } = merged;
  const report = { ...merged.report, ...press.flaws };
  refuseFlaws(report, run.request);
  const owner = { documentId, fileName, expiresAt: run.request.expiresAt };
  const saved = await timer.time("store", () =>
    parts.outputs.save(owner, artifacts),
  );
  await recordSucceeded(parts, run, { saved, fileName, report });
  return {
    documentId,
    result: renderResult(saved),
    warnings: warningCount(report),
    phases: timer.phases,
  };
}
