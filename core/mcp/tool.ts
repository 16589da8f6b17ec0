import type {
  CallToolResult,
  ContentBlock,
  ToolAnnotations,
  ImageContent,
  ResourceLink,
  TextContent,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Scope, KeyHolder, Actor, Caller } from "../accounts/index.js";
import type { Log, Problem } from "../plugin-api/index.js";

/** How far a call has come. */
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

/** A tool as the server lists and runs it. */
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
  told: DataTool<Input, Output>,
): Tool {
  return {
    ...told,
    async answer(call: ToolCall<z.output<Input>>) {
      const data = await told.run(call);
      return { content: [jsonBlock(data)], structuredContent: data };
    },
  };
}

/**
 * A tool whose answer is text or holds pictures: content blocks alone, since clients drop them where there is structured
 * content.
 */
export function contentTool<Input extends z.ZodObject>(
  told: ContentTool<Input>,
): Tool {
  return {
    ...told,
    output: null,
    async answer(call: ToolCall<z.output<Input>>) {
      return { content: await told.run(call) };
    },
  };
}

/** In whose name a server acts. */
export interface Session {
  caller: KeyHolder;
  log: Log;
}

/** A block of text. */
export function textBlock(text: string): TextContent {
  return { type: "text", text };
}

/** An object as JSON without spaces: what it costs is counted in tokens. */
export function jsonBlock(data: object): TextContent {
  return textBlock(JSON.stringify(data));
}

/** A picture that the assistant sees. */
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
const maxProblems = 50;

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

/** The caller of a tool, for the audit trail. */
export function actorOf({ userId, keyId }: Caller): Actor {
  return { origin: "mcp", userId, keyId };
}
