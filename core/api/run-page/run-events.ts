import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { RunState } from "./run-views.js";

const lookMs = 700;
/** So that proxies in between do not take the connection for a dead one. */
const heartbeatMs = 15_000;
/** Then the browser connects anew, maybe to another process. */
const longestMs = 10 * 60_000;

/** A run's state whenever it changes, as server-sent events, until it is over or the service ends. */
export function runEvents(
  look: () => Promise<RunState>,
  draining: AbortSignal,
): Readable {
  return Readable.from(events(look, draining), { objectMode: false });
}

async function* events(
  look: () => Promise<RunState>,
  draining: AbortSignal,
): AsyncGenerator<string> {
  yield "retry: 2000\n\n";
  const end = Date.now() + longestMs;
  let told = "";
  let toldAt = Date.now();
  while (Date.now() < end && !draining.aborted) {
    const state = await look();
    const text = JSON.stringify(state);
    if (text !== told) yield `data: ${text}\n\n`;
    else if (Date.now() - toldAt > heartbeatMs) yield ": still here\n\n";
    if (text !== told || Date.now() - toldAt > heartbeatMs) toldAt = Date.now();
    told = text;
    if (state.isOver) return;
    await pause(lookMs, undefined, { signal: draining }).catch(() => undefined);
  }
}
