import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { before } from "mocha";
import { newCaller, type TestCaller } from "./caller.js";
import { type TestService, useService } from "./service.js";
import { toolClient } from "./tool-client.js";

type Fields = Record<string, unknown>;

/** A service for the suite that calls this, and an assistant with a key of a new organization. */
export interface ToolUser {
  service: TestService;
  caller: () => TestCaller;
  client: () => Client;
  call: (name: string, args?: Fields) => Promise<CallToolResult>;
  /** What the tool answered, read from its text. */
  answer: (name: string, args?: Fields) => Promise<Fields>;
  /** What it refused with. */
  refusal: (name: string, args?: Fields) => Promise<Refusal>;
}

export interface Refusal {
  error: string;
  code: string;
  problems: { path: string; code: string; message: string; hint?: string }[];
}

export function useTools(scopes?: readonly string[]): ToolUser {
  const service = useService();
  let caller: TestCaller;
  let client: Client;
  before(async () => {
    caller = await newCaller(service, scopes);
    client = await toolClient(service, caller);
  });
  const call = (name: string, args: Fields = {}) =>
    client.callTool({ name, arguments: args });
  return {
    service,
    caller: () => caller,
    client: () => client,
    call,
    answer: async (name, args) => answerIn(await call(name, args)),
    refusal: async (name, args) => refusalIn(await call(name, args)),
  };
}

export function answerIn(result: CallToolResult): Fields {
  if (result.isError) throw new Error(firstText(result));
  return parsed(result);
}

export function refusalIn(result: CallToolResult): Refusal {
  if (!result.isError) throw new Error(`not refused: ${firstText(result)}`);
  // The form is what the tests of refusals are about.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parsed(result) as unknown as Refusal;
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
