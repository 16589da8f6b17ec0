import {
  setImmediate as turn,
  setTimeout as pause,
} from "node:timers/promises";
import { PlatenError } from "../../plugin-api/index.js";
import { isBusy } from "./faults.js";

const busyLimitMs = 30_000;

/** Tries again as long as another process holds SQLite's lock, for half a minute at most. */
export async function whileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + busyLimitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > end)
        throw new PlatenError(
          "unavailable",
          "The database file is locked by another program. Close what has it open, then try again.",
          { cause: error },
        );
      await pause(5 + Math.random() * 20);
      // Timers that are due already run on and on: without a turn, the lock's holder in this process would starve.
      await turn();
    }
  }
}
