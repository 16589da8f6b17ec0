import { randomUUID } from "node:crypto";
import type {
  CallToolResult,
  ContentBlock,
  ToolAnnotations,
  ImageContent,
  ResourceLink,
  TextContent,
  Tool as WireTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  type Scope,
  type KeyHolder,
  type Actor,
  type Caller,
  requireScope,
} from "../accounts/index.js";
import { assertNoProto, checkDepth, parseJson } from "../lib/json.js";
import { requestProblems } from "../lib/request-problems.js";
import {
  type Log,
  type Problem,
  PlatenError,
  type Metrics,
  parseLosslessJson,
} from "../plugin-api/index.js";

export interface Progress {
  /** Grows from note to note. */
  done: number;
  /** What `done` will be at the end, where that is known. */
  total?: number;
  message?: string;
}

/** What a tool receives: validated arguments and the caller. */
export interface ToolCall<Input> extends Session {
  input: Input;
  /** Tells a client that asked for it; others hear nothing. */
  progress: (note: Progress) => void;
  /** Aborted when the client cancels or goes away. */
  signal: AbortSignal;
}

/** The metadata of every tool. */
interface Told<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** For an assistant: what it does, when to call it, and what to call next. */
  description: string;
  /** Who lacks it neither sees the tool nor may call it. */
  scope: Scope;
  /** Made once, in the module: making it for each call takes longer than the call. */
  input: Input;
  annotations: ToolAnnotations;
}

export interface Tool extends Told<z.ZodObject> {
  /** Null: its answer is content alone. */
  output: z.ZodObject | null;
  answer(call: ToolCall<Record<string, unknown>>): Promise<CallToolResult>;
}

interface DataTool<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
> extends Told<Input> {
  /** Loose: a field that is added later must not break a client that checks. */
  output: Output;
  run(call: ToolCall<z.output<Input>>): Promise<z.input<Output>>;
}

interface ContentTool<Input extends z.ZodObject> extends Told<Input> {
  run(call: ToolCall<z.output<Input>>): Promise<ContentBlock[]>;
}

/** A tool whose answer is an object: told as compact JSON, and as structured content beside it. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: DataTool<Input, Output>,
): Tool {
  return {
    ...definition,
    async answer(call: ToolCall<z.output<Input>>) {
      const data = await definition.run(call);
      return { content: [jsonBlock(data)], structuredContent: data };
    },
  };
}

/**
 * A tool whose answer is text or holds pictures: content blocks alone, since clients drop them where there is structured
 * content.
 */
export function contentTool<Input extends z.ZodObject>(
  definition: ContentTool<Input>,
): Tool {
  return {
    ...definition,
    output: null,
    async answer(call: ToolCall<z.output<Input>>) {
      return { content: await definition.run(call) };
    },
  };
}

/** In whose name a server acts. */
export interface Session {
  caller: KeyHolder;
  log: Log;
}

export function textBlock(text: string): TextContent {
  return { type: "text", text };
}

/** An object as JSON without spaces: what it costs is counted in tokens. */
export function jsonBlock(data: object): TextContent {
  return textBlock(JSON.stringify(data));
}

export function pictureBlock(
  bytes: Uint8Array,
  mimeType: "image/png" | "image/jpeg",
): ImageContent {
  const data = Buffer.from(bytes).toString("base64");
  return { type: "image", data, mimeType };
}

/** Where more is to be read, by `resources/read` or, with a web address, by a download. */
export function resourceLink(link: Omit<ResourceLink, "type">): ResourceLink {
  return { type: "resource_link", ...link };
}

/** As many as an assistant can fix before it calls again; more would only fill its context. */
export const maxProblems = 50;

const furtherKeys = {
  problems: "furtherProblems",
  warnings: "furtherWarnings",
} as const;

/** The first problems or warnings as a part of an answer, and how many there are beyond them. */
export function listProblems(
  kind: keyof typeof furtherKeys,
  all: readonly Problem[],
) {
  const further = all.length - maxProblems;
  return {
    [kind]: all.slice(0, maxProblems),
    ...(further > 0 && { [furtherKeys[kind]]: further }),
  };
}

