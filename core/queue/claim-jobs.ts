import type { EntityManager } from "typeorm";
import {
  candidatesOfShare,
  lockJobs,
  type Claim,
  type JobTable,
  runningOfShare,
  passTurnstile,
} from "./job-table.js";

interface Demand {
  kind: string;
  /** How many jobs are wanted. */
  free: number;
  leaseMs: number;
  /** Jobs of one share that may run at once, over all nodes. */
  perShare: number;
  token: string;
  node: string;
}

export interface Harvest {
  claims: Claim[];
  /** Milliseconds until it is worth to look again; 0 when jobs were left that may start. */
  nextLookMs: number;
}

/** What a node keeps in mind between its claims. */
export interface LineState {
  look: ShareLook;
  turns: Turns;
}

/** Takes up to `free` jobs, each from the share whose turn it is, oldest first within a share. */
export async function claimJobs(
  tx: EntityManager,
  table: JobTable,
  { look, turns }: LineState,
  demand: Demand,
): Promise<Harvest> {
  const { kind, free, perShare } = demand;
  if (perShare < Infinity) await passTurnstile(tx, table, kind);
  const lines = await look.read(tx);
  const open = new Set(readyOf(lines));
  const claims: Claim[] = [];
  let isCapped = false;
  while (claims.length < free && open.size > 0) {
    const taken: Claim[] = [];
    for (const [share, wish] of grant(free - claims.length, open, turns)) {
      const limit = Math.min(wish, await roomOf(tx, table, share, demand));
      const found = await findOf(tx, table, demand, share, limit);
      taken.push(...found);
      isCapped ||= limit < wish;
      if (found.length < wish) open.delete(share);
    }
    await lockJobs(tx, table, demand, taken);
    claims.push(...taken);
  }
  const isMore = claims.length === free || isCapped;
  return { claims, nextLookMs: isMore ? 0 : nextDue(lines) };
}

/** The shares with jobs that may start, the one with the oldest first. */
function readyOf(lines: readonly ShareLine[]): string[] {
  return lines
    .filter(({ waitMs }) => waitMs <= 0)
    .toSorted((one, other) => one.waitMs - other.waitMs)
    .map(({ share }) => share);
}

function nextDue(lines: readonly ShareLine[]): number {
  const waits = lines.map(({ waitMs }) => waitMs).filter((ms) => ms > 0);
  return Math.min(Infinity, ...waits);
}

async function findOf(
  tx: EntityManager,
  table: JobTable,
  { kind, token }: Demand,
  share: string,
  limit: number,
): Promise<Claim[]> {
  const found = await candidatesOfShare(tx, table, { kind, share, limit });
  return found.map(({ rowId, attempts }) => ({
    kind,
    rowId,
    share,
    attempt: attempts + 1,
    token,
  }));
}

/** Deals the free places out, one after the other, to the share whose turn it is. */
function grant(
  free: number,
  open: ReadonlySet<string>,
  turns: Turns,
): Map<string, number> {
  const shares = [...open];
  const grants = new Map<string, number>();
  for (let place = 0; place < free; place += 1) {
    const share = turns.choose(shares);
    if (share === undefined) break;
    turns.serve(share, 1);
    grants.set(share, (grants.get(share) ?? 0) + 1);
  }
  return grants;
}

/** How many more jobs of the share may run. */
async function roomOf(
  tx: EntityManager,
  table: JobTable,
  share: string,
  { kind, perShare, leaseMs }: Demand,
): Promise<number> {
  if (perShare === Infinity) return Infinity;
  return perShare - (await runningOfShare(tx, table, kind, share, leaseMs));
}

/** A share with jobs of one kind. */
interface ShareLine {
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

/**
 * Start-time fair queueing between shares: each job served moves its share one turn on, and the share with the lowest
 * turn comes next. A share that was away starts at the present turn, so that it neither gains nor loses by it. Nodes
 * need not agree: as each is fair, so are all together.
 */
export class Turns {
  #now = 0;
  readonly #next = new Map<string, number>();

  /** The share whose turn it is; of equal ones the first. */
  choose(shares: readonly string[]): string | undefined {
    let chosen: string | undefined;
    for (const share of shares)
      if (chosen === undefined || this.#turnOf(share) < this.#turnOf(chosen))
        chosen = share;
    return chosen;
  }

  /** Records that so many jobs of the share were served. */
  serve(share: string, jobs: number): void {
    const turn = this.#turnOf(share);
    this.#next.set(share, turn + jobs);
    this.#now = Math.max(this.#now, turn);
    if (this.#next.size > 1000) this.#forgetThePast();
  }

  #turnOf(share: string): number {
    return Math.max(this.#now, this.#next.get(share) ?? 0);
  }

  /** What lies behind the present turn says nothing any more. */
  #forgetThePast(): void {
    for (const [share, turn] of this.#next)
      if (turn <= this.#now) this.#next.delete(share);
  }
}
