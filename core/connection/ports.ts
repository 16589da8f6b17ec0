import type { EntityManager } from "typeorm";
import type { PlatformHost } from "../host/index.js";
import type { SecretBox } from "../secret/index.js";
import type { AuditEvent, Store } from "../store/index.js";

/** Who does an administrative act, and through which door. */
export type ConnectionActor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

export interface ConnectionNote {
  organizationId: string;
  action:
    | "connection.created"
    | "connection.changed"
    | "connection.deleted"
    | "connection.resealed";
  subject: string;
  details?: Record<string, unknown>;
}

/** All that the connection room is handed. */
export interface ConnectionPorts {
  store: Store;
  platforms: PlatformHost;
  secrets: SecretBox;
  /** Notes an act in the transaction that does it. */
  noteAct: (
    tx: EntityManager,
    actor: ConnectionActor,
    note: ConnectionNote,
  ) => Promise<void>;
}
