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

/** Connects to a service with these headers and this query. */
type Connect = (
  url: string,
  headers: Record<string, string>,
  query?: string,
) => Promise<AnyClient>;

const about = { name: "test", version: "1.0.0" };

/** The official clients, of today and of the generation before, over both transports. */
export const officialClients: readonly [name: string, connect: Connect][] = [
  [
    "the v2 client over /mcp",
    async (url, headers, query = "") => {
      const client = new Client(about);
      const address = new URL(`${url}/mcp${query}`);
      const requestInit = { headers };
      await client.connect(
        new StreamableHTTPClientTransport(address, { requestInit }),
      );
      return today(client);
    },
  ],
  [
    "the v2 client over /sse",
    async (url, headers, query = "") => {
      const client = new Client(about);
      const address = new URL(`${url}/sse${query}`);
      await client.connect(
        new SSEClientTransport(address, { requestInit: { headers } }),
      );
      return today(client);
    },
  ],
  [
    "the v1 client over /mcp",
    async (url, headers, query = "") => {
      const client = new EarlierClient(about);
      const address = new URL(`${url}/mcp${query}`);
      await client.connect(
        new EarlierHttp(address, { requestInit: { headers } }),
      );
      return earlier(client);
    },
  ],
  [
    "the v1 client over /sse",
    async (url, headers, query = "") => {
      const client = new EarlierClient(about);
      const address = new URL(`${url}/sse${query}`);
      await client.connect(
        new EarlierSse(address, { requestInit: { headers } }),
      );
      return earlier(client);
    },
  ],
];
