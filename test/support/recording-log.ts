import { Writable } from "node:stream";
import { createLog } from "../../core/lib/log.js";
import type { Log } from "../../core/plugin-api/index.js";

/** The service's own log at its most talkative, and all that it wrote, as text. */
export function recordingLog(): { log: Log; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: "trace", format: "json" }, stream);
  return { log, text: () => chunks.join("") };
}

const nothing = () => undefined;

/** Says nothing. */
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLog,
};
