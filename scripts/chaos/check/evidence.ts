import type { FileStore } from "../../../core/plugin-api/index.js";
import type { Store } from "../../../core/storage/database/index.js";
import type { Arrival, EndpointName } from "../moody-receiver.js";
import type { AcceptedBatch } from "../sender.js";

/** What a run leaves behind, and what was promised to those who sent the batches. */
export interface Evidence {
  store: Store;
  files: FileStore;
  /** All that was accepted on this database. */
  accepted: readonly AcceptedBatch[];
  /** In their order. */
  arrivals: readonly Arrival[];
  /** The ids of the endpoints. */
  endpoints: Readonly<Record<EndpointName, string>>;
}

/** A promise that was not kept. */
export interface Loss {
  /** In few words, the same for all of its kind. */
  kind: string;
  /** Which one. */
  what: string;
}

export type Check = (evidence: Evidence) => Promise<Loss[]>;

/** How often each value is there. */
export function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
