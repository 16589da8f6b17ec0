import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { newCaller, readError } from "../support/caller.js";
import { freePort } from "../support/free-port.js";
import { useService, TestService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import {
  postAs,
  officialClients,
  postMessage,
  SseStream,
} from "../support/tool-client.js";

const { mcp } = parseConfig({});

describe("the tool server's allowed hosts and origins", () => {
  const url = "https://tools.example.com/assist";
  const hosts = ["inner.example.com"];
  const service = useService({ config: { mcp: { ...mcp, url, hosts } } });
  let key = "";

  before(async () => ({ key } = await newCaller(service)));

  for (const [status, headers] of [
    [200, { host: "tools.example.com" }],
    [200, { host: "inner.example.com:8443" }],
    [200, { host: "localhost:3000" }],
    [200, { host: "[::1]:3000" }],
    [403, { host: "evil.example.com" }],
    [403, { host: "tools.example.com.evil.net" }],
    [200, { origin: "https://tools.example.com" }],
    [200, { origin: "http://localhost:6274" }],
    [403, { origin: "https://evil.example.com" }],
    [403, { origin: "null" }],
    [403, { origin: "x" }],
  ] as const)
    it(`answer ${JSON.stringify(headers)} with ${status}`, async () => {
      const answer = await postAs(service.url, {
        "x-api-key": key,
        ...headers,
      });
      expect(answer.status).to.equal(status);
      const anonymous = await postAs(service.url, headers);
      expect(anonymous.status).to.equal(status === 200 ? 401 : 403);
    });

  it("are listed in the rejection, without the one that was sent", async () => {
    const { body } = await postAs(service.url, { host: "evil.example.com" });
    expect(JSON.parse(body).error).to.contain("PLATEN_MCP_HOSTS");
    expect(body).not.to.contain("evil");
  });
});

for (const [description, baseUrl, status] of [
  ["without a base URL", null, 200],
  ["with a public base URL", "https://docs.example.com", 403],
] as const)
  describe(`a tool server that listens on all interfaces ${description}`, () => {
    const port = freePort();
    const folder = suiteFolder();

    it(`answers requests for localhost with ${status}`, async () => {
      const service = new TestService(folder, {
        config: { port: await port, host: "0.0.0.0", baseUrl },
      });
      await service.start();
      try {
        const { key } = await newCaller(service);
        const headers = { "x-api-key": key, host: "localhost:8080" };
        const answer = await postAs(`http://127.0.0.1:${await port}`, headers);
        expect(answer.status).to.equal(status);
      } finally {
        await service.stop();
      }
    });
  });

for (const [description, basePath, mcpPath, ...paths] of [
  ["a base URL with a path", "/platen", null, "/platen", ""],
  ["a PLATEN_MCP_URL with a path", "", "/assist", "/assist", ""],
  ["both with paths", "/platen", "/platen/ai", "/platen/ai", "/platen"],
] as const)
  describe(`the tool server under ${description}`, () => {
    const folder = suiteFolder();
    let service: TestService;
    let origin = "";
    let key = "";

    before(async () => {
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const url = mcpPath === null ? null : origin + mcpPath;
      const baseUrl = origin + basePath;
      const config = { port, baseUrl, mcp: { ...mcp, url } };
      service = new TestService(folder, { config });
      await service.start();
      ({ key } = await newCaller(service));
    });
    after(() => service.stop());

    it("accepts a slash at the end of its own path only", async () => {
      const headers = { "x-api-key": key };
      const prefix = origin + paths[0];
      const answer = await postMessage(`${prefix}/mcp/`, headers);
      expect(answer.status).to.equal(200);
      for (const other of ["/mcp//", "/mcpx", "/x/mcp", "/MCP"]) {
        const elsewhere = await postMessage(prefix + other, headers);
        expect(elsewhere.status).to.equal(404);
      }
    });

    for (const path of paths)
      it(`answers the official clients below "${path}"`, async () => {
        for (const [name, connect] of officialClients.slice(0, 2)) {
          const headers = { "x-api-key": key };
          const client = await connect(origin + path, { headers });
          const { tools } = await client.listTools();
          expect(tools, name).to.have.length.above(2);
          await client.close();
        }
      });
  });

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
