import type { EntityManager } from "typeorm";
import { candidatesOfShare, lockJobs } from "../table/lock-jobs.js";
import type { Claim } from "../table/claim.js";
import type { JobTable } from "../table/job-table.js";
import { runningOfShare } from "../table/running-of-share.js";
import type { ShareLine, ShareLook } from "../table/share-look.js";
import { passTurnstile } from "../table/turnstile.js";
import type { Turns } from "./turns.js";

export interface Demand {
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
