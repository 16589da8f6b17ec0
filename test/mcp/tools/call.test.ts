import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { z } from "zod";
import { tool, contentTool, TOOLS } from "../../../core/mcp/index.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { newCaller } from "../../support/caller.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import {
  getText,
  toolClient,
  postMessage,
  useTools,
} from "../../support/tool-client.js";

const echo = tool({
  name: "echo",
  title: "Echo",
  description: "Says what it was given.",
  scope: "templates:read",
  input: z.strictObject({
    templateId: z.string(),
    formats: z.array(z.enum(["pdf", "html"])).optional(),
    data: z.record(z.string(), z.unknown()).optional(),
    page: z.number().int().min(1).optional(),
    isTest: z.boolean().optional(),
  }),
  output: z.looseObject({}),
  annotations: { readOnlyHint: true },
  run: async ({ input }) => input,
});

function getProblems({ content: [first] }: CallToolResult): unknown {
  return first?.type === "text" ? JSON.parse(first.text).problems : null;
}

describe("the arguments of a tool", () => {
  const { service, caller, client } = useTools({
    replace: (container) => container.register(TOOLS, { useValue: [echo] }),
  });

  const call = (args: Record<string, unknown>) =>
    client().callTool({ name: "echo", arguments: args });
  const taken = async (args: Record<string, unknown>): Promise<unknown> =>
    JSON.parse(getText(await call(args)));

  it("are accepted as documented", async () => {
    const args = { templateId: "null", data: { a: [1, null] }, page: 2 };
    expect(await taken(args)).to.deep.equal(args);
  });

  it("are accepted as clients send them: null, JSON in strings, other names", async () => {
    const args = {
      templateId: "7",
      formats: '["pdf"]',
      data: '{"a":{"b":1}}',
      page: "3",
      isTest: null,
      toolCallId: "call_1",
    };
    expect(await taken(args)).to.deep.equal({
      templateId: "7",
      formats: ["pdf"],
      data: { a: { b: 1 } },
      page: 3,
    });
  });

  it("are rejected with every problem, its path and how to fix it", async () => {
    const answer = await call({ formats: ["pdf", "docx"], templateid: "x" });
    expect(answer.isError).to.equal(true);
    expect(answer).not.to.have.property("structuredContent");
    expect(getProblems(answer)).to.deep.equal([
      { path: "templateId", code: "invalid_type", message: "is required." },
      {
        path: "formats[1]",
        code: "invalid_value",
        message: 'must be one of "pdf", "html", not "docx".',
      },
      {
        path: "templateid",
        code: "unknown",
        message: "unknown field.",
        hint: "Did you mean templateId?",
      },
    ]);
  });

  it("are rejected when they are nested 10,000 levels deep, even in a string", async () => {
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    for (const data of [deep, JSON.stringify(deep)]) {
      const params = `{"name":"echo","arguments":{"templateId":"x","data":${data}}}`;
      const answer = await postMessage(
        service.url,
        { "x-api-key": caller().key },
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      );
      const text = await answer.text();
      expect(text).to.contain('"isError":true');
      expect(text).to.match(
        /deeper than 300 levels|must be an object, not a string/,
      );
    }
  });

  it("are rejected with the path of a key __proto__, even in a string", async () => {
    const hidden = '{"a":[{"__proto__":1}]}';
    for (const data of [hidden, JSON.stringify(hidden)]) {
      const params = `{"name":"echo","arguments":{"templateId":"x","data":${data}}}`;
      const answer = await postMessage(
        service.url,
        { "x-api-key": caller().key },
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      );
      const text = await answer.text();
      expect(text).to.contain('"isError":true');
      expect(text).to.contain("at data.a[0].__proto__, which is not allowed");
    }
  });

  it("cause a protocol error for an unknown tool", async () => {
    const rejected = await client()
      .callTool({ name: "echoo" })
      .catch((e) => e);
    expect(rejected).to.include({ code: -32_602 });
    expect(String(rejected)).to.contain("Tools are: echo");
  });
});

const errors: Record<string, Error> = {
  fault: new Error("SELECT secret"),
  busy: new PlatenError("busy", "Too much.", { retryAfterSeconds: 7 }),
};

const failing = contentTool({
  name: "fail",
  title: "Fail",
  description: "Fails.",
  scope: "templates:read",
  input: z.strictObject({ how: z.string() }),
  annotations: { readOnlyHint: true },
  run: async ({ input: { how } }) => Promise.reject(errors[how]),
});

describe("a tool that fails", () => {
  const { log, text } = recordingLog();
  const service = useService({
    log,
    replace: (container) => container.register(TOOLS, { useValue: [failing] }),
  });
  const failed = async (how: string): Promise<Record<string, unknown>> => {
    const client = await toolClient(service, await newCaller(service));
    const { content, isError } = await client.callTool({
      name: "fail",
      arguments: { how },
    });
    expect(isError).to.equal(true);
    expect(content).to.have.length(1);
    const [block] = content;
    return block?.type === "text" ? JSON.parse(block.text) : {};
  };

  it("says when to retry", async () => {
    expect(await failed("busy")).to.deep.equal({
      error: "Too much.",
      code: "busy",
      retryable: true,
      retryAfterSeconds: 7,
      problems: [{ path: "$", code: "busy", message: "Too much." }],
    });
  });

  it("returns only the id of an internal error, which the log explains", async () => {
    const answer = await failed("fault");
    expect(JSON.stringify(answer)).not.to.contain("SELECT");
    const [, number = "-"] = /number (\S+)\.$/.exec(String(answer.error)) ?? [];
    expect(text()).to.contain(`"fault":"${number}"`);
    expect(text()).to.contain("SELECT secret");
  });
});
