import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import { SseStream, postMessage, rpc } from "../../support/tool-client.js";

describe("the log of the tool server", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });

  it("contains each request and call, but neither keys nor sessions", async () => {
    const { key } = await newCaller(service);
    const { url } = service;
    const stream = await SseStream.open(url, {}, `?apiKey=${key}`);
    const endpoint = await stream.endpoint();
    const call = rpc("tools/call", { name: "get_template_ast_guide" });
    await postMessage(endpoint, {}, call);
    await stream.until(/event: message/);
    await postMessage(endpoint, {}, "{");
    await postMessage(`${url}/mcp?apiKey=${key}`, {});
    await postMessage(url, { authorization: `Bearer ${key}x` });
    await postMessage(url, { "x-api-key": key }, { method: "?" });
    await postMessage(url, { "x-api-key": key }, call);
    stream.close();
    await fetch(`${url}/messages?sessionId=${endpoint.split("=")[1]}`);

    expect(text()).to.contain('"path":"/messages"');
    expect(text()).to.contain('"tool":"get_template_ast_guide","outcome":"ok"');
    expect(text()).not.to.contain(key);
    expect(text()).not.to.contain(endpoint.split("sessionId=")[1]);
  });
});
