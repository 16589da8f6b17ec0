import type {
  ServerContext,
  Tool as WireTool,
} from "@modelcontextprotocol/server";
import { runTool } from "../call/run-tool.js";
import { wireTool } from "../call/wire-tool.js";
import type { Progress, Tool } from "../tool.js";
import { type Offering, within } from "./offering.js";
import type { ToolServerParts } from "./tool-server.js";

/** Tools, and each as the list tells it. */
export type ShownTools = ReadonlyMap<Tool, WireTool>;

export function showTools(tools: readonly Tool[]): ShownTools {
  return new Map(tools.map((tool) => [tool, wireTool(tool)]));
}

/** Lists the tools that the key may use, and runs them. */
export function offerTools(
  { server, session, refuse }: Offering,
  shown: ShownTools,
  ended: ToolServerParts["ended"],
): void {
  const tools = [...shown.keys()];
  server.setRequestHandler("tools/list", () => ({
    tools: within(session, tools).flatMap((tool) => shown.get(tool) ?? []),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw refuse(`There is no tool ${params.name}.${known(tools)}`);
    const given = {
      ...session,
      arguments: params.arguments ?? {},
      signal: context.mcpReq.signal,
      progress: teller(context),
    };
    return runTool(tool, given, (end) => ended(session, end));
  });
}

function known(tools: readonly Tool[]): string {
  return ` Tools are: ${tools.map(({ name }) => name).join(", ")}.`;
}

/** Tells how far a call is, where its request asked for that. */
function teller({ mcpReq }: ServerContext): (note: Progress) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return ({ done, total, message }) => {
    const params = {
      progressToken,
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    // A client that is gone is noticed by its connection.
    mcpReq
      .notify({ method: "notifications/progress", params })
      .catch(() => undefined);
  };
}
