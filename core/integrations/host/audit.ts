import type { EntityManager } from "typeorm";
import type { AuditAction } from "../../plugin-api/index.js";
import type { AuditEvent } from "../../storage/database/index.js";

/** Who performs an administrative act, and through which entry point. */
export type Actor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

/** Records an administrative act in the audit log, in the transaction that performs it. */
export type RecordAudit = (
  tx: EntityManager,
  actor: Actor,
  note: {
    organizationId: string;
    action: AuditAction;
    subject: string;
    details?: Record<string, unknown>;
  },
) => Promise<void>;
