import { once } from "node:events";
import { Transform } from "node:stream";
import type { KeyHolder } from "../../accounts/index.js";
import { decodeUtf8 } from "../../lib/utf8.js";
import {
  type Log,
  PlatenError,
  quoteLongNumbers,
} from "../../plugin-api/index.js";
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
  const refuse = (message: string) => {
    const error = { code: -32_700, message };
    stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
  };
  const messages = stdin.pipe(readLines(maxBufferSize, refuse));
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

/**
 * Passes messages on, one in each line, so that the SDK's parser rounds no number. Longer lines pass as they are.
 * @param refuse answers a line that is not UTF-8, which is left out
 */
function readLines(
  maxBytes: number,
  refuse: (message: string) => void,
): Transform {
  let held: Buffer[] = [];
  let size = 0;
  const readLine = (line: Buffer): string => {
    try {
      return `${quoteLongNumbers(decodeUtf8(line, "The message"))}\n`;
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      refuse(error.message);
      return "";
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end === 0 && size + chunk.length <= maxBytes) {
        held.push(chunk);
        size += chunk.length;
        done();
        return;
      }
      const passed = Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [chunk.subarray(end)];
      size = chunk.length - end;
      const isWhole = passed.at(-1) === NEWLINE;
      done(
        null,
        isWhole ? [...splitLines(passed)].map(readLine).join("") : passed,
      );
    },
    flush(done) {
      done(null, Buffer.concat(held));
    },
  });
}

/** @param bytes of lines that end. Without their ends */
function* splitLines(bytes: Buffer): Iterable<Buffer> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start);
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}
