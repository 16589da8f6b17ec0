import type { EntityManager } from "typeorm";
import type { Deadline, Log, Output } from "../contract/index.js";
import type { Phases } from "./phase-timer.js";
import {
  type ProducedDocument,
  produceDocument,
  type ProductionParts,
  reasonOf,
} from "./produce-document.js";
import type { Previews } from "./previews/index.js";
import { recordFailed, recordSucceeded } from "./record-document.js";
import { type RenderReport, warningCount } from "./render-report.js";
import type { RenderRequest } from "./render-request.js";
import { renderResult, type RenderResult } from "./render-result.js";
import { beginRun, type RenderRun } from "./render-run.js";
import type { RenderWitness } from "./render-witness.js";

// One record becomes one document while its caller waits. HTTP puts a key and a check of the request in front of it;
// of a document that was queued, render-queued.ts tells.

export interface RenderParts extends ProductionParts {
  witness: RenderWitness;
  log: Log;
}

export interface RenderWatch {
  /** One for the whole render. */
  deadline: Deadline;
  /** For the line that tells of the render; the service's own log without it. */
  log?: Log;
  /**
   * Called in the transaction that records the finished document: what it writes becomes true together with that; when
   * it rejects, so does the render.
   */
  alongside?(tx: EntityManager, rendered: RenderedDocument): Promise<void>;
  /** Called once the document has a row, also when it failed. */
  onRecorded(documentId: string): void;
  /** Called as each phase begins, such as `merge` or `print`. */
  onPhase?(phase: string): void;
}

export interface RenderedDocument {
  documentId: string;
  result: RenderResult;
  /** Every file, with its link. */
  outputs: readonly Output[];
  /** How much its report lists. */
  warnings: number;
  report: RenderReport;
  /** How many pages were printed; null when nothing was. */
  pages: number | null;
  previews: Previews;
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
  const { witness } = parts;
  return async (request, watch) => {
    const { deadline, log = parts.log } = watch;
    const run = await beginRun(parts.store.read, request, (phase) =>
      watch.onPhase?.(phase),
    );
    try {
      const produced = await produceDocument(parts, run, deadline);
      const rendered = renderedDocument(run, produced);
      await recordSucceeded(parts, run, produced, async (tx) =>
        watch.alongside?.(tx, rendered),
      );
      witness.succeeded(run, log);
      return { ...rendered, phases: run.timer.phases };
    } catch (thrown) {
      const error = reasonOf(deadline) ?? thrown;
      await recordFailed(parts, run, error);
      witness.failed(run, log, error);
      throw error;
    } finally {
      watch.onRecorded(run.documentId);
    }
  };
}

function renderedDocument(
  { documentId, timer }: RenderRun,
  { saved, report, pages, previews }: ProducedDocument,
): RenderedDocument {
  return {
    documentId,
    result: renderResult(saved),
    outputs: saved.map(({ output }) => output),
    warnings: warningCount(report),
    report,
    pages,
    previews,
    phases: timer.phases,
  };
}
