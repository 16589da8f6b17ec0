import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "../tool.js";

/** A tool as `tools/list` tells it. */
export function wireTool(tool: Tool): WireTool {
  const { name, title, description, annotations, input, output } = tool;
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: jsonSchema(input, "input"),
    ...(output && { outputSchema: jsonSchema(output, "output") }),
  };
}

/** Without its `$schema`: the protocol's own default says the same, and every client reads it each time. */
function jsonSchema(
  schema: z.ZodObject,
  io: "input" | "output",
): WireTool["inputSchema"] {
  const told = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const plain = z.record(z.string(), z.json()).parse(told);
  delete plain["$schema"];
  return { ...plain, type: "object" };
}
