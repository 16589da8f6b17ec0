import { Writable } from "node:stream";
import type { Log } from "../../core/plugin-api/index.js";
import { createLog } from "../../core/lib/log.js";

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
