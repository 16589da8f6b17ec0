import { Job } from "../../../core/storage/database/index.js";
import type { Evidence, Loss } from "./evidence.js";

/** When all processes have ended, nobody holds a job, and only those that are never done are left. */
export async function checkQueue({ store }: Evidence): Promise<Loss[]> {
  const jobs = await store.read.find(Job);
  return jobs.flatMap(({ kind, rowId, lockToken }) => [
    ...(lockToken === null
      ? []
      : [{ kind: "job locked", what: `${kind} ${rowId}` }]),
    ...(isForEver(kind)
      ? []
      : [{ kind: "job left", what: `${kind} ${rowId}` }]),
  ]);
}

/** A sweep, or a row that is there to be locked. */
function isForEver(kind: string): boolean {
  return kind === "" || kind.startsWith("every:");
}
