import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import {
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { setImmediate } from "node:timers/promises";

/** Where a server listens, by a name that the author chooses: `http://…`, or `tcp://host:port`. */
export type Addresses = Readonly<Record<string, string>>;

/** What a proxy does with a request instead of forwarding it. */
export type Fault =
  | {
      kind: "reply";
      status: number;
      headers?: Readonly<Record<string, string>>;
      body: string;
    }
  /** The request does not arrive and is never answered. */
  | { kind: "stall" }
  /** The connection breaks before the request arrives. */
  | { kind: "reset" }
  /** The server handles the request, and the connection breaks before its reply. */
  | { kind: "lost-reply" };

function textReply(status: number, body: string): Fault {
  return {
    kind: "reply",
    status,
    headers: { "content-type": "text/plain" },
    body,
  };
}

export const faults = {
  stall: { kind: "stall" },
  reset: { kind: "reset" },
  lostReply: { kind: "lost-reply" },
  unauthorized: textReply(401, "Unauthorized"),
  forbidden: textReply(403, "Forbidden"),
  notFound: textReply(404, "Not Found"),
  unavailable: textReply(503, "Service Unavailable"),
  /** Asks to retry at once, because the checks are about the retry and not about the wait. */
  tooManyRequests: {
    kind: "reply",
    status: 429,
    headers: { "content-type": "text/plain", "retry-after": "0" },
    body: "Too Many Requests",
  },
  /** The answer of a login page or of a proxy. */
  html: {
    kind: "reply",
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><title>Sign in</title><p>Please sign in.",
  },
} as const satisfies Record<string, Fault>;

/** Which requests a fault affects, counted from 1. */
export interface FaultRange {
  from?: number;
  to?: number;
}

/** One fault proxy for each address of a server. */
export class FaultProxies {
  private constructor(
    private readonly proxies: ReadonlyMap<string, FaultProxy>,
  ) {}

  static async start(addresses: Addresses): Promise<FaultProxies> {
    const proxies = new Map<string, FaultProxy>();
    for (const [name, address] of Object.entries(addresses)) {
      const target = new URL(address);
      const proxy =
        target.protocol === "tcp:"
          ? new TcpProxy(target)
          : new HttpProxy(target);
      await proxy.listen();
      proxies.set(name, proxy);
    }
    return new FaultProxies(proxies);
  }

  private get all(): readonly FaultProxy[] {
    return [...this.proxies.values()];
  }

  /** False when the plugin has no server, such as one that reads a file. */
  get exist(): boolean {
    return this.proxies.size > 0;
  }

  /** Whether the proxies see single requests; TCP proxies only break and stall connections. */
  get seeRequests(): boolean {
    return this.exist && this.all.every((proxy) => proxy instanceof HttpProxy);
  }

  get addresses(): Addresses {
    return Object.fromEntries(
      Array.from(this.proxies, ([name, { url }]) => [name, url]),
    );
  }

  async countRequests(work: () => Promise<unknown>): Promise<number> {
    // What an earlier call has sent and not waited for arrives first.
    await setImmediate();
    for (const proxy of this.all) proxy.watch(null);
    await work();
    return this.all.reduce((sum, proxy) => sum + proxy.requestCount, 0);
  }

  /** The most HTTP requests that were open at the same time during `work`. */
  async countConcurrent(work: () => Promise<unknown>): Promise<number> {
    // A connection of another protocol closes some time after its call.
    const proxies = this.all.filter((proxy) => proxy instanceof HttpProxy);
    for (const proxy of proxies) proxy.watch(null);
    await work();
    return Math.max(0, ...proxies.map(({ maxConcurrent }) => maxConcurrent));
  }

  /** Runs `work` while the fault affects requests of each proxy, by default all of them. */
  async withFault<T>(
    fault: Fault,
    work: () => Promise<T>,
    { from = 1, to = Infinity }: FaultRange = {},
  ): Promise<T> {
    for (const proxy of this.all) proxy.watch({ fault, from, to });
    try {
      return await work();
    } finally {
      for (const proxy of this.all) proxy.watch(null);
    }
  }

  /** Resolves when the fault has affected a request. */
  async waitForFault(): Promise<void> {
    await Promise.race(this.all.map((proxy) => proxy.waitForFault()));
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((proxy) => proxy.close()));
  }
}

interface FaultPlan {
  fault: Fault;
  from: number;
  to: number;
}

