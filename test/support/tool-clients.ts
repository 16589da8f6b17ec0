import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as EarlierSse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** What the official clients of both generations have in common, written alike. */
export interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    call: { name: string; arguments?: Record<string, unknown> },
    onprogress?: (progress: unknown) => void,
  ): Promise<{ [field: string]: unknown }>;
  close(): Promise<void>;
}

function today(client: Client): AnyClient {
  return {
    listTools: () => client.listTools(),
    callTool: (call, onprogress) =>
      client.callTool(call, onprogress && { onprogress }),
    close: () => client.close(),
  };
}

function earlier(client: EarlierClient): AnyClient {
  return {
    listTools: () => client.listTools(),
    callTool: (call, onprogress) =>
      client.callTool(call, undefined, onprogress && { onprogress }),
    close: () => client.close(),
  };
}

interface Way {
  headers: Record<string, string>;
  query?: string;
  /** For /mcp alone. */
  fetch?: (input: string | URL, init?: RequestInit) => Promise<Response>;
}

type Connect = (url: string, way: Way) => Promise<AnyClient>;

const about = { name: "test", version: "1.0.0" };

/** What the transports of both generations take. */
function optionsOf({ headers, fetch }: Way) {
  return { requestInit: { headers }, ...(fetch && { fetch }) };
}

/** The official clients, of today and of the generation before, over both transports. */
export const officialClients: readonly [name: string, connect: Connect][] = [
  [
    "the v2 client over /mcp",
    async (url, way) => {
      const client = new Client(about);
      const address = new URL(`${url}/mcp${way.query ?? ""}`);
      await client.connect(
        new StreamableHTTPClientTransport(address, optionsOf(way)),
      );
      return today(client);
    },
  ],
  [
    "the v2 client over /sse",
    async (url, way) => {
      const client = new Client(about);
      const address = new URL(`${url}/sse${way.query ?? ""}`);
      await client.connect(new SSEClientTransport(address, optionsOf(way)));
      return today(client);
    },
  ],
  [
    "the v1 client over /mcp",
    async (url, way) => {
      const client = new EarlierClient(about);
      const address = new URL(`${url}/mcp${way.query ?? ""}`);
      await client.connect(new EarlierHttp(address, optionsOf(way)));
      return earlier(client);
    },
  ],
  [
    "the v1 client over /sse",
    async (url, way) => {
      const client = new EarlierClient(about);
      const address = new URL(`${url}/sse${way.query ?? ""}`);
      await client.connect(new EarlierSse(address, optionsOf(way)));
      return earlier(client);
    },
  ],
];
