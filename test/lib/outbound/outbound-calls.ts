import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  Outbound,
  type OutboundSettings,
} from "../../../core/lib/outbound/index.js";
import { silentLog } from "../../support/recording-log.js";

/** One that may call the loopback addresses, and nothing else that is not public, unless it is told otherwise. */
export function outboundTo(settings: Partial<OutboundSettings> = {}): Outbound {
  return new Outbound({
    allowPrivateNetworks: ["127.0.0.0/8"],
    log: silentLog,
    ...settings,
  });
}

export const limits = { timeoutMs: 20_000, maxBytes: 100_000 };

/** The error with which a call ends. */
export async function getRejection(
  call: Promise<unknown>,
): Promise<PlatenError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof PlatenError) return thrown;
  throw new Error("the call was not refused", { cause: thrown });
}

export interface RecordingServer {
  readonly port: number;
  /** The requests, as `METHOD /path`. */
  readonly requests: string[];
}

/** A server for the suite that calls this, on an address of the loopback network. */
export function useServer(
  listener: RequestListener,
  host = "127.0.0.1",
): RecordingServer {
  const state = { port: 0, requests: new Array<string>() };
  const server = createServer((request, response) => {
    state.requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  before(async () => {
    server.listen(0, host);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new TypeError("the server listens on no port");
    state.port = address.port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}
