import { setTimeout as pause } from "node:timers/promises";

const SHORTEST_MS = 5;
const LONGEST_MS = 100;

/**
 * Asks again and again for as long as it is iterated over. The pauses grow with the time that has passed, to a tenth of
 * it: whoever waits for long is not to take the time of those that it waits for.
 */
export async function* looks(): AsyncGenerator<void> {
  const begun = Date.now();
  for (;;) {
    yield;
    const tenth = (Date.now() - begun) / 10;
    await pause(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tenth)));
  }
}
