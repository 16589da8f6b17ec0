import type {
  EntityManager,
  FindOptionsWhere,
  QueryDeepPartialEntity,
} from "typeorm";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped, createToken } from "../lib/injection.js";
import { type Output, PlatenError, type Signer } from "../plugin-api/index.js";
import type { NewJob, RunningJob } from "../queue/index.js";
import {
  changeRows,
  Document,
  findForUpdate,
  insertRows,
  isId,
  KeptFile,
  type RequestSubmitter,
  SignatureRequest,
  type Store,
  STORE,
} from "../storage/database/index.js";
import {
  type Events,
  recordEvent,
  type ServiceEvent,
  EVENTS,
} from "../webhooks/index.js";

/** Receives signed files. Implemented by integrations/platforms. */
export const SIGNED_FILES_SINK =
  createToken<SignedFilesSink>("SignedFilesSink");

/** A provider may answer with whole pages. */
const maxErrorLength = 2000;

/** The kind of the jobs that name a signature request. */
export const SIGNATURE_JOB = "signature";

/** Single renders have a partition of their own, so that waiting callers are not behind their organization's batches. */
export function toSignatureJob({
  id,
  organizationId,
  batchId,
}: Pick<SignatureRequest, "id" | "organizationId" | "batchId">): NewJob {
  const partitionKey =
    batchId === null ? organizationId : `${organizationId}:batches`;
  return { kind: SIGNATURE_JOB, rowId: id, partitionKey };
}

/** @throws PlatenError `not_found`, also for another organization's request. */
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

/** One conditional update. @returns whether the row was as `expected`. */
export async function changeRequest(
  tx: EntityManager,
  expected: Pick<SignatureRequest, "id" | "status"> &
    FindOptionsWhere<SignatureRequest>,
  changes: Partial<SignatureRequest>,
): Promise<boolean> {
  const { error, updatedAt = clock.date() } = changes;
  // TypeORM's type also describes the inside of JSON columns, where any value is allowed.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const columns = {
    ...changes,
    ...(error && { error: error.slice(0, maxErrorLength) }),
    updatedAt,
  } as QueryDeepPartialEntity<SignatureRequest>;
  const { affected } = await tx.update(SignatureRequest, expected, columns);
  return affected === 1;
}

export interface SignedFilesSink {
  /** Joins the transaction that makes them outputs of the document. */
  signed(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void>;
  /** Called after transactions that `signed` has joined. */
  nudge(): void;
}

/** A request's row as a plain value. */
export type RequestRow = Omit<SignatureRequest, never>;

export interface Outcome {
  status: "completed" | "declined" | "expired" | "canceled" | "failed";
  submitters?: RequestSubmitter[];
  /** The reason, for the caller. */
  error?: string | null;
  /** The stored signed files. */
  outputs?: readonly Output[];
  keepUntil?: Date;
  inTransaction?: (tx: EntityManager) => Promise<void>;
}

@scoped(Lifecycle.ContainerScoped)
export class RequestEnder {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(EVENTS) private readonly events: Events,
    @inject(SIGNED_FILES_SINK) private readonly sink: SignedFilesSink,
  ) {}

  /**
   * Ends a request in one transaction: its row, the signed files as outputs of its document, the event, the write-back to
   * a record, and the job. @returns false when the row had changed: then nothing is written.
   */
  async end(
    row: RequestRow,
    outcome: Outcome,
    job: Pick<RunningJob, "complete"> | null,
  ): Promise<boolean> {
    const isOurs = await this.store.unitOfWork.run(async (tx) => {
      const ended = await endRow(tx, row, outcome);
      if (ended === null) return false;
      await this.#updateDocument(tx, ended, outcome);
      await outcome.inTransaction?.(tx);
      await job?.complete(tx);
      return true;
    });
    if (!isOurs) return false;
    this.events.dispatch.nudge();
    this.sink.nudge();
    return true;
  }

  async #updateDocument(
    tx: EntityManager,
    row: RequestRow,
    { outputs = [], keepUntil }: Outcome,
  ): Promise<void> {
    const { documentId: id, updatedAt } = row;
    const document = await findForUpdate(tx, Document, { id });
    if (document === null) return;
    if (outputs.length > 0 && keepUntil !== undefined) {
      const labels = new Set(outputs.map(({ label }) => label));
      const others = document.outputs.filter(({ label }) => !labels.has(label));
      document.outputs = [...others, ...outputs];
      const changes = { outputs: document.outputs, updatedAt };
      await tx.update(Document, { id }, changes);
      const keptFiles = outputs.map(({ storageKey }) => ({
        storageKey,
        documentId: id,
        keepUntil,
      }));
      await insertRows(tx, KeptFile, keptFiles);
      await scheduleSweep(tx, id);
      await this.sink.signed(tx, document, outputs);
    }
    const event = toEvent(row, document, outputs);
    if (event !== null) await recordEvent(tx, event);
  }
}

/** Null: it has ended in another way meanwhile. */
async function endRow(
  tx: EntityManager,
  row: RequestRow,
  { status, submitters = row.submitters, error = null }: Outcome,
): Promise<RequestRow | null> {
  const at = clock.date();
  const changes = {
    status,
    submitters: submitters.map((submitter) => ({ ...submitter, values: {} })),
    error,
    boxes: [],
    source: null,
    sentAt: null,
    nextLookAt: null,
    completedAt: at,
    updatedAt: at,
  };
  // A worker may be about to send it, so it ends only if no attempt was made since it was read.
  const expected = { id: row.id, status: row.status, attempts: row.attempts };
  if (!(await changeRequest(tx, expected, changes))) return null;
  await releaseSource(tx, row);
  return { ...row, ...changes };
}

/** Null when the status has no event. */
function toEvent(
  row: RequestRow,
  { metadata, fileName }: Pick<Document, "metadata" | "fileName">,
  outputs: readonly Output[],
): ServiceEvent | null {
  const { status, documentId, batchId, organizationId, provider } = row;
  const { platen: _ours, ...userMetadata } = metadata ?? {};
  const data = {
    signatureId: row.id,
    documentId,
    batchId,
    organizationId,
    provider,
    // Without the link: anyone who has it can sign.
    submitters: row.submitters.map((submitter) => ({
      role: submitter.role,
      email: submitter.email,
      name: submitter.name,
      status: submitter.status,
      reason: submitter.reason,
    })),
    outputs: [...outputs],
    metadata: {
      ...(fileName !== null && { documentName: fileName }),
      ...userMetadata,
    },
    completedAt: (row.completedAt ?? row.updatedAt).toISOString(),
  };
  switch (status) {
    case "completed":
      return { type: "signature.completed", data: { ...data, status } };
    case "declined":
      return { type: "signature.declined", data: { ...data, status } };
    case "expired":
      return { type: "signature.expired", data: { ...data, status } };
    default:
      return null;
  }
}

// Files in the table of kept files outlive their document's expiry. After each change, the sweep of files has to check
// the document again.

/** The provider has the PDF, or never will: from now on the file expires with its document. */
export async function releaseSource(
  tx: EntityManager,
  { source, documentId }: SignatureRequest,
): Promise<void> {
  if (source === null) return;
  await tx.delete(KeptFile, { storageKey: source.storageKey });
  await scheduleSweep(tx, documentId);
}

async function scheduleSweep(
  tx: EntityManager,
  documentId: string,
): Promise<void> {
  await changeRows(
    tx,
    "UPDATE document SET purge_at = expires_at WHERE id = ?",
    [documentId],
  );
}

/** The submitters with the provider's state; a link that the provider no longer returns is kept. */
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
