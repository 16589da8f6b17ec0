import type { EntityManager } from "typeorm";
import type { Log } from "../plugin-api/index.js";

/** What the queue is handed. The table `job` must exist. */
export interface QueuePorts {
  readonly dialect: "sqlite" | "mysql" | "mariadb";
  /** Reads what is committed, without waiting for a writer. */
  readonly read: EntityManager;
  /** Runs a transaction, and again after a deadlock; on SQLite one at a time. */
  write<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
  readonly log: Log;
}
