import type { Log } from "../../plugin-api/index.js";
import type { Work } from "./run-job.js";

const prefix = "every:";

/** The kind of the one job that runs a sweep. */
export function sweepKind(name: string): string {
  return `${prefix}${name}`;
}

/** The sweep whose kind this is; undefined for any other kind. */
export function sweepOf(kind: string): string | undefined {
  return kind.startsWith(prefix) ? kind.slice(prefix.length) : undefined;
}

/** A job that is never done: it runs again `intervalMs` after its end, whether it succeeded or not. */
export function sweepWork(
  intervalMs: number,
  handler: (signal: AbortSignal) => Promise<void>,
  log: Log,
): Work {
  return {
    maxInterruptions: Infinity,
    handler: async ({ rowId, signal }) => {
      try {
        await handler(signal);
      } catch (error) {
        if (signal.aborted) throw error;
        log.error({ sweep: rowId, err: error }, "sweep failed");
      }
      return { again: intervalMs };
    },
    onPoison: () => Promise.resolve(),
  };
}
