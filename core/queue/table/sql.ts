import type { EntityManager } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import type { QueuePorts } from "../ports.js";

/** A piece of SQL and what its question marks stand for. */
export interface Sql {
  text: string;
  values: readonly unknown[];
}

/** A time as both databases write it, in UTC. */
export function moment(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** The database's clock: nodes may disagree about the time, and none of them is asked. */
export class DatabaseClock {
  readonly #isSqlite: boolean;

  constructor(dialect: QueuePorts["dialect"]) {
    this.#isSqlite = dialect === "sqlite";
  }

  get now(): string {
    return this.#isSqlite
      ? "strftime('%Y-%m-%d %H:%M:%f', 'now')"
      : "UTC_TIMESTAMP(3)";
  }

  /** So many milliseconds from now. */
  later(ms: number): Sql {
    return this.#isSqlite
      ? {
          text: "strftime('%Y-%m-%d %H:%M:%f', 'now', ?)",
          values: [`${(ms / 1000).toFixed(3)} seconds`],
        }
      : {
          text: "UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND",
          values: [Math.round(ms * 1000)],
        };
  }

  /** Milliseconds from now until the time in `column`; negative when it has passed. */
  until(column: string): string {
    return this.#isSqlite
      ? `(julianday(${column}) - julianday('now')) * 86400000`
      : `TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), ${column}) / 1000`;
  }
}

/** Question marks for a list of values. */
export function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/** Runs a statement that changes rows, and says how many. */
export async function change(
  tx: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  if (!tx.queryRunner)
    throw new PlatenError(
      "internal",
      "The queue was handed an entity manager outside of a transaction: pass the one that the unit of work gives.",
    );
  const { affected } = await tx.queryRunner.query(text, [...values], true);
  return affected ?? 0;
}
