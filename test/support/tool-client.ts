import { EventEmitter, once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  SSEClientTransport,
} from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as EarlierSse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { DependencyContainer } from "tsyringe";
import { z } from "zod";
import {
  contentTool,
  textBlock,
  type Tool,
  TOOLS,
} from "../../core/mcp/index.js";
import { type TestCaller, newCaller } from "./caller.js";
import {
  type TestService,
  type TestServiceOptions,
  useService,
} from "./service.js";

/** An assistant that is connected to the tool server with a caller's key, until the suite ends. */
export async function toolClient(
  service: TestService,
  { key }: Pick<TestCaller, "key">,
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  after(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

/** The text of an answer, which is not an error. */
export function getText({ content, isError }: CallToolResult): string {
  const joined = content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
  if (isError) throw new Error(joined);
  return joined;
}

/** What the official clients of both generations have in common, written alike. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    call: { name: string; arguments?: Record<string, unknown> },
    onprogress?: (progress: unknown) => void,
  ): Promise<{ [field: string]: unknown }>;
  close(): Promise<void>;
}

interface ConnectOptions {
  headers: Record<string, string>;
  query?: string;
  /** For /mcp alone. */
  fetch?: (input: string | URL, init?: RequestInit) => Promise<Response>;
}

type Connect = (url: string, way: ConnectOptions) => Promise<AnyClient>;

const about = { name: "test", version: "1.0.0" };

/** What the transports of both generations take. */
function getAddress(
  url: string,
  { headers, query = "", fetch }: ConnectOptions,
) {
  const options = { requestInit: { headers }, ...(fetch && { fetch }) };
  return [new URL(url + query), options] as const;
}

const today =
  (
    path: string,
    Transport: typeof StreamableHTTPClientTransport | typeof SSEClientTransport,
  ): Connect =>
  async (url, way) => {
    const client = new Client(about);
    await client.connect(new Transport(...getAddress(url + path, way)));
    return {
      listTools: () => client.listTools(),
      callTool: (call, onprogress) =>
        client.callTool(call, onprogress && { onprogress }),
      close: () => client.close(),
    };
  };

const earlier =
  (path: string, Transport: typeof EarlierHttp | typeof EarlierSse): Connect =>
  async (url, way) => {
    const client = new EarlierClient(about);
    await client.connect(new Transport(...getAddress(url + path, way)));
    return {
      listTools: () => client.listTools(),
      callTool: (call, onprogress) =>
        client.callTool(call, undefined, onprogress && { onprogress }),
      close: () => client.close(),
    };
  };

/** The official clients, of today and of the generation before, over both transports. */
export const officialClients: readonly [name: string, connect: Connect][] = [
  ["the v2 client over /mcp", today("/mcp", StreamableHTTPClientTransport)],
  ["the v2 client over /sse", today("/sse", SSEClientTransport)],
  ["the v1 client over /mcp", earlier("/mcp", EarlierHttp)],
  ["the v1 client over /sse", earlier("/sse", EarlierSse)],
];

/** A JSON-RPC request as clients of the year 2025 send it. */
export function rpc(method: string, params: object = {}, id: number = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

const jsonHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Posts a message, to `/mcp` unless told. */
export function postMessage(
  url: string,
  headers: Record<string, string>,
  message: unknown = rpc("tools/list"),
): Promise<Response> {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = "/mcp";
  return fetch(address, {
    method: "POST",
    headers: { ...jsonHeaders, ...headers },
    body: isRaw(message) ? message : JSON.stringify(message),
  });
}

function isRaw(message: unknown): message is string | Buffer<ArrayBuffer> {
  return typeof message === "string" || Buffer.isBuffer(message);
}

/** Posts `tools/list` under a Host of one's own, which `fetch` does not allow. Resolves with the status. */
export async function postAs(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/mcp`,
      { method: "POST", headers: { ...jsonHeaders, ...headers } },
      (response) => {
        const status = response.statusCode ?? 0;
        text(response).then((body) => resolve({ status, body }), reject);
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(rpc("tools/list")));
  });
}

type Fields = Record<string, unknown>;

/** A service for the suite that calls this, and an assistant with a key of a new organization. */
interface ToolUser {
  service: TestService;
  caller: () => TestCaller;
  client: () => Client;
  call: (name: string, args?: Fields) => Promise<CallToolResult>;
  /** What the tool answered, read from its text. */
  answer: (name: string, args?: Fields) => Promise<Fields>;
  /** What it refused with. */
  rejection: (name: string, args?: Fields) => Promise<Rejection>;
}

export interface Rejection {
  error: string;
  code: string;
  problems: { path: string; code: string; message: string; hint?: string }[];
}

export function useTools(options: TestServiceOptions = {}): ToolUser {
  const service = useService(options);
  let caller: TestCaller;
  let client: Client;
  before(async () => {
    caller = await newCaller(service);
    client = await toolClient(service, caller);
  });
  const call = (name: string, args: Fields = {}) =>
    client.callTool({ name, arguments: args });
  return {
    service,
    caller: () => caller,
    client: () => client,
    call,
    answer: async (name, args) => getToolResult(await call(name, args)),
    rejection: async (name, args) => getToolError(await call(name, args)),
  };
}

export function getToolResult(result: CallToolResult): Fields {
  if (result.isError) throw new Error(firstText(result));
  return parsed(result);
}

export function getToolError(result: CallToolResult): Rejection {
  if (!result.isError) throw new Error(`not refused: ${firstText(result)}`);
  // The form is what the tests of refusals are about.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parsed(result) as unknown as Rejection;
}

function parsed(result: CallToolResult): Fields {
  const value: unknown = JSON.parse(firstText(result));
  if (typeof value === "object" && value !== null) return { ...value };
  throw new Error("the answer is no object");
}

function firstText({ content }: CallToolResult): string {
  const [block] = content;
  return block?.type === "text" ? block.text : "";
}

/** A tool that waits until it is let go on, or until its call is given up. */
export class WaitingTool {
  readonly #events = new EventEmitter();

  /** Puts it in place of all tools. */
  replaceTools(container: DependencyContainer): void {
    container.register<readonly Tool[]>(TOOLS, { useValue: [this.tool()] });
  }

  /** Resolves at the next call, and at the next that is given up. */
  called(): Promise<unknown> {
    return once(this.#events, "called");
  }

  aborted(): Promise<unknown> {
    return once(this.#events, "given up");
  }

  release(): void {
    this.#events.emit("go");
  }

  tool(): Tool {
    return contentTool({
      name: "wait",
      title: "Wait",
      description: "Waits until it is let go on.",
      scope: "templates:read",
      input: z.strictObject({}),
      annotations: { readOnlyHint: true },
      run: async ({ signal, progress }) => {
        progress({ done: 1, total: 2, message: "half-way" });
        const go = once(this.#events, "go", { signal });
        this.#events.emit("called");
        await go.catch((error: unknown) => {
          this.#events.emit("given up");
          throw error;
        });
        return [textBlock("waited")];
      },
    });
  }
}

/** A stream of `/sse`, as a client without a library would read it. */
export class SseStream {
  #text = "";
  #isOver = false;
  readonly #waiting: (() => void)[] = [];

  private constructor(
    private readonly url: string,
    private readonly hangUp: AbortController,
  ) {}

  /** Opens it. @throws Error with the answer's status when there is no stream. */
  static async open(
    url: string,
    headers: Record<string, string>,
    query = "",
  ): Promise<SseStream> {
    const hangUp = new AbortController();
    after(() => hangUp.abort());
    const { signal } = hangUp;
    const response = await fetch(`${url}/sse${query}`, { headers, signal });
    if (!response.ok || !response.body)
      throw new Error(`${response.status}: ${await response.text()}`);
    const stream = new SseStream(url, hangUp);
    void stream.#read(response.body);
    return stream;
  }

  /** Where its messages go. */
  async endpoint(): Promise<string> {
    const [, path = ""] = await this.until(/event: endpoint\ndata: (\S+)/);
    return new URL(path, this.url).href;
  }

  /** Waits until what has come matches; rejects when the stream ends before. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#text);
      if (match) return match;
      if (this.#isOver) throw new Error(`it ended after ${this.#text}`);
      await this.#news();
    }
  }

  /** Resolves when the other side has ended it, or cut it off, with all that came. */
  async over(): Promise<string> {
    while (!this.#isOver) await this.#news();
    return this.#text;
  }

  close(): void {
    this.hangUp.abort();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        this.#text += decoder.decode(chunk, { stream: true });
        this.#tell();
      }
    } catch {
      // Cut off: that is over, too.
    }
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
