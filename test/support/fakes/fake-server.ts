import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { getPort } from "../free-port.js";

/** An HTTP server on the loopback interface. */
export abstract class LoopbackServer {
  readonly #server = createServer((request, response) => {
    void this.serve(request, response);
  });

  protected abstract serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void>;

  /** @param port by default a free one. */
  async listen(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${getPort(this.#server)}`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

/** Has the server listen while the suite runs. */
export function useServer<T extends LoopbackServer>(server: T): T {
  before(() => server.listen());
  after(() => server.close());
  return server;
}

class ListenerServer extends LoopbackServer {
  constructor(private readonly listener: RequestListener) {
    super();
  }

  protected serve(request: IncomingMessage, response: ServerResponse): void {
    this.listener(request, response);
  }
}

/** A server that only this function answers, while the suite runs. */
export function useListener(listener: RequestListener): LoopbackServer {
  return useServer(new ListenerServer(listener));
}

/** A request that was read whole. */
export interface FakeRequest {
  method: string;
  url: URL;
  /** As it was sent. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  bytes: Buffer<ArrayBuffer>;
}

export interface FakeReply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** JSON, unless it is bytes or a text, which has a type among the headers; null for none. */
  body: unknown;
}

/** Thrown while a request is answered: how it is refused. */
export class FakeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(JSON.stringify(body));
  }
}

/** A fake of a service. */
export abstract class FakeServer extends LoopbackServer {
  /** @throws FakeRefusal */
  protected abstract respond(
    request: FakeRequest,
  ): FakeReply | Promise<FakeReply>;

  protected async serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const received = await readRequest(request, this.url).catch(() => null);
    // The client has disconnected.
    if (received === null) return;
    await this.answer(received, response);
  }

  protected async answer(
    request: FakeRequest,
    response: ServerResponse,
  ): Promise<void> {
    sendReply(response, await this.replyTo(request));
  }

  protected async replyTo(request: FakeRequest): Promise<FakeReply> {
    try {
      return await this.respond(request);
    } catch (error) {
      if (error instanceof FakeRefusal) return error;
      return { status: 500, body: { error: String(error) } };
    }
  }
}

async function readRequest(
  request: IncomingMessage,
  origin: string,
): Promise<FakeRequest> {
  const url = new URL(request.url ?? "/", origin);
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return {
    method: request.method ?? "GET",
    url,
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    bytes: await buffer(request),
  };
}

export function sendReply(
  response: ServerResponse,
  { status = 200, headers = {}, body }: FakeReply,
): void {
  const isRaw = body instanceof Uint8Array || typeof body === "string";
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(isRaw ? body : body === null ? undefined : JSON.stringify(body));
}

/** A form or JSON; undefined for nothing. */
export async function readBody({
  bytes,
  headers: { "content-type": type = "" },
}: FakeRequest): Promise<unknown> {
  if (type.startsWith("multipart"))
    return new Response(bytes, {
      headers: { "content-type": type },
    }).formData();
  return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}
