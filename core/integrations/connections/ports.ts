import type { EntityManager } from "typeorm";
import type { EsignHost, PlatformHost } from "../host/index.js";
import type { SecretBox } from "../../lib/secrets.js";
import type { AuditEvent, Store } from "../../storage/database/index.js";

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

/** Who knows the plugins of each kind of connection. */
export interface Hosts {
  platform: PlatformHost;
  esign: EsignHost;
}

/** All that the connection room is handed. */
export interface ConnectionPorts {
  store: Store;
  hosts: Hosts;
  secrets: SecretBox;
  /** Notes an act in the transaction that does it. */
  noteAct: (
    tx: EntityManager,
    actor: ConnectionActor,
    note: ConnectionNote,
  ) => Promise<void>;
}
