import type { Outbound } from "../lib/outbound/index.js";
import type { SecretBox } from "../lib/secrets.js";
import type { Log } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import type { Store } from "../storage/database/index.js";

/** What webhooks need. */
export interface EventPorts {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge" | "work" | "every">;
  outbound: Pick<Outbound, "fetch" | "check">;
  secrets: SecretBox;
  settings: EventSettings;
  /** The `user-agent` of every delivery. */
  userAgent: string;
  log: Log;
}

/** How deliveries are made. Times are in milliseconds. */
export interface EventSettings {
  /** The waits after the first, second … failed attempt: one more attempt than there are waits. */
  schedule: readonly number[];
  /** The limit of one attempt, from the DNS lookup to the end of the response. */
  timeoutMs: number;
  /** The longest time that `documents.completed` waits for its documents' deliveries. */
  maxHoldMs: number;
  /** An endpoint whose attempts all failed for this long is disabled. */
  disableAfterMs: number;
  /** How long a rotated secret continues to sign. */
  overlapMs: number;
  /** Attempts that this process makes at once. */
  concurrency: number;
  /** Attempts at one endpoint at once, by all processes together. */
  perEndpoint: number;
  /** After how long the attempts of a process that died go to others. */
  leaseMs: number;
  /** How long ended deliveries, their attempts and events are kept. */
  retentionMs: number;
}
