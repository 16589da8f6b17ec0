import { randomUUID } from "node:crypto";
import type {
  CallToolResult,
  Tool as WireTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { requireScope } from "../accounts/index.js";
import { checkDepth, requestProblems } from "../lib/json.js";
import {
  PlatenError,
  type Problem,
  type Log,
  type Metrics,
} from "../plugin-api/index.js";
import {
  jsonBlock,
  listProblems,
  type Session,
  type Tool,
  type ToolCall,
} from "./tool.js";

/** How a call ended, for the log and the metrics. */
export interface CallEnd {
  tool: string;
  /** `ok`, or the code of the error. */
  outcome: string;
  milliseconds: number;
}

type CallRequest = Omit<ToolCall<unknown>, "input"> & {
  arguments: Record<string, unknown>;
};

/** Runs a tool once. Never rejects: errors become results that say how to fix them. */
export async function runTool(
  tool: Tool,
  given: CallRequest,
  ended: (end: CallEnd) => void,
): Promise<CallToolResult> {
  const start = performance.now();
  const end = (outcome: string) =>
    ended({
      tool: tool.name,
      outcome,
      milliseconds: performance.now() - start,
    });
  try {
    const answer = await checkAndRun(tool, given);
    end(answer.isError ? "refused" : "ok");
    return answer;
  } catch (thrown) {
    // Whatever a call ends with that its client has given up is no fault of the service's.
    const error = given.signal.aborted
      ? cancelled(thrown)
      : toPublicError(thrown, given.log);
    end(error.code);
    return toErrorResult(error, Object.keys(tool.input.shape));
  }
}

async function checkAndRun(
  tool: Tool,
  { arguments: args, ...call }: CallRequest,
): Promise<CallToolResult> {
  requireScope(call.caller, tool.scope);
  const input = parseInput(tool.input, args);
  if (call.signal.aborted) throw cancelled();
  return tool.answer({ ...call, input });
}

function cancelled(cause?: unknown): PlatenError {
  return new PlatenError("timeout", "The call was cancelled.", { cause });
}

/** What n8n's MCP node adds to every call's arguments, whatever the tool takes. */
const addedByClients = new Set([
  "toolCallId",
  "sessionId",
  "chatInput",
  "action",
  "tool",
]);

type Arguments = Record<string, unknown>;

/**
 * Arguments as the schema wants them. Takes what clients are known to send otherwise: null for what is left out, an
 * object, list, number or boolean as a string of JSON, and names that the client added itself.
 * @throws PlatenError `invalid_request` with every problem, unknown names with a did-you-mean.
 */
function parseInput(schema: z.ZodObject, given: Arguments): Arguments {
  checkDepth(given, "The arguments are");
  const known = Object.keys(schema.shape);
  const cleaned = removeClientAdditions(given, known);
  const result = schema.safeParse(cleaned, { reportInput: true });
  if (result.success) return result.data;
  const again = schema.safeParse(reparse(cleaned, result.error.issues), {
    reportInput: true,
  });
  if (again.success) return again.data;
  throw new PlatenError("invalid_request", "Invalid arguments.", {
    problems: requestProblems(again.error.issues, "", known),
  });
}

function removeClientAdditions(
  given: Arguments,
  known: readonly string[],
): Arguments {
  const kept = Object.entries(given).filter(
    ([name]) => known.includes(name) || !addedByClients.has(name),
  );
  return Object.fromEntries(kept);
}

/** The arguments at fault read once more: as JSON where they are strings, and as left out where they are null. */
function reparse(
  given: Arguments,
  issues: readonly z.core.$ZodIssue[],
): Arguments {
  const fixable = new Set(
    issues
      .filter(({ path }) => path.length === 1)
      .map(({ path }) => String(path[0])),
  );
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!fixable.has(name)) return [[name, value]];
      return value === null ? [] : [[name, parseJsonString(value)]];
    }),
  );
}

function parseJsonString(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const parsed: unknown = JSON.parse(value);
    checkDepth(parsed, "The arguments are");
    return parsed;
  } catch {
    return value;
  }
}

/**
 * An error as a result that the assistant reads: every problem, where it is and how to fix it. Without structured
 * content: what does not match a tool's output makes clients throw, and hides the message.
 * @param names the tool's arguments.
 */
function toErrorResult(
  error: PlatenError,
  names: readonly string[],
): CallToolResult {
  const { code, message, retryable, retryAfterSeconds } = error;
  const body = {
    error: message,
    code,
    ...(retryable && { retryable }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...listProblems("problems", toArgumentPaths(getProblems(error), names)),
  };
  return { isError: true, content: [jsonBlock(body)] };
}

/** An error that concerns the whole call is one problem of the whole. */
function getProblems({
  problems,
  code,
  message,
}: PlatenError): readonly Problem[] {
  return problems.length > 0 ? problems : [{ path: "$", code, message }];
}

/**
 * Problems as a tool reports them. Capabilities call the request `$`, and a definition calls itself `$` too: here `$`
 * leads into the definition alone, and an argument stands by its name.
 * @param names the tool's arguments; none is called as a part of a definition is.
 */
export function toArgumentPaths(
  problems: readonly Problem[],
  names: readonly string[],
): Problem[] {
  return problems.map((problem) => {
    const [, key] = /^\$\.(\w+)/.exec(problem.path) ?? [];
    const isArgument = key !== undefined && names.includes(key);
    return isArgument ? { ...problem, path: problem.path.slice(2) } : problem;
  });
}

/** What may be told of whatever was thrown; what may not goes to the log, under a number that the answer names. */
export function toPublicError(thrown: unknown, log: Log): PlatenError {
  if (thrown instanceof PlatenError) {
    logError(thrown, log);
    return thrown;
  }
  const fault = randomUUID();
  log.error({ err: thrown, fault }, "a tool failed");
  return new PlatenError(
    "internal",
    "Something went wrong in the service, not in the call. Try again; if the problem persists, give the service's operator the number " +
      `${fault}.`,
    { cause: thrown },
  );
}

function logError(
  { code, status, message, cause }: PlatenError,
  log: Log,
): void {
  const fields = { code, ...(cause !== undefined && { err: cause }) };
  log[status >= 500 ? "error" : "debug"](fields, message);
}

/** A tool as `tools/list` returns it. */
export function toListedTool(tool: Tool): WireTool {
  const { name, title, description, annotations, input, output } = tool;
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: toJsonSchema(input, "input"),
    ...(output && { outputSchema: toJsonSchema(output, "output") }),
  };
}

/** Without its `$schema`: the protocol's own default says the same, and every client reads it each time. */
function toJsonSchema(
  schema: z.ZodObject,
  io: "input" | "output",
): WireTool["inputSchema"] {
  const told = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const plain = z.record(z.string(), z.json()).parse(told);
  delete plain["$schema"];
  return { ...plain, type: "object" };
}

const durationBuckets = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/** Logs and counts each call of a tool. */
export function createCallMetrics(
  metrics: Metrics,
): (session: Session, end: CallEnd) => void {
  const count = metrics.counter({
    name: "platen_mcp_calls_total",
    help: "Calls of tools by assistants, by how they ended.",
    labels: ["tool", "outcome"],
  });
  const took = metrics.durations({
    name: "platen_mcp_call_seconds",
    help: "How long calls of tools took.",
    labels: ["tool"],
    upTo: durationBuckets,
  });
  return ({ log }, { tool, outcome, milliseconds }) => {
    count({ tool, outcome });
    took({ tool }, milliseconds / 1000);
    const ms = Math.round(milliseconds * 10) / 10;
    log.info({ tool, outcome, ms }, "tool call");
  };
}
