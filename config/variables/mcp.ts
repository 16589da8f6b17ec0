import { z } from "zod";
import { duration } from "../duration.js";
import { peers } from "../peers.js";
import { optionalText, type Variable, whole } from "../variable.js";

const url = z
  .url({ protocol: /^https?$/ })
  .transform((text) => text.replace(/\/+$/, ""))
  .optional()
  .transform((text) => text ?? null);

const hosts = z
  .string()
  .prefault("")
  .transform((text) => text.split(",").map((host) => host.trim().toLowerCase()))
  .transform((names) => names.filter((name) => name !== ""))
  .pipe(z.array(z.string().regex(/^(?:[\w.-]+|\[[\da-f:.]+\])$/)));

const node = z
  .string()
  .regex(/^[\w-]{1,32}$/)
  .optional()
  .transform((name) => name ?? null);

/** The tool server for assistants. */
export const mcpVariables = {
  PLATEN_MCP_URL: {
    schema: url,
    expected:
      "the http or https address under which assistants reach /mcp and /sse",
    example: "https://tools.example.com",
  },
  PLATEN_MCP_HOSTS: {
    schema: hosts,
    expected: "host names without ports, with commas",
    example: "platen.internal,192.168.1.20",
  },
  PLATEN_MCP_NODE: {
    schema: node,
    expected:
      "this instance's name in PLATEN_MCP_PEERS: letters, digits, - and _",
    example: "a",
  },
  PLATEN_MCP_PEERS: {
    schema: peers,
    expected: "instances as name=address, with commas",
    example: "a=http://10.0.0.1:3000,b=http://10.0.0.2:3000",
  },
  PLATEN_MCP_SESSIONS: {
    schema: whole(20, 1, 10_000),
    expected: "how many streams a key may hold open on an instance, 1 to 10000",
    example: "20",
  },
  PLATEN_MCP_IDLE: {
    schema: duration("1h"),
    expected: "a number and ms, s, m, h or d",
    example: "1h",
  },
  PLATEN_MCP_KEEP_ALIVE: {
    schema: duration("15s"),
    expected: "a number and ms, s, m, h or d",
    example: "15s",
  },
  PLATEN_API_KEY: {
    schema: optionalText,
    expected: "the API key of `platen mcp --stdio` and `platen render --url`",
    example: "plk_...",
    isSecret: true,
  },
} satisfies Record<string, Variable<unknown>>;
