import type { EntityManager } from "typeorm";
import type { Deadline, Log, Output } from "../plugin-api/index.js";
import type { Phases } from "./phase-timer.js";
import {
  type ProducedDocument,
  produceDocument,
  type ProductionParts,
  reasonOf,
} from "./produce-document.js";
import type { Previews } from "./previews/index.js";
import type { RecentPayloads } from "./recent-payloads.js";
import { recordFailed, recordSucceeded } from "./record-document.js";
import { type RenderReport, warningCount } from "./render-report.js";
import type { RenderRequest } from "./render-request.js";
import { renderResult, type RenderResult } from "./render-result.js";
import { beginRun, type RenderRun } from "./render-run.js";
import type { RenderWitness } from "./render-witness.js";
import type { SignatureView } from "./signing.js";

// One record becomes one document while its caller waits. HTTP puts a key and a check of the request in front of it;
// of a document that was queued, render-queued.ts tells.

export interface RenderParts extends ProductionParts {
  payloads: Pick<RecentPayloads, "note">;
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
  /** The request to have it signed; null when it goes to nobody. */
  signatureId: string | null;
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
    const run = await beginRun(parts.store.read, request, (phase) =>
      watch.onPhase?.(phase),
    );
    const rendered = await renderRun(parts, run, watch);
    const signature = await startSigning(parts, run, rendered, watch);
    const { result } = rendered;
    return {
      ...rendered,
      result: { ...result, ...(signature && { signature }) },
      phases: run.timer.phases,
    };
  };
}

async function renderRun(
  parts: RenderParts,
  run: RenderRun,
  watch: RenderWatch,
): Promise<RenderedDocument> {
  const { witness } = parts;
  const { deadline, log = parts.log } = watch;
  try {
    const produced = await produceDocument(parts, run, deadline);
    const rendered = await recordRendered(parts, run, produced, watch);
    witness.succeeded(run, log);
    return rendered;
  } catch (thrown) {
    if (run.refusal !== null) throw run.refusal;
    const error = reasonOf(deadline) ?? thrown;
    await recordFailed(parts, run, error);
    witness.failed(run, log, error);
    throw error;
  } finally {
    if (run.refusal === null) watch.onRecorded(run.documentId);
  }
}

/** Whatever is to be true together with the document is written with it. */
async function recordRendered(
  parts: RenderParts,
  run: RenderRun,
  produced: ProducedDocument,
  watch: RenderWatch,
): Promise<RenderedDocument> {
  const rendered = renderedDocument(run, produced);
  let signatureId: string | null = null;
  await recordSucceeded(parts, run, produced, async (tx) => {
    signatureId = produced.sign && (await produced.sign(tx));
    await watch.alongside?.(tx, { ...rendered, signatureId });
    await parts.payloads.note(tx, payloadOf(run), run.startedAt);
  });
  return { ...rendered, signatureId };
}

function payloadOf({ request }: RenderRun) {
  const { organizationId, templateId, data } = request;
  const json = () => JSON.stringify(data);
  return { organizationId, templateId, source: "document", json } as const;
}

/** The document is there, whatever becomes of its signing: that goes on in the background. */
async function startSigning(
  { signing, log }: RenderParts,
  { request: { organizationId }, timer }: RenderRun,
  { signatureId }: RenderedDocument,
  { deadline }: RenderWatch,
): Promise<SignatureView | null> {
  if (signatureId === null) return null;
  try {
    return await timer.time("sign", () =>
      signing.startNow(organizationId, signatureId, deadline),
    );
  } catch (error) {
    log.error({ signatureId, err: error }, "a signature was not started");
    return signing.view(organizationId, signatureId);
  }
}

function renderedDocument(
  { documentId, timer, request: { formats } }: RenderRun,
  { saved, report, pages, previews }: ProducedDocument,
): Omit<RenderedDocument, "signatureId"> {
  const asked = saved.filter(({ artifact }) =>
    formats.includes(artifact.format),
  );
  return {
    documentId,
    result: renderResult(asked),
    outputs: saved.map(({ output }) => output),
    warnings: warningCount(report),
    report,
    pages,
    previews,
    phases: timer.phases,
  };
}
