import type { QueuePorts } from "../ports.js";
import { DatabaseClock } from "./sql.js";

/** The table `job` in one of the databases. */
export class JobTable {
  readonly clock: DatabaseClock;
  readonly isSqlite: boolean;

  constructor(readonly dialect: QueuePorts["dialect"]) {
    this.clock = new DatabaseClock(dialect);
    this.isSqlite = dialect === "sqlite";
  }
}
