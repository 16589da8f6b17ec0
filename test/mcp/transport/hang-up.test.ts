import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import {
  WaitingTool,
  SseStream,
  officialClients,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";

describe("a client that disconnects during a call", () => {
  const waiting = new WaitingTool();
  const { log, text } = recordingLog();
  const service = useService({
    log,
    replace: (container) => waiting.replaceTools(container),
  });

  for (const [name, connect] of officialClients)
    it(`stops the work for it: ${name}`, async () => {
      const { key } = await newCaller(service);
      const client = await connect(service.url, {
        headers: { "x-api-key": key },
      });
      const called = waiting.called();
      const answer = client.callTool({ name: "wait" }).catch(String);
      await called;
      const aborted = waiting.aborted();
      await client.close();
      await aborted;
      expect(await answer).to.match(/closed|aborted/i);
    });

  it("is not logged as an error", async () => {
    const calls = () => text().match(/"tool":"wait"/g)?.length ?? 0;
    await eventually(() => calls() >= officialClients.length);
    expect(text()).not.to.include('"level":"error"');
  });

  it("stops the work and stays connected when it only cancels", async () => {
    const headers = { "x-api-key": (await newCaller(service)).key };
    const stream = await SseStream.open(service.url, headers);
    const endpoint = await stream.endpoint();
    const called = waiting.called();
    await postMessage(endpoint, headers, rpc("tools/call", { name: "wait" }));
    await called;
    const aborted = waiting.aborted();
    await postMessage(endpoint, headers, {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    await aborted;
    await postMessage(endpoint, headers, rpc("tools/list", {}, 2));
    await stream.until(/"id":2/);
  });
});
