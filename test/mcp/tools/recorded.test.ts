import type {
  CallToolResult,
  Client,
  ProtocolError,
} from "@modelcontextprotocol/client";
import { expect } from "chai";
import { newCaller } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { createNames, replayEach } from "../../support/replays.js";
import { useService } from "../../support/service.js";
import { getToolError, toolClient } from "../../support/tool-client.js";

// Each section of a file is a conversation of one assistant with an organization of its own:
//   > TOOL ARGUMENTS      a call, with its answer below it; "!" begins a refusal
//   >> TOOL ARGUMENTS     a call by an assistant of another organization, with its refusal
//   > SUBJECT/VERB PARAMS a request of the protocol, such as resources/read, with its result
//   > METHOD PATH BODY    a request of the REST API
//   = PATH                the answer above is also what the REST API gives at this path
//   @NAME JSON            may stand for the value in arguments from there on, as "$NAME"
// Ids are numbered in the order in which they appear, and a time is that of the call with this number.

const width = 120;

/** JSON in lines that are as full as they can be. Of a long text, only the beginning. */
function format(value: unknown, indent = "  "): string {
  if (typeof value === "string" && value.length > 600)
    return JSON.stringify(`${/^\{"id|.{15}/s.exec(value)?.[0]}…`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const entries = Object.entries(value).map(([name, inner]) => {
    const start = isList ? "" : `${JSON.stringify(name)}: `;
    return start + format(inner, `${indent}  `);
  });
  const line = `${open}${entries.join(", ")}${close}`;
  if (line.length + indent.length < width && !line.includes("\n")) return line;
  const lines = [""];
  for (const entry of entries) {
    const fuller = `${lines.at(-1)}${lines.at(-1) && " "}${entry},`;
    if (fuller.length + indent.length < width && !fuller.includes("\n"))
      lines[lines.length - 1] = fuller;
    else lines.push(`${entry},`);
  }
  const inner = lines.filter(Boolean).map((one) => `\n${indent}  ${one}`);
  return `${open}${inner.join("").slice(0, -1)}\n${indent}${close}`;
}

/** The answer of a tool: its JSON, and what else it shows. */
function writeResult({ content, isError, structuredContent }: CallToolResult) {
  const [first, ...others] = content.map((block) =>
    block.type === "text" ? block.text : `[${block.type}]`,
  );
  const value: unknown = JSON.parse(first ?? "");
  if (structuredContent && !isError)
    expect(structuredContent).to.deep.equal(value);
  const lines = others.map((line) => `\n  ${line}`).join("");
  return [`${isError ? "!" : " "} ${format(value)}${lines}`, value];
}

describe("the answers of tools", () => {
  const time = useFixedTime(new Date("2030-01-01T10:00:00Z"));
  const service = useService();

  async function replay(section: string, head: string): Promise<string> {
    const caller = await newCaller(service);
    const client = await toolClient(service, caller);
    const names = createNames(time.now(), [
      [caller.organizationId, "organization"],
      [caller.userId, "user"],
    ]);
    const { show } = names;
    const hide = (text: string) =>
      names
        .hide(text.replaceAll(service.url, "http://platen"))
        .replaceAll(/"\d{4}-\d\d"/g, '"month"')
        .replaceAll(/(?<="sizeBytes": )\d{3,}/g, "0");
    const values = new Map(
      [...head.matchAll(/^@(\w+) (.*)$/gm)].map(([, name, text = ""]) => [
        `$${name}`,
        JSON.parse(text) as unknown,
      ]),
    );
    const read = (text: string) =>
      JSON.parse(show(text), (_name, value: unknown) =>
        typeof value === "string" && values.has(value)
          ? values.get(value)
          : value,
      );
    let last: unknown;
    let stranger: Promise<Client> | undefined;
    const request = async (name: string, text: string, by = client) => {
      const params = read(text);
      const requests: Record<string, () => Promise<object>> = {
        "completion/complete": () => by.complete(params),
        "prompts/get": () => by.getPrompt(params),
        "prompts/list": () => by.listPrompts(),
        "resources/list": () => by.listResources(params),
        "resources/read": () => by.readResource(params),
        "resources/templates/list": () => by.listResourceTemplates(),
      };
      const result: unknown = await requests[name]?.().catch(
        (error: ProtocolError) => error,
      );
      if (result instanceof Error) {
        const { code, message, data } = Object(result);
        const more = data ? ` ${JSON.stringify(data)}` : "";
        return hide(`! ${code} ${message}${more}`);
      }
      const [resource] = Object(result).contents ?? [];
      if (resource?.mimeType === "application/json")
        last = JSON.parse(resource.text);
      return `  ${hide(format(result))}`;
    };
    const call = async (name = "", text = "{}", isForeign = false) => {
      time.advance(1000);
      const [method, path] = name.split(" ");
      if (isForeign)
        stranger ??= newCaller(service).then((one) => toolClient(service, one));
      const other = isForeign ? await stranger : client;
      if (name.includes("/") && path === undefined)
        return request(name, text, other);
      if (isForeign && other) {
        const result = await other.callTool({ name, arguments: read(text) });
        const { code, error } = getToolError(result);
        return `! ${code}: ${error}`;
      }
      if (path === undefined) {
        const args = read(text);
        const result = await client.callTool({ name, arguments: args });
        const [answer, value] = writeResult(result);
        last = value;
        return hide(String(answer));
      }
      const body = method === "GET" ? {} : { body: JSON.stringify(read(text)) };
      const response = await fetch(service.url + show(path), {
        method: method ?? "",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
        },
        ...body,
      });
      return `  ${response.status} ${hide(format(await response.json()))}`;
    };
    const lines: string[] = [];
    for (const line of section.split("\n")) {
      if (/^#|^$/.test(line)) lines.push(line);
      const [, mark, tool, args] =
        /^(>>?) ((?:[A-Z]+ )?\S+)(?: (.*))?$/.exec(line) ?? [];
      if (tool) lines.push(line, await call(tool, args, mark === ">>"));
      const [, path] = /^= (.*)$/.exec(line) ?? [];
      if (path) {
        const rest: unknown = await (await caller.get(show(path))).json();
        expect(last).to.deep.equal(rest);
        lines.push(line);
      }
    }
    return lines.join("\n");
  }

  replayEach(new URL("recorded/", import.meta.url), replay);
});
