import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { postMessage } from "../../support/tool-client.js";

describe("an invalid message", () => {
  const service = useService();
  let headers: { "x-api-key": string };

  before(async () => {
    headers = { "x-api-key": (await newCaller(service)).key };
  });

  for (const [description, body, status] of [
    ["invalid JSON", "{", 400],
    ["an empty body", "", 400],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a number", "1", 400],
    [
      "a method that is not a string",
      '{"jsonrpc":"2.0","id":1,"method":5}',
      400,
    ],
  ] as const)
    it(`is rejected: ${description}`, async () => {
      const response = await fetch(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body,
      });
      expect(response.status).to.equal(status);
      expect(await response.json()).to.have.nested.property("error.code");
    });

  for (const [method, path, allow] of [
    ["GET", "/mcp", "POST"],
    ["DELETE", "/mcp", "POST"],
    ["POST", "/sse", "GET"],
    ["GET", "/messages", "POST"],
  ] as const)
    it(`is rejected: ${method} ${path}`, async () => {
      const response = await fetch(service.url + path, { method, headers });
      expect(response.status).to.equal(405);
      expect(response.headers.get("allow")).to.equal(allow);
      expect(await readError(response)).to.contain(`accepts ${allow}`);
    });

  it("is rejected when it is compressed", async () => {
    const packed = { ...headers, "content-encoding": "gzip" };
    const answer = await postMessage(service.url, packed);
    expect(answer.status).to.equal(400);
    expect(await readError(answer)).to.contain("without content-encoding");
  });
});
