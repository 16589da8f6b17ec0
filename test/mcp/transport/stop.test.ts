import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import {
  WaitingTool,
  SseStream,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

describe("a tool server that stops", () => {
  const waiting = new WaitingTool();
  const service = useService({
    replace: (container) => waiting.replaceTools(container),
  });

  it("ends calls first, then streams, and accepts nothing new", async () => {
    const headers = { "x-api-key": (await newCaller(service)).key };
    const { url } = service;
    const call = rpc("tools/call", { name: "wait" });
    const [idle, busy] = await Promise.all([
      SseStream.open(url, headers),
      SseStream.open(url, headers),
    ]);
    const bySse = waiting.called();
    await postMessage(await busy.endpoint(), headers, call);
    await bySse;
    const byHttp = waiting.called();
    const answer = await postMessage(url, headers, call);
    await byHttp;

    const stopped = service.stop();
    await idle.over();
    expect((await postMessage(url, headers)).status).to.equal(503);
    waiting.release();
    expect(await answer.text()).to.contain("waited");
    expect(await busy.over()).to.contain("waited");
    await stopped;
  });
});
