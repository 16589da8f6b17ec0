import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { clock } from "../../lib/clock.js";

// A thread of a plugin's process. Ends the process when its main thread does not come back from the plugin's code, or when
// the process uses too much memory: buffers included, which no limit of V8 counts.

export interface WatchdogSettings {
  /** The main thread increases its number every `beatMs`. */
  beats: SharedArrayBuffer;
  beatMs: number;
  maxSilenceMs: number;
  maxMemoryMb: number;
}

/** Before the reason, in the last line that a process writes to stderr. */
export const endMark = "platen ended this process: ";

/** Only this module's own thread has settings. */
if (isSettings(workerData)) watch(workerData);

function isSettings(value: unknown): value is WatchdogSettings {
  return typeof value === "object" && value !== null && "beats" in value;
}

function watch(settings: WatchdogSettings): void {
  const { beatMs, maxSilenceMs, maxMemoryMb } = settings;
  const beats = new Int32Array(settings.beats);
  let lastBeat = -1;
  // Counted in ticks of this thread, so that a suspended machine does not count.
  let silentTicks = 0;
  clock.watch(beatMs, () => {
    const beat = Atomics.load(beats, 0);
    silentTicks = beat === lastBeat ? silentTicks + 1 : 0;
    lastBeat = beat;
    if (process.memoryUsage.rss() > maxMemoryMb * 1024 ** 2)
      endProcess(`it used more than ${maxMemoryMb} MB of memory`);
    else if (silentTicks * beatMs > maxSilenceMs)
      endProcess(
        `it computed for more than ${maxSilenceMs / 1000} s without a pause`,
      );
  });
}

function endProcess(reason: string): void {
  writeSync(2, `${endMark}${reason}\n`);
  process.kill(process.pid, "SIGKILL");
}
