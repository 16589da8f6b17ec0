import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { contentTool } from "../../../core/mcp/index.js";
import { TOOLS } from "../../../core/app/tokens.js";
import { newCaller } from "../../support/caller.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import { toolClient } from "../../support/tool-client.js";

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
