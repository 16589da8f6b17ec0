import type { Output, SignerStatus } from "../plugin-api/index.js";
import type {
  SignatureRequest,
  SignatureStatus,
} from "../storage/database/index.js";

/** A request as its organization sees it. Times are ISO 8601. */
export interface SignatureDetail {
  id: string;
  organizationId: string;
  documentId: string;
  batchId: string | null;
  connectionId: string;
  provider: string;
  /** As the provider knows it. */
  externalId: string | null;
  status: SignatureStatus;
  title: string;
  message: { subject?: string; body?: string } | null;
  submitters: SubmitterView[];
  /** Labelled `signed` and `audit`. */
  outputs: Output[];
  warnings: string[];
  error: string | null;
  expiresAt: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface SubmitterView {
  role: string;
  email: string;
  name: string | null;
  order: number;
  status: SignerStatus;
  url: string | null;
  reason: string | null;
}

export function signatureDetail(
  row: SignatureRequest,
  outputs: readonly Output[] = [],
): SignatureDetail {
  const { id, organizationId, documentId, batchId, connectionId } = row;
  const { provider, externalId, status, title, message, warnings } = row;
  return {
    id,
    organizationId,
    documentId,
    batchId,
    connectionId,
    provider,
    externalId,
    status,
    title,
    message,
    submitters: row.submitters.map(({ values: _values, ...one }) => one),
    outputs: [...outputs],
    warnings,
    error: row.error,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
