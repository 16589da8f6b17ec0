import type { EntityManager } from "typeorm";
import type { AuditAction } from "../plugin-api/index.js";
import { AuditEvent, newId, insertRow } from "../storage/database/index.js";
import type { Actor } from "./actor.js";

export interface AuditNote {
  organizationId: string | null;
  action: AuditAction;
  /** The id of what was acted upon. */
  subject: string;
  /** Never a secret. */
  details?: Record<string, unknown>;
}

/** Notes an act in the transaction that does it: neither is there without the other. */
export async function recordAudit(
  tx: EntityManager,
  actor: Actor,
  { details, ...note }: AuditNote,
): Promise<void> {
  await insertRow(tx, AuditEvent, {
    id: newId(),
    ...actor,
    ...note,
    details: details ?? null,
    createdAt: new Date(),
  });
}
