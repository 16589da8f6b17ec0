import { once } from "node:events";
import { Transform } from "node:stream";
import type { KeyHolder } from "../../accounts/index.js";
import { type Log, quoteLongNumbers } from "../../plugin-api/index.js";
import { type EndedKeys, OpenStreams } from "./open-streams.js";
import type { ToolServer } from "../server.js";

const keyPollMs = 3000;

export interface StdioOptions {
  server: Pick<ToolServer, "build">;
  caller: KeyHolder;
  endedKeys: EndedKeys;
  /** Must not write to stdout, which is the client's. */
  log: Log;
  maxMessageBytes: number;
}

/**
 * Serves the client that started this process, over its stdin and stdout. Resolves when the client has closed stdin, when
 * the key is revoked, or on SIGINT and SIGTERM.
 */
export async function serveStdio(parts: StdioOptions): Promise<void> {
  const { server, caller, log, maxMessageBytes: maxBufferSize } = parts;
  const sdk = await import("@modelcontextprotocol/server/stdio");
  const ending = new AbortController();
  const end = () => ending.abort();
  const { stdin, stdout } = process;
  const messages = stdin.pipe(quoteLongNumbersInLines(maxBufferSize));
  const transport = new sdk.StdioServerTransport(messages, stdout, {
    maxBufferSize,
  });
  const handle = sdk.serveStdio(() => server.build({ caller, log }), {
    transport,
    onerror: (error) => log.debug({ err: error }, "a message was refused"),
  });
  const streams = new OpenStreams({ ...parts, pollMs: keyPollMs });
  const remove = streams.add({ keyId: caller.keyId, cut: end });
  for (const event of ["end", "close"] as const) stdin.once(event, end);
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  if (!ending.signal.aborted) await once(ending.signal, "abort");
  remove();
  await handle.close();
}

const NEWLINE = 10;

/** Passes messages on, one in each line, so that the SDK's parser rounds no number. Longer lines pass as they are. */
function quoteLongNumbersInLines(maxBytes: number): Transform {
  let held: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end === 0 && size + chunk.length <= maxBytes) {
        held.push(chunk);
        size += chunk.length;
        done();
        return;
      }
      const lines = Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [chunk.subarray(end)];
      size = chunk.length - end;
      done(
        null,
        lines.toString("utf8").split("\n").map(quoteLongNumbers).join("\n"),
      );
    },
    flush(done) {
      done(null, Buffer.concat(held));
    },
  });
}
