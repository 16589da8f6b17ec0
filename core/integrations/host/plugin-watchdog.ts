import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";
import { clock } from "../../lib/clock.js";
import type { Evidence } from "./process-messages.js";

// A thread of the plugin host. Ends the process when its main thread does not come back from a plugin's code, or when
// the process uses too much memory; before that, it interrupts the main thread to find out whose code is running.

export interface WatchdogSettings {
  /** The main thread increases its number every `beatMs`. */
  beats: SharedArrayBuffer;
  beatMs: number;
  maxSilenceMs: number;
  maxMemoryMb: number;
  /** The file descriptor for evidence. */
  evidence: number;
}

/** Evaluated in the interrupted main thread: JSON of the running plugin and its method. */
export const runningPlugin = "platen.runningPlugin";

const megabyte = 1024 ** 2;
/** How long the interrupted thread may take to say what is running. */
const maxPauseMs = 1000;

/** Only this module's own thread has settings. */
if (isSettings(workerData)) watch(workerData);

function isSettings(value: unknown): value is WatchdogSettings {
  return typeof value === "object" && value !== null && "beats" in value;
}

function watch(settings: WatchdogSettings): void {
  const { beatMs, maxSilenceMs, maxMemoryMb } = settings;
  const beats = new Int32Array(settings.beats);
  let lastBeat = -1;
  let memoryAtBeat = 0;
  // Counted in ticks of this thread, so that a suspended machine does not count.
  let silentTicks = 0;
  const timer = clock.watch(beatMs, () => {
    const memoryMb = process.memoryUsage.rss() / megabyte;
    const beat = Atomics.load(beats, 0);
    if (beat !== lastBeat) {
      lastBeat = beat;
      memoryAtBeat = memoryMb;
      silentTicks = 0;
    } else silentTicks += 1;
    if (memoryMb > maxMemoryMb) {
      timer.cancel();
      // The plugin that runs now used the memory only if it has run without a pause since there was enough.
      const isCertain = memoryAtBeat < maxMemoryMb / 2;
      const reason = `it used more than ${maxMemoryMb} MB of memory`;
      endProcess(settings, reason, isCertain);
    } else if (silentTicks * beatMs > maxSilenceMs) {
      timer.cancel();
      const reason = `it computed for more than ${maxSilenceMs / 1000} s without a pause`;
      endProcess(settings, reason, true);
    }
  });
}

function endProcess(
  { evidence }: WatchdogSettings,
  reason: string,
  isCertain: boolean,
): void {
  const end = (running: string | null) => {
    const found: unknown = running === null ? null : JSON.parse(running);
    const nobody = { plugin: null, method: null };
    const report = { ...nobody, ...(isCertain && Object(found)), reason };
    writeSync(evidence, `${JSON.stringify(report satisfies Evidence)}\n`);
    process.kill(process.pid, "SIGKILL");
  };
  clock.limit(maxPauseMs, () => end(null));
  const session = new Session();
  session.connectToMainThread();
  session.once("Debugger.paused", ({ params: { callFrames } }) => {
    const [frame] = callFrames;
    if (frame === undefined) return;
    session.post(
      "Debugger.evaluateOnCallFrame",
      {
        callFrameId: frame.callFrameId,
        expression: `globalThis[Symbol.for(${JSON.stringify(runningPlugin)})]()`,
        returnByValue: true,
      },
      (_error, reply) => {
        const value: unknown = reply?.result.value;
        end(typeof value === "string" ? value : null);
      },
    );
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}
