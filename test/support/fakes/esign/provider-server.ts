import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { FakeClock } from "./fake-clock.js";
import { type FakeFault, FaultPlan } from "./fault-plan.js";

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface Answer {
  status: number;
  /** JSON, unless it is bytes. */
  body: unknown;
  headers?: Record<string, string>;
}

/** A provider's server on the loopback interface, which can be made to fail in every way that hurts. */
export class ProviderServer {
  readonly clock = new FakeClock();
  readonly faults = new FaultPlan();
  /** `METHOD /path` of each request that arrived. */
  readonly log: string[] = [];
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #running = new Set<Promise<Answer>>();
  readonly #server = createServer((request, response) => {
    void this.#receive(request, response);
  });

  constructor(private readonly answer: (asked: Asked) => Promise<Answer>) {}

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : null;
    return `http://127.0.0.1:${port}`;
  }

  /** Has everything that was `late` take its effect now. */
  async catchUp(): Promise<void> {
    for (const work of this.#late.splice(0)) await work();
  }

  /** Resolves once everything that has arrived has had its effect, answered or not. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const asked = await askedBy(request, this.url).catch(() => null);
    // Whoever asked is gone.
    if (asked === null) return;
    const call = `${asked.method} ${asked.path}`;
    this.log.push(call);
    const fault = this.faults.take(call);
    if (fault === null) send(response, await this.#effect(asked));
    else await this.#suffer(fault, asked, request, response);
  }

  async #effect(asked: Asked): Promise<Answer> {
    const effect = this.answer(asked).catch((error: unknown) => ({
      status: 500,
      body: { error: String(error) },
    }));
    this.#running.add(effect);
    try {
      return await effect;
    } finally {
      this.#running.delete(effect);
    }
  }

  async #suffer(
    fault: FakeFault,
    asked: Asked,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (typeof fault === "object") return send(response, fault);
    if (fault === "html") return sendPage(response, 200, "Sign in");
    if (fault === "late") this.#late.push(() => this.#effect(asked));
    if (["lost", "silent", "bad-gateway"].includes(fault))
      await this.#effect(asked);
    if (fault === "bad-gateway") sendPage(response, 502, "Bad gateway");
    if (fault === "reset" || fault === "lost") request.socket.destroy();
  }
}

async function askedBy(request: IncomingMessage, at: string): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? "/", at);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return {
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: await buffer(request),
  };
}

function send(
  response: ServerResponse,
  { status, headers = {}, body }: Answer,
): void {
  const isBytes = body instanceof Uint8Array;
  response
    .writeHead(status, {
      "content-type": isBytes ? "application/pdf" : "application/json",
      ...headers,
    })
    .end(isBytes ? body : JSON.stringify(body));
}

function sendPage(response: ServerResponse, status: number, title: string) {
  response
    .writeHead(status, { "content-type": "text/html" })
    .end(`<!doctype html><title>${title}</title>`);
}
