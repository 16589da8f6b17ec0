import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { PlatenError } from "../contract/index.js";

/** Answers one request; never rejects. */
type Listener = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

export interface HttpServer {
  /** Where it listens; with port 0 asked for, the port that the system chose. */
  readonly port: number;
  /** Takes no new connection, lets running requests finish for at most `milliseconds`, then cuts the rest off. */
  stop(milliseconds: number): Promise<void>;
}

/**
 * Listens.
 * @param listenerFor makes what answers, once the port is known; no request comes in before.
 * @throws PlatenError `unavailable` when the port is taken or may not be had.
 */
export async function startHttpServer(
  listenerFor: (port: number) => Listener,
  { host, port }: { host: string; port: number },
): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
  });
  const opened = await listen(server, host, port, listenerFor);
  return {
    port: opened,
    stop: (milliseconds) => stop(server, milliseconds),
  };
}

/** The listener is there within the event that opens the port. */
function listen(
  server: Server,
  host: string,
  port: number,
  listenerFor: (port: number) => Listener,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      const opened = typeof address === "object" ? address?.port : undefined;
      const listener = listenerFor(opened ?? port);
      server.on("request", (request, response) => {
        void listener(request, response);
      });
      resolve(opened ?? port);
    });
  });
}

function listenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): PlatenError {
  const reasons: Record<string, string> = {
    EADDRINUSE: "another program uses it",
    EACCES: "ports below 1024 need special rights",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "this host name is not known",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new PlatenError(
    "unavailable",
    `Cannot listen on ${host}:${port}: ${reason}. Set PLATEN_HOST or PLATEN_PORT.`,
    { cause: error },
  );
}

/** A connection that only waits for a next request is closed as soon as its answer is out. */
async function stop(server: Server, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const end = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(end);
}
