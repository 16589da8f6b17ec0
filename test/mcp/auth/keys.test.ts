import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import {
  SseStream,
  officialClients,
  postMessage,
} from "../../support/tool-client.js";

describe("the API key of the tool server", () => {
  const service = useService();
  let key = "";

  before(async () => ({ key } = await newCaller(service)));

  for (const [name, connect] of officialClients)
    it(`is accepted in x-api-key from ${name}`, async () => {
      const client = await connect(service.url, {
        headers: { "x-api-key": key },
      });
      expect((await client.listTools()).tools).not.to.equal([]);
      await client.close();
    });

  for (const [name, connect] of officialClients.filter(([one]) =>
    one.endsWith("/sse"),
  ))
    it(`is accepted in the query from ${name}, which sends no header then`, async () => {
      const client = await connect(service.url, {
        headers: {},
        query: `?apiKey=${key}`,
      });
      expect((await client.listTools()).tools).not.to.equal([]);
      await client.close();
    });

  it("is rejected in the query of /mcp, even with a valid header", async () => {
    const answer = await postMessage(`${service.url}/mcp?apiKey=${key}`, {
      "x-api-key": key,
    });
    expect(answer.status).to.equal(401);
    expect(await readError(answer)).to.contain("at /sse alone");
  });

  for (const [description, headers, message] of [
    ["a missing key", {}, "No API key was sent"],
    ["an unknown key", { "x-api-key": "plk_x" }, "Unknown API key"],
    [
      "an unknown bearer token",
      { authorization: "Bearer x" },
      "Unknown API key",
    ],
    ["another scheme", { authorization: "Basic eDp4" }, "`Bearer <key>`"],
  ] as const)
    it(`is required with a 401 for ${description}`, async () => {
      const answer = await postMessage(service.url, headers);
      expect(answer.status).to.equal(401);
      expect(answer.headers.get("www-authenticate")).to.match(/^Bearer/);
      expect(await readError(answer)).to.contain(message);
      const stream = SseStream.open(service.url, headers).catch(String);
      expect(await stream).to.contain("401");
    });
});
