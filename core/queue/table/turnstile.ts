import type { EntityManager } from "typeorm";
import type { NewJob } from "../queue.js";
import type { JobTable } from "./job-table.js";

/** No job is of this kind, so that nobody ever claims such a row. */
const turnstileKind = "";

/** A row to lock for those who count what runs of a kind before they take more. */
export function turnstileOf(kind: string): NewJob {
  return {
    kind: turnstileKind,
    rowId: kind,
    runAt: new Date(Date.UTC(9999, 0)),
  };
}

/** Waits until no other node counts the jobs of the kind; SQLite has one writer anyway. */
export async function passTurnstile(
  tx: EntityManager,
  { isSqlite }: JobTable,
  kind: string,
): Promise<void> {
  if (isSqlite) return;
  await tx.query(
    "SELECT row_id FROM job WHERE kind = ? AND row_id = ? FOR UPDATE",
    [turnstileKind, kind],
  );
}
