import type { EntityManager } from "typeorm";
import type { Output } from "../plugin-api/index.js";
import { recordEvent } from "../webhooks/index.js";
import type { RunningJob } from "../queue/index.js";
import {
  Document,
  findForUpdate,
  type RequestSubmitter,
} from "../storage/database/index.js";
import { changeRequest } from "./change-request.js";
import { keepOutputs, letSourceGo } from "./kept-files.js";
import type { EsignParts } from "./ports.js";
import { eventOf } from "./request-event.js";
import type { RequestRow } from "./request-row.js";

/** How a request ends. */
export interface Ending {
  status: "completed" | "declined" | "expired" | "canceled" | "failed";
  submitters?: RequestSubmitter[];
  /** Why, in words for the caller. */
  error?: string | null;
  /** What the provider has made of it, stored. */
  outputs?: readonly Output[];
  keepUntil?: Date;
  /** Joins the transaction. */
  alongside?: (tx: EntityManager) => Promise<void>;
}

export type EndParts = Pick<EsignParts, "store" | "events" | "sink" | "now">;

/**
 * Ends a request: its row, the signed files as outputs of its document, the event, what goes back into a record, and
 * the job, together. @returns false when it was not as expected any more: then nothing is written.
 */
export async function endRequest(
  parts: EndParts,
  row: RequestRow,
  ending: Ending,
  job: Pick<RunningJob, "forget"> | null,
): Promise<boolean> {
  const isOurs = await parts.store.unitOfWork.run(async (tx) => {
    const ended = await endRow(parts, tx, row, ending);
    if (ended === null) return false;
    await tellDocument(parts, tx, ended, ending);
    await ending.alongside?.(tx);
    await job?.forget(tx);
    return true;
  });
  if (!isOurs) return false;
  parts.events.nudge();
  parts.sink.nudge();
  return true;
}

/** Null: it has ended otherwise meanwhile. */
async function endRow(
  { now }: EndParts,
  tx: EntityManager,
  row: RequestRow,
  { status, submitters = row.submitters, error = null }: Ending,
): Promise<RequestRow | null> {
  const at = now();
  const changes = {
    status,
    submitters: submitters.map((one) => ({ ...one, values: {} })),
    error,
    boxes: [],
    source: null,
    sentAt: null,
    nextLookAt: null,
    completedAt: at,
    updatedAt: at,
  };
  const { id } = row;
  // One that is not sent may be about to be: only as it was read may it end.
  const expected = { id, status: row.status, attempts: row.attempts };
  if (!(await changeRequest(tx, expected, changes))) return null;
  await letSourceGo(tx, row);
  return { ...row, ...changes };
}

async function tellDocument(
  { sink }: EndParts,
  tx: EntityManager,
  row: RequestRow,
  { outputs = [], keepUntil }: Ending,
): Promise<void> {
  const { documentId: id } = row;
  const document = await findForUpdate(tx, Document, { id });
  if (document === null) return;
  if (outputs.length > 0 && keepUntil !== undefined) {
    const labels = new Set(outputs.map(({ label }) => label));
    const others = document.outputs.filter(({ label }) => !labels.has(label));
    document.outputs = [...others, ...outputs];
    await tx.update(
      Document,
      { id },
      { outputs: document.outputs, updatedAt: row.updatedAt },
    );
    await keepOutputs(tx, id, outputs, keepUntil);
    await sink.signed(tx, document, outputs);
  }
  const event = eventOf(row, document, outputs);
  if (event !== null) await recordEvent(tx, event);
}
