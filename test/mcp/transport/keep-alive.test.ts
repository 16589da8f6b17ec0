import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import {
  PatientTool,
  SseStream,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

const mcp = { ...parseConfig({}).mcp, keepAliveMs: 50 };

describe("an idle stream", () => {
  const waiting = new PatientTool();
  const service = useService({
    config: { mcp },
    replace: (container) => waiting.replaceTools(container),
  });
  let headers: { "x-api-key": string };

  before(async () => {
    headers = { "x-api-key": (await newCaller(service)).key };
  });

  it("sends comments at /sse", async () => {
    const stream = await SseStream.open(service.url, headers);
    await stream.until(/(: .+\n\n){3}/);
  });

  it("sends comments during a long call at /mcp", async () => {
    const call = rpc("tools/call", { name: "wait" });
    const answer = await postMessage(service.url, headers, call);
    expect(answer.headers.get("content-type")).to.equal("text/event-stream");
    expect(answer.headers.get("x-accel-buffering")).to.equal("no");
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk);
      // Several may come at once.
      if ((text.match(/^:/gm)?.length ?? 0) >= 3) waiting.letGo();
    }
    expect(text).to.contain("waited");
  });
});
