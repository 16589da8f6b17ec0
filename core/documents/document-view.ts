import type { Output } from "../plugin-api/index.js";
import type {
  Document,
  DocumentStatus,
  User,
} from "../storage/database/index.js";
import type { SignatureView } from "./signing.js";

/** A document as callers see it; times are ISO 8601. */
export interface DocumentView {
  id: string;
  organizationId: string;
  templateId: string;
  createdById: string;
  status: DocumentStatus;
  outputs: Output[];
  metadata: Record<string, unknown> | null;
  /** On failed and expired documents alone. */
  error?: string;
  /** Of one document that goes to signing, read by itself. */
  signature?: SignatureView;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

export interface DocumentListView extends DocumentView {
  createdBy: Pick<User, "id" | "name" | "email" | "image">;
  template: { id: string; name: string };
}

export function documentView(row: Document): DocumentView {
  return {
    id: row.id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    createdById: row.createdById,
    status: row.status,
    outputs: row.outputs,
    metadata: row.metadata,
    ...(wentWrong(row) && { error: row.error ?? "" }),
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function wentWrong({ status }: Document): boolean {
  return status === "failed" || status === "expired";
}
