import type { DataSource, EntityManager } from "typeorm";
import type { UnitOfWork } from "./unit-of-work.js";

/** The open database. */
export interface Store {
  readonly dialect: "sqlite" | "mysql" | "mariadb";
  /** For reads outside of a transaction: sees what is committed, and never waits for a writer. */
  readonly read: EntityManager;
  readonly unitOfWork: UnitOfWork;
  /** For migrations and schema checks alone; rooms use `read` and `unitOfWork`. */
  readonly dataSource: DataSource;
  /** Waits for the running units of work, then closes. */
  close(): Promise<void>;
}