/** A proxy on the loopback interface in front of one address. Counts are since `watch`. */
abstract class FaultProxy {
  requestCount = 0;
  maxConcurrent = 0;
  #open = 0;
  #plan: FaultPlan | null = null;
  #wasAffected = false;
  #waiting: (() => void)[] = [];

  protected abstract readonly server: Server;

  constructor(protected readonly target: URL) {}

  abstract get url(): string;
  abstract closeConnections(): void;

  async listen(): Promise<void> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
  }

  protected get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === "string")
      throw new Error("the proxy does not listen");
    return address.port;
  }

  /** Resets the counts and applies a plan, if any, to the requests from now on. */
  watch(plan: FaultPlan | null): void {
    this.#plan = plan;
    this.requestCount = 0;
    this.maxConcurrent = this.#open;
    this.#wasAffected = false;
  }

  waitForFault(): Promise<void> {
    if (this.#wasAffected) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.close();
    this.closeConnections();
    await once(this.server, "close");
  }

  /** Counts a request or a connection. @returns the fault that affects it, if any. */
  protected enter(): Fault | null {
    this.requestCount += 1;
    this.#open += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#open);
    return this.findFault(this.requestCount);
  }

  /** The fault that affects a request or a connection by its number, if any. */
  protected findFault(number: number): Fault | null {
    const plan = this.#plan;
    if (!plan || number < plan.from || number > plan.to) return null;
    this.#wasAffected = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
    return plan.fault;
  }

  protected leave(): void {
    this.#open -= 1;
  }
}

/** Answers, stalls or breaks single HTTP requests. */
class HttpProxy extends FaultProxy {
  // The proxy never closes idle connections: on a busy machine, that would break the plugin's next request.
  protected readonly server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => {
      this.#receive(request, response);
    },
  );

  get url(): string {
    const path = this.target.pathname.replace(/\/$/, "");
    return `http://127.0.0.1:${this.port}${path}`;
  }

  closeConnections(): void {
    this.server.closeAllConnections();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const fault = this.enter();
    response.once("close", () => {
      this.leave();
    });
    if (fault === null) this.#forward(request, response, false);
    else if (fault.kind === "lost-reply")
      this.#forward(request, response, true);
    else if (fault.kind === "reset") request.socket.resetAndDestroy();
    else {
      request.resume();
      if (fault.kind === "reply")
        request.once("end", () => {
          response.writeHead(fault.status, fault.headers).end(fault.body);
        });
    }
  }

  #forward(
    request: IncomingMessage,
    response: ServerResponse,
    losesReply: boolean,
  ): void {
    const send = this.target.protocol === "https:" ? requestHttps : requestHttp;
    const upstream = send(new URL(request.url ?? "/", this.target), {
      agent: false,
      method: request.method,
      headers: { ...request.headers, host: this.target.host },
    });
    upstream.once("response", (reply) => {
      if (losesReply) {
        reply.resume();
        reply.once("end", () => request.socket.resetAndDestroy());
      } else {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      }
    });
    upstream.once("error", () => request.socket.destroy());
    request.pipe(upstream);
  }
}

/**
 * Breaks and stalls connections of any TCP protocol, such as those of databases. `reset` and `lost-reply` break a
 * connection; any other fault stalls it.
 */
class TcpProxy extends FaultProxy {
  readonly #sockets = new Set<Socket>();
  protected readonly server = createTcpServer((socket) => {
    this.#receive(socket);
  });

  get url(): string {
    return `tcp://127.0.0.1:${this.port}`;
  }

  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #receive(socket: Socket): void {
    const fault = this.enter();
    this.#track(socket);
    socket.once("close", () => {
      this.leave();
    });
    if (fault === null) this.#forward(socket);
    else this.#breakConnection(socket, fault);
  }

  #breakConnection(socket: Socket, { kind }: Fault): void {
    if (kind === "reset" || kind === "lost-reply") socket.resetAndDestroy();
    else socket.resume();
  }

  #forward(socket: Socket): void {
    const port = Number(this.target.port);
    const upstream = connect({ host: this.target.hostname, port });
    this.#track(upstream);
    socket.once("close", () => upstream.destroy());
    upstream.once("close", () => socket.destroy());
    upstream.pipe(socket);
    // A plugin may keep a connection for its next calls, so a fault also affects open ones.
    socket.on("data", (chunk: Buffer) => {
      const fault = this.findFault(Math.max(1, this.requestCount));
      if (fault === null) upstream.write(chunk);
      else this.#breakConnection(socket, fault);
    });
  }

  /** Handles the errors of broken connections, which would otherwise end the process. */
  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
