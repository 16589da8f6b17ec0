import type { EntityManager } from "typeorm";
import { AuditEvent, newId, insertRow } from "../store/index.js";
import type { Actor } from "./actor.js";

export interface AuditNote {
  organizationId: string | null;
  action:
    | "organization.created"
    | "user.created"
    | "user.joined"
    | "user.role_changed"
    | "user.removed"
    | "login_link.created"
    | "session.started"
    | "session.revoked"
    | "api_key.created"
    | "api_key.revoked"
    | "template.imported"
    | "template.created"
    | "template.redefined"
    | "template.draft_discarded"
    | "template.trashed"
    | "template.restored"
    | "asset.created"
    | "asset.trashed"
    | "asset.restored"
    | "asset.deleted"
    | "link.created"
    | "link.revoked"
    | "signature.canceled"
    | "signature.resent"
    | "webhook.created"
    | "webhook.changed"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "webhook.disabled"
    | "connection.created"
    | "connection.changed"
    | "connection.deleted"
    | "connection.resealed";
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
