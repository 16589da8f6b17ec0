import type { EntityManager } from "typeorm";
import type { Outbound } from "../lib/outbound/index.js";
import type { SecretBox } from "../lib/secrets.js";
import type { Log } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import type {
  AuditEvent,
  Store,
  AttemptOutcome,
} from "../storage/database/index.js";
import { CompletionGate } from "./completion-gate.js";
import { Deliverer } from "./deliverer.js";
import { EventDispatch } from "./event-dispatch.js";
import { EventRelay } from "./event-relay.js";
import { Replay } from "./replay.js";
import { WebhookDeliveries } from "./webhook-deliveries.js";
import { WebhookEndpoints } from "./webhook-endpoints.js";

/** The event room, joined. */
export interface Events {
  dispatch: EventDispatch;
  endpoints: WebhookEndpoints;
  deliveries: WebhookDeliveries;
}

export function createEvents(ports: EventPorts): Events {
  const { maxHoldMs } = ports.settings;
  const gate = new CompletionGate(ports);
  const counts = new AttemptCounts();
  const relay = new EventRelay({ ...ports, gate, maxHoldMs });
  const deliverer = new Deliverer({ ...ports, gate, counts });
  const replay = new Replay({ ...ports, gate, maxHoldMs });
  return {
    dispatch: new EventDispatch({ ...ports, relay, deliverer, gate, counts }),
    endpoints: new WebhookEndpoints(ports),
    deliveries: new WebhookDeliveries({ ...ports, deliverer, replay }),
  };
}

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

/** How deliveries are made. Times are in milliseconds. */
export interface EventSettings {
  /** The waits after the first, second … failed attempt: one more attempt than there are waits. */
  schedule: readonly number[];
  /** One attempt, from the look-up of the address to the end of the answer. */
  timeoutMs: number;
  /** How long `documents.completed` waits for its documents' deliveries at most. */
  maxHoldMs: number;
  /** An endpoint whose every attempt failed for so long is disabled. */
  disableAfterMs: number;
  /** How long a rotated secret goes on signing. */
  overlapMs: number;
  /** Attempts that this process makes at once. */
  concurrency: number;
  /** Attempts at one endpoint at once, over all processes. */
  perEndpoint: number;
  /** After how long the attempts of a process that died go to others. */
  leaseMs: number;
  /** How long ended deliveries, their attempts and events are kept. */
  retentionMs: number;
}

/** Attempts of this process, by how they ended. */
export class AttemptCounts {
  readonly #counts = { delivered: 0, refused: 0, unreachable: 0 };

  add(outcome: AttemptOutcome): void {
    this.#counts[outcome] += 1;
  }

  read(): Record<AttemptOutcome, number> {
    return { ...this.#counts };
  }
}
