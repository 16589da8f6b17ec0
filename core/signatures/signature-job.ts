import type { NewJob } from "../queue/index.js";
import type { SignatureRequest } from "../storage/database/index.js";

/** The kind of the jobs that carry a request's id. */
export const SIGNATURE_JOB = "signature";

type Named = Pick<SignatureRequest, "id" | "organizationId" | "batchId">;

/** Callers who wait have turns of their own, so that they are not behind their organization's batches. */
export function signatureJob({ id, organizationId, batchId }: Named): NewJob {
  const share = batchId === null ? organizationId : `${organizationId}:batches`;
  return { kind: SIGNATURE_JOB, rowId: id, share };
}
