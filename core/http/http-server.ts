import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { PlatenError } from "../contract/index.js";

interface Address {
  host: string;
  port: number;
  /** How to set another. */
  setBy?: string;
}

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
  address: Address,
): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
  });
  const port = await listen(server, address);
  try {
    answerWith(server, listenerFor(port));
  } catch (error) {
    server.close();
    throw error;
  }
  return { port, stop: (milliseconds) => stop(server, milliseconds) };
}

/** Called before the event loop turns after the port was opened, and so before the first connection. */
function answerWith(server: Server, listener: Listener): void {
  server.on("request", (request, response) => {
    void listener(request, response);
  });
}

async function listen(server: Server, address: Address): Promise<number> {
  const { host, port } = address;
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, address);
  });
  const bound = server.address();
  return typeof bound === "object" ? (bound?.port ?? port) : port;
}

function listenError(
  error: NodeJS.ErrnoException,
  { host, port, setBy = "PLATEN_HOST or PLATEN_PORT" }: Address,
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
    `Cannot listen on ${host}:${port}: ${reason}. Set ${setBy}.`,
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
