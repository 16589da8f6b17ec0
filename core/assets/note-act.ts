import type { EntityManager } from "typeorm";
import type { Asset, AuditEvent } from "../storage/database/index.js";

/** Who does something to an asset, and through which door. */
export type AssetActor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

/** An act upon an asset, for the audit trail. */
export interface AssetNote {
  organizationId: string;
  action:
    "asset.created" | "asset.trashed" | "asset.restored" | "asset.deleted";
  subject: string;
  details: Record<string, unknown>;
}

/** Notes an act in the transaction that does it. */
export type NoteAct = (
  tx: EntityManager,
  actor: AssetActor,
  note: AssetNote,
) => Promise<void>;

/** The note of an act upon this asset. */
export function noteOf(
  { id: subject, organizationId, name, assetType }: Asset,
  action: AssetNote["action"],
): AssetNote {
  return { organizationId, action, subject, details: { name, assetType } };
}
