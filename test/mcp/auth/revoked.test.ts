import { expect } from "chai";
import { describe, it } from "mocha";
import {
  ApiKeys,
  CallerCache,
  operator,
} from "../../../core/accounts/index.js";
import { newCaller } from "../../support/caller.js";
import {
  WaitingTool,
  SseStream,
  postMessage,
  rpc,
} from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

describe("a key that is revoked", () => {
  const waiting = new WaitingTool();
  const service = useService({
    replace: (container) => waiting.replaceTools(container),
  });
  const call = rpc("tools/call", { name: "wait" });

  /** By another process: what this one keeps in memory does not hear of it. */
  const revoke = (keyId: string) =>
    new ApiKeys(service.store, new CallerCache()).revoke(keyId, operator);

  it("has its streams closed and their calls aborted", async () => {
    const { key, keyId } = await newCaller(service);
    const stream = await SseStream.open(service.url, { "x-api-key": key });
    const called = waiting.called();
    await postMessage(await stream.endpoint(), { "x-api-key": key }, call);
    await called;
    const aborted = waiting.aborted();
    await revoke(keyId);
    await aborted;
    expect(await stream.over()).not.to.contain("event: message");
  });

  it("has its calls at /mcp aborted", async () => {
    const { key, keyId } = await newCaller(service);
    const called = waiting.called();
    const answer = await postMessage(service.url, { "x-api-key": key }, call);
    await called;
    const aborted = waiting.aborted();
    await revoke(keyId);
    await aborted;
    const rest = await answer.text().catch(String);
    expect(rest).not.to.contain("waited");
  });

  it("does not affect streams of other keys", async () => {
    const { key } = await newCaller(service);
    const { keyId } = await newCaller(service);
    const called = waiting.called();
    const answer = await postMessage(service.url, { "x-api-key": key }, call);
    await called;
    await revoke(keyId);
    waiting.release();
    expect(await answer.text()).to.contain("waited");
  });
});
