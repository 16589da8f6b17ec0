import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import {
  WaitingTool,
  SseStream,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

const mcp = { ...parseConfig({}).mcp, keepAliveMs: 50 };

describe("an idle stream", () => {
  const waiting = new WaitingTool();
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
    const response = await postMessage(service.url, headers, call);
    expect(response.headers.get("content-type")).to.equal("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).to.equal("no");
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      // Several may come at once.
      if ((text.match(/^:/gm)?.length ?? 0) >= 3) waiting.release();
    }
    expect(text).to.contain("waited");
  });
});
