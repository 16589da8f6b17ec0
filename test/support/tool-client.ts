import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { after } from "mocha";
import * as tokens from "../../core/tokens.js";
import type { TestCaller } from "./caller.js";
import type { TestService } from "./service.js";
import { silentLog } from "./store-log.js";

/** An assistant that is connected to the tool server with a caller's key, until the suite ends. */
export async function toolClient(
  service: TestService,
  { key }: Pick<TestCaller, "key">,
): Promise<Client> {
  const { container } = service;
  const caller = await container
    .resolve(tokens.AUTHENTICATOR)
    .authenticate(key);
  const server = await container
    .resolve(tokens.TOOL_SERVER)
    .build({ caller, log: silentLog });
  const [mine, its] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(its), client.connect(mine)]);
  after(() => client.close());
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