export function actorOf({ userId, keyId }: Caller): Actor {
  return { origin: "mcp", userId, keyId };
}

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
  called: Tool,
  { arguments: args, ...call }: CallRequest,
  ended: (end: CallEnd) => void,
): Promise<CallToolResult> {
  const start = performance.now();
  const end = (outcome: string) =>
    ended({
      tool: called.name,
      outcome,
      milliseconds: performance.now() - start,
    });
  try {
    requireScope(call.caller, called.scope);
    const input = parseInput(called.input, args);
    if (call.signal.aborted) throw cancelled();
    const answer = await called.answer({ ...call, input });
    end(answer.isError ? "refused" : "ok");
    return answer;
  } catch (thrown) {
    // Whatever a call ends with that its client has given up is no fault of the service's.
    const error = call.signal.aborted
      ? cancelled(thrown)
      : toPublicError(thrown, call.log);
    end(error.code);
    return toErrorResult(error, Object.keys(called.input.shape));
  }
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
  assertNoProto(given, "", "The arguments have");
  const knownNames = Object.keys(schema.shape);
  const cleaned = Object.fromEntries(
    Object.entries(given).filter(
      ([name]) => knownNames.includes(name) || !addedByClients.has(name),
    ),
  );
  const result = schema.safeParse(cleaned, { reportInput: true });
  if (result.success) return result.data;
  const reparsed = reparse(cleaned, result.error.issues);
  assertNoProto(reparsed, "", "The arguments have");
  const again = schema.safeParse(reparsed, { reportInput: true });
  if (again.success) return again.data;
  const problems = requestProblems(again.error.issues, "", knownNames);
  throw new PlatenError("invalid_request", "Invalid arguments.", {
    problems: problems.map((problem) => describeBrokenJson(problem, cleaned)),
  });
}

/** A string that begins as JSON and ends too early, or has a fault: that it is a string is not what is wrong with it. */
function describeBrokenJson(problem: Problem, given: Arguments): Problem {
  const value = given[problem.path];
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return problem;
  try {
    parseJson(value);
    return problem;
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const message = error.message.replace(
      "The body is not",
      "is a string that is not",
    );
    const hint = "Send the value itself instead of a string.";
    return { ...problem, message, hint };
  }
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
    const parsed: unknown = parseLosslessJson(value);
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
  // An error that concerns the whole call is one problem of the whole.
  const problems =
    error.problems.length > 0
      ? error.problems
      : [{ path: "$", code, message, ...suggestNextCall(message) }];
  const body = {
    error: message,
    code,
    ...(retryable && { retryable }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...listProblems("problems", toArgumentPaths(problems, names)),
  };
  return { isError: true, content: [jsonBlock(body)] };
}

/** The tool that helps after an error of a capability, which knows nothing of tools. */
const nextCalls: readonly [message: RegExp, hint: string][] = [
  [/no such template/, "list_templates returns the ids of the templates."],
  [
    /no (such )?version/,
    "list_template_versions returns the versions with their ids and numbers.",
  ],
  [/no such document/, "list_documents returns the ids of the documents."],
  [/^Asset not found/, "list_assets returns the ids of the assets."],
  [
    /template is in the trash/,
    "create_template with cloneTemplateId makes a copy of it; people restore it in the studio.",
  ],
  [/template is not active/, "edit_template with isActive: true activates it."],
];

function suggestNextCall(message: string): Pick<Problem, "hint"> {
  const match = nextCalls.find(([pattern]) => pattern.test(message));
  return match ? { hint: match[1] } : {};
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
    const { code, status, message, cause } = thrown;
    const fields = { code, ...(cause !== undefined && { err: cause }) };
    log[status >= 500 ? "error" : "debug"](fields, message);
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

/** A tool as `tools/list` returns it. */
export function toListedTool(listed: Tool): WireTool {
  const { name, title, description, annotations, input, output } = listed;
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: toJsonSchema(input, "input"),
    ...(output && { outputSchema: toJsonSchema(output, "output") }),
  };
}

/** Without what says nothing to a client, since every client reads it each time: `$schema` is the protocol's own default. */
function toJsonSchema(
  schema: z.ZodObject,
  io: "input" | "output",
): WireTool["inputSchema"] {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER)
        delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER)
        delete jsonSchema.minimum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
      // An answer may have further fields by default; an argument says so, for clients that would not allow them.
      if (
        io === "output" &&
        typeof jsonSchema.additionalProperties === "object"
      )
        delete jsonSchema.additionalProperties;
    },
  });
  const plain = z.record(z.string(), z.json()).parse(converted);
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
  return ({ log }, { milliseconds, ...call }) => {
    count({ ...call });
    took({ tool: call.tool }, milliseconds / 1000);
    const ms = Math.round(milliseconds * 10) / 10;
    log.info({ ...call, ms }, "tool call");
  };
}
