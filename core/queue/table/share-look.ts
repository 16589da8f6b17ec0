import type { EntityManager } from "typeorm";
import type { JobTable } from "./job-table.js";

/** A share with jobs of one kind. */
export interface ShareLine {
  share: string;
  /** Milliseconds until its first job may start; not positive when it may now. */
  waitMs: number;
}

/** MySQL takes a statement for each share, so that a look must not go on for ever. */
const sharesOfALook = { sqlite: 1000, mysql: 200 };

/**
 * Finds the shares that have jobs of a kind, each with its first one, by jumping from share to share in the index
 * (kind, share, ready_at), however many jobs each has. Of very many, one look shows some, and the next look goes on.
 */
export class ShareLook {
  /** Where the last look stopped. */
  #from: string | null = null;
  readonly #most: number;

  constructor(
    private readonly table: JobTable,
    private readonly kind: string,
  ) {
    this.#most = sharesOfALook[table.isSqlite ? "sqlite" : "mysql"];
  }

  async read(reader: EntityManager): Promise<ShareLine[]> {
    const from = this.#from;
    const lines = await this.#after(reader, from);
    this.#from =
      lines.length === this.#most ? (lines.at(-1)?.share ?? null) : null;
    return lines.length === 0 && from !== null ? this.read(reader) : lines;
  }

  #after(reader: EntityManager, from: string | null): Promise<ShareLine[]> {
    return this.table.isSqlite
      ? this.#inOneStatement(reader, from)
      : this.#stepByStep(reader, from);
  }

  async #inOneStatement(
    reader: EntityManager,
    from: string | null,
  ): Promise<ShareLine[]> {
    const { kind } = this;
    const start = from === null ? "" : "AND share > ?";
    return reader.query<ShareLine[]>(
      `WITH RECURSIVE line (share) AS (
        SELECT (SELECT share FROM job WHERE kind = ? ${start} ORDER BY share LIMIT 1)
        UNION ALL
        SELECT (SELECT job.share FROM job WHERE job.kind = ? AND job.share > line.share
          ORDER BY job.share LIMIT 1)
        FROM line WHERE line.share IS NOT NULL
      )
      SELECT share, (SELECT ${this.table.clock.until("ready_at")} FROM job
        WHERE job.kind = ? AND job.share = line.share ORDER BY job.ready_at LIMIT 1) AS waitMs
      FROM line WHERE share IS NOT NULL LIMIT ${this.#most}`,
      [kind, ...(from === null ? [] : [from]), kind, kind],
    );
  }

  /** In one statement, MySQL and MariaDB would read all jobs of the kind whenever their statistics mislead them. */
  async #stepByStep(
    reader: EntityManager,
    from: string | null,
  ): Promise<ShareLine[]> {
    const lines: ShareLine[] = [];
    for (let last = from; lines.length < this.#most;) {
      const [row] = await this.#next(reader, last);
      if (!row) break;
      lines.push({ share: row.share, waitMs: Number(row.waitMs) });
      last = row.share;
    }
    return lines;
  }

  #next(reader: EntityManager, last: string | null) {
    const after = last === null ? "" : "AND share > ?";
    return reader.query<{ share: string; waitMs: unknown }[]>(
      `SELECT share, ${this.table.clock.until("ready_at")} AS waitMs
       FROM job FORCE INDEX (ix_job_ready)
       WHERE kind = ? ${after} ORDER BY share, ready_at LIMIT 1`,
      [this.kind, ...(last === null ? [] : [last])],
    );
  }
}
