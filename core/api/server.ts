import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { PlatenError } from "../plugin-api/index.js";

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
  /** Resolves once no request is running, after `milliseconds` at the latest. The port stays open meanwhile. */
  idle(milliseconds: number): Promise<void>;
  /** Takes no new connection and cuts off those that there are. */
  close(): Promise<void>;
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
  const running = new RunningRequests();
  try {
    answerWith(server, listenerFor(port), running);
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    port,
    idle: (milliseconds) => running.none(milliseconds),
    close: () => close(server),
  };
}

/** Called before the event loop turns after the port was opened, and so before the first connection. */
function answerWith(
  server: Server,
  listener: Listener,
  running: RunningRequests,
): void {
  server.on("request", (request, response) => {
    running.begin(response);
    response.once("finish", () => dropRest(request));
    void listener(request, response);
  });
}

/**
 * Reads what is left of a body that was refused midway: it stands before the connection's next request, which would
 * wait for it until the connection is cut.
 */
function dropRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
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

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The requests that are not answered yet. */
class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(response: ServerResponse): void {
    this.#count += 1;
    response.once("close", () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const tell of this.#waiting.splice(0)) tell();
    });
  }

  /** Resolves at a moment when nothing runs, after `milliseconds` at the latest. */
  async none(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const end = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(end);
        resolve();
      });
    });
  }
}
