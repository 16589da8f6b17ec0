import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { after } from "mocha";
import type { TestCaller } from "./caller.js";
import type { TestService } from "./service.js";

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
export function textOf({ content, isError }: CallToolResult): string {
  const text = content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
  if (isError) throw new Error(text);
  return text;
}
