import type { EntityManager } from "typeorm";
import type { Log } from "../plugin-api/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import type { Queue } from "../queue/index.js";
import type { SecretBox } from "../lib/secrets.js";
import type { AuditEvent, Store } from "../storage/database/index.js";
import type { EventSettings } from "./event-settings.js";

/** Who does an administrative act, and through which door. */
export type EventActor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

export interface WebhookNote {
  organizationId: string;
  action:
    | "webhook.created"
    | "webhook.changed"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "webhook.disabled";
  subject: string;
  details?: Record<string, unknown>;
}

/** Notes an act in the transaction that does it. */
export type NoteAct = (
  tx: EntityManager,
  actor: EventActor,
  note: WebhookNote,
) => Promise<void>;

/** All that the event room is handed. */
export interface EventPorts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge" | "work" | "every">;
  outbound: Pick<Outbound, "fetch" | "check">;
  secrets: SecretBox;
  noteAct: NoteAct;
  settings: EventSettings;
  /** The `user-agent` of every delivery. */
  userAgent: string;
  log: Log;
}
