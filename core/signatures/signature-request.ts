import type {
  EntityManager,
  FindOptionsWhere,
  QueryDeepPartialEntity,
} from "typeorm";
import { PlatenError, type Output, type Signer } from "../plugin-api/index.js";
import type { RunningJob, NewJob } from "../queue/index.js";
import {
  isId,
  SignatureRequest,
  Document,
  findForUpdate,
  type RequestSubmitter,
  changeRows,
  insertRows,
  KeptFile,
} from "../storage/database/index.js";
import {
  recordEvent,
  type ServiceEvent,
  type SignatureEvent,
} from "../webhooks/index.js";
import type { EsignParts, RequestRow } from "./ports.js";

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findRequest(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<SignatureRequest> {
  const row = isId(id)
    ? await read.findOneBy(SignatureRequest, { id, organizationId })
    : null;
  if (row !== null) return row;
  throw new PlatenError("not_found", "There is no such signature request.");
}

/** What a request's row is while a move is decided; a row that is not so any more is left alone. */
type Expected = Pick<SignatureRequest, "id" | "status"> &
  FindOptionsWhere<SignatureRequest>;

/** A provider may answer with whole pages. */
const longestError = 2000;

/** One conditional update. @returns whether the row was as expected. */
export async function changeRequest(
  tx: EntityManager,
  expected: Expected,
  changes: Partial<SignatureRequest>,
): Promise<boolean> {
  const { error, updatedAt = new Date() } = changes;
  // TypeORM's type looks into JSON columns, where any value may stand.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const columns = {
    ...changes,
    ...(error && { error: error.slice(0, longestError) }),
    updatedAt,
  } as QueryDeepPartialEntity<SignatureRequest>;
  const { affected } = await tx.update(SignatureRequest, expected, columns);
  return affected === 1;
}

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
  job: Pick<RunningJob, "complete"> | null,
): Promise<boolean> {
  const isOurs = await parts.store.unitOfWork.run(async (tx) => {
    const ended = await endRow(parts, tx, row, ending);
    if (ended === null) return false;
    await tellDocument(parts, tx, ended, ending);
    await ending.alongside?.(tx);
    await job?.complete(tx);
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

/** What is told of a request that has ended; null: nothing is. */
function eventOf(
  row: SignatureRequest,
  document: Pick<Document, "metadata" | "fileName">,
  outputs: readonly Output[],
): ServiceEvent | null {
  const { status } = row;
  const isTold =
    status === "completed" || status === "declined" || status === "expired";
  if (!isTold) return null;
  const data = { ...dataOf(row, document, outputs), status };
  return { type: `signature.${status}`, data };
}

function dataOf(
  row: SignatureRequest,
  { metadata, fileName }: Pick<Document, "metadata" | "fileName">,
  outputs: readonly Output[],
): Omit<SignatureEvent, "status"> {
  const { id, documentId, batchId, organizationId, provider } = row;
  const { platen: _ours, ...shown } = metadata ?? {};
  return {
    signatureId: id,
    documentId,
    batchId,
    organizationId,
    provider,
    submitters: row.submitters.map(toldOf),
    outputs: [...outputs],
    metadata: {
      ...(fileName !== null && { documentName: fileName }),
      ...shown,
    },
    completedAt: (row.completedAt ?? row.updatedAt).toISOString(),
  };
}

/** Without the link: whoever has it can sign. */
function toldOf({ role, email, name, status, reason }: RequestSubmitter) {
  return { role, email, name, status, reason };
}

// Files that outlive their document's expiry. The sweep of files leaves them alone; whenever that changes, it is to look
// at the document again.

/** The PDF is at the provider, or will never be: from now on it ends with its document. */
export async function letSourceGo(
  tx: EntityManager,
  { source, documentId }: Pick<SignatureRequest, "source" | "documentId">,
): Promise<void> {
  if (source === null) return;
  await tx.delete(KeptFile, { storageKey: source.storageKey });
  await sweepAgain(tx, documentId);
}

async function keepOutputs(
  tx: EntityManager,
  documentId: string,
  outputs: readonly Output[],
  keepUntil: Date,
): Promise<void> {
  const rows = outputs.map(({ storageKey }) => ({
    storageKey,
    documentId,
    keepUntil,
  }));
  await insertRows(tx, KeptFile, rows);
  await sweepAgain(tx, documentId);
}

async function sweepAgain(
  tx: EntityManager,
  documentId: string,
): Promise<void> {
  await changeRows(
    tx,
    "UPDATE document SET purge_at = expires_at WHERE id = ?",
    [documentId],
  );
}

/** Our submitters with what the provider tells of them; a link that it tells no more is kept. */
export function mergeSigners(
  submitters: readonly RequestSubmitter[],
  signers: readonly Signer[],
): RequestSubmitter[] {
  const byRole = new Map(signers.map((signer) => [signer.role, signer]));
  return submitters.map((submitter) => {
    const signer = byRole.get(submitter.role);
    if (!signer) return submitter;
    return {
      ...submitter,
      status: signer.status,
      url: signer.url ?? submitter.url,
      reason: signer.reason ?? submitter.reason,
    };
  });
}

/** The kind of the jobs that carry a request's id. */
export const SIGNATURE_JOB = "signature";

type Named = Pick<SignatureRequest, "id" | "organizationId" | "batchId">;

/** Callers who wait have turns of their own, so that they are not behind their organization's batches. */
export function signatureJob({ id, organizationId, batchId }: Named): NewJob {
  const partitionKey =
    batchId === null ? organizationId : `${organizationId}:batches`;
  return { kind: SIGNATURE_JOB, rowId: id, partitionKey };
}
