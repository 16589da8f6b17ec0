import type { DataSource, EntityManager } from "typeorm";
import type { UnitOfWork, Work } from "./unit-of-work.js";

/** The open database. */
export interface Store {
  readonly dialect: "sqlite" | "mysql" | "mariadb";
  /** For single reads: each sees what is committed by then, and never waits for a writer. */
  readonly read: EntityManager;
  /**
   * Reads that belong together: `work` sees what was committed at one moment. It only reads, through its argument alone,
   * and waits for nothing else. Never waits for a writer. Not to be nested. Rejects with what `work` rejected with.
   */
  readonly snapshot: <T>(work: Work<T>) => Promise<T>;
  readonly unitOfWork: UnitOfWork;
  /** For migrations and schema checks alone; rooms use `read` and `unitOfWork`. */
  readonly dataSource: DataSource;
  /** Waits for the running units of work and snapshots, then closes. */
  close(): Promise<void>;
}
