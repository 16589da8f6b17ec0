import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { readError, newCaller } from "../../support/caller.js";
import { freePort } from "../../support/free-port.js";
import { TestService } from "../../support/service.js";
import {
  SseStream,
  officialClients,
  postMessage,
} from "../../support/tool-client.js";
import { suiteFolder } from "../../support/store-folder.js";

/** Two instances on the same data, and a third that does not know them. */
describe("several instances", () => {
  const folder = suiteFolder();
  const services: TestService[] = [];
  let headers: { "x-api-key": string };

  before(async () => {
    const ports = [await freePort(), await freePort()];
    const peers = new Map(
      ports.map((port, at) => [`node-${at}`, `http://127.0.0.1:${port}`]),
    );
    const { mcp } = parseConfig({});
    for (const [at, port] of ports.entries()) {
      const config = { port, mcp: { ...mcp, node: `node-${at}`, peers } };
      services.push(new TestService(folder, { config }));
    }
    services.push(new TestService(folder, {}));
    for (const service of services) await service.start();
    const [first] = services;
    if (!first) throw new Error("no instance");
    headers = { "x-api-key": (await newCaller(first)).key };
  });
  after(() => Promise.all(services.map((service) => service.stop())));

  const moved = (endpoint: string, at: number) => {
    const { pathname, search } = new URL(endpoint);
    return `${services[at]?.url}${pathname}${search}`;
  };

  it("forward messages to the instance that has the session", async () => {
    const stream = await SseStream.open(services[0]?.url ?? "", headers);
    const there = moved(await stream.endpoint(), 1);
    expect((await postMessage(there, headers)).status).to.equal(202);
    await stream.until(/"tools":/);
    expect((await postMessage(there, {})).status).to.equal(404);
    expect((await postMessage(there, headers, "{")).status).to.equal(400);
  });

  it("report it when they do not know each other", async () => {
    const stream = await SseStream.open(services[0]?.url ?? "", headers);
    const there = moved(await stream.endpoint(), 2);
    const answer = await postMessage(there, headers);
    expect(answer.status).to.equal(404);
    expect(await readError(answer)).to.contain("PLATEN_MCP_PEERS");
  });

  for (const [name, connect] of officialClients.filter(([one]) =>
    one.endsWith("/mcp"),
  ))
    it(`answer ${name} whichever of them receives a request`, async () => {
      const urls = services.map(({ url }) => new URL(url).host);
      let turn = 0;
      const elsewhere = (text: string) => {
        const url = new URL(text);
        url.host = urls[(turn += 1) % urls.length] ?? "";
        return url.href;
      };
      const [{ url } = { url: "" }] = services;
      const client = await connect(url, {
        headers,
        fetch: (input, init) => fetch(elsewhere(String(input)), init),
      });
      for (const _ of urls)
        expect((await client.listTools()).tools).to.have.length.above(2);
      await client.close();
    });
});
