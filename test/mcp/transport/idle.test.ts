import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import {
  WaitingTool,
  SseStream,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

const mcp = { ...parseConfig({}).mcp, idleMs: 300 };

/** A session that has a call under way. On a busy machine, its time may be over before the call arrives. */
async function calling(
  url: string,
  headers: Record<string, string>,
): Promise<SseStream> {
  const call = rpc("tools/call", { name: "wait" });
  for (;;) {
    const stream = await SseStream.open(url, headers);
    const sent = await postMessage(await stream.endpoint(), headers, call);
    if (sent.status === 202) return stream;
  }
}

describe("an idle session", () => {
  const waiting = new WaitingTool();
  const service = useService({
    config: { mcp },
    replace: (container) => waiting.replaceTools(container),
  });

  it("ends, but not before its calls", async () => {
    const headers = { "x-api-key": (await newCaller(service)).key };
    const called = waiting.called();
    const busy = await calling(service.url, headers);
    await called;
    const idle = await SseStream.open(service.url, headers);
    expect(await idle.over()).not.to.contain("event: message");
    waiting.release();
    expect(await busy.over()).to.contain("waited");
  });
});
