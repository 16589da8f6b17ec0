import type { Output } from "../plugin-api/index.js";
import type { ServiceEvent, SignatureEvent } from "../webhooks/index.js";
import type {
  Document,
  RequestSubmitter,
  SignatureRequest,
} from "../storage/database/index.js";

/** What is told of a request that has ended; null: nothing is. */
export function eventOf(
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
