import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { SseStream, postMessage } from "../../support/tool-client.js";

describe("a session at /sse", () => {
  const service = useService();
  let own: TestCaller;
  let other: TestCaller;

  before(async () => {
    own = await newCaller(service);
    other = await newCaller(service);
  });

  it("accepts messages with the key that opened it and no other", async () => {
    const key = { "x-api-key": own.key };
    const stream = await SseStream.open(service.url, key);
    const endpoint = await stream.endpoint();
    const foreign = { "x-api-key": other.key };
    expect((await postMessage(endpoint, foreign)).status).to.equal(404);
    expect((await postMessage(endpoint, {})).status).to.equal(404);
    const wrong = await postMessage(endpoint, { "x-api-key": "plk_x" });
    expect(wrong.status).to.equal(401);
    expect((await postMessage(endpoint, key)).status).to.equal(202);
    await stream.until(/"tools":/);
  });

  it("accepts messages without a key when the query opened it", async () => {
    const query = `?apiKey=${own.key}`;
    const stream = await SseStream.open(service.url, {}, query);
    const endpoint = await stream.endpoint();
    const foreign = { "x-api-key": other.key };
    expect((await postMessage(endpoint, foreign)).status).to.equal(404);
    expect((await postMessage(endpoint, {})).status).to.equal(202);
    await stream.until(/"tools":/);
  });

  it("ends with its stream", async () => {
    const key = { "x-api-key": own.key };
    const stream = await SseStream.open(service.url, key);
    const endpoint = await stream.endpoint();
    stream.close();
    let answer = await postMessage(endpoint, key);
    while (answer.status !== 404) answer = await postMessage(endpoint, key);
    expect(await readError(answer)).to.contain("Open a new session at /sse");
  });
});
