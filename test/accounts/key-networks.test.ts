import { request } from "node:http";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { readError, newCaller } from "../support/caller.js";
import { type TestService, useService } from "../support/service.js";
import { cliOn, json } from "../support/store-cli.js";
import { newVisitor } from "../support/studio.js";
import { postMessage } from "../support/tool-client.js";

async function createKey(
  service: TestService,
  networks: string,
): Promise<string> {
  const { organizationId } = await newCaller(service);
  const { key } = await json(
    cliOn(service.dataFolder),
    "key",
    "create",
    `--org=${organizationId}`,
    "--scopes=all",
    `--networks=${networks}`,
  );
  return key ?? "";
}

const ask = (service: TestService, key: string, forwarded?: string) =>
  fetch(`${service.url}/api/templates`, {
    headers: {
      "x-api-key": key,
      ...(forwarded !== undefined && { "x-forwarded-for": forwarded }),
    },
  });

describe("a key that is bound to networks", () => {
  const service = useService();

  it("works from them", async () => {
    const key = await createKey(service, "10.0.0.0/8,127.0.0.1");
    expect((await ask(service, key)).status).to.equal(200);
    expect(
      (await postMessage(service.url, { "x-api-key": key })).status,
    ).to.equal(200);
  });

  it("is refused from elsewhere, by REST and the tool server, with the address", async () => {
    const key = await createKey(service, "10.0.0.0/8,fd00::/8");
    const rest = await ask(service, key);
    expect(rest.status).to.equal(403);
    expect(await readError(rest)).to.contain("127.0.0.1");
    const authorization = `Bearer ${key}`;
    const tools = await postMessage(service.url, { authorization });
    expect(tools.status).to.equal(403);
    expect(await readError(tools)).to.contain("127.0.0.1");
    const stream = await fetch(`${service.url}/sse?apiKey=${key}`);
    expect(stream.status).to.equal(403);
  });

  it("is refused whatever the client claims in X-Forwarded-For", async () => {
    const key = await createKey(service, "10.0.0.0/8");
    for (const claim of [
      "10.0.0.1",
      "10.0.0.1, 10.0.0.2",
      "127.0.0.1,10.0.0.1",
    ])
      expect((await ask(service, key, claim)).status).to.equal(403);
  });

  it("is listed with them, and created by owners in the studio", async () => {
    const owner = await newVisitor(service);
    const body = {
      name: "Office",
      scopes: ["templates:read"],
      expiresAt: null,
    };
    const networks = ["203.0.113.0/24", "2001:db8::1"];
    const made = await owner.send("POST", "/studio/api/keys", {
      ...body,
      networks,
    });
    expect(made.status).to.equal(201);
    const { key, ...info }: Record<string, string> = JSON.parse(
      await made.text(),
    );
    expect(info).to.deep.include({
      networks: ["203.0.113.0/24", "2001:db8::1/128"],
    });
    expect((await ask(service, key ?? "")).status).to.equal(403);
    const everywhere = await owner.send("POST", "/studio/api/keys", body);
    expect(await everywhere.json()).to.include({ networks: null });
    const wrong = await owner.send("POST", "/studio/api/keys", {
      ...body,
      networks: ["the office"],
    });
    expect(wrong.status).to.equal(400);
    expect(await readError(wrong)).to.contain('Not a network: "the office"');
  });

  it("cannot be created with an invalid network", async () => {
    const { organizationId } = await newCaller(service);
    const create = cliOn(service.dataFolder);
    const { code, stderr } = await create(
      "key",
      "create",
      `--org=${organizationId}`,
      "--scopes=all",
      "--networks=10.0.0.0/40",
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain('Not a network: "10.0.0.0/40"');
  });
});

describe("a key that is bound to networks, behind a trusted proxy", () => {
  const { trustedProxies } = parseConfig({
    PLATEN_TRUSTED_PROXIES: "127.0.0.1, 192.0.2.0/24",
  });
  const service = useService({ config: { trustedProxies } });
  const statusFrom = async (key: string, forwarded?: string) =>
    (await ask(service, key, forwarded)).status;

  it("is judged by the last address that no trusted proxy has", async () => {
    const key = await createKey(service, "198.51.100.0/24,2001:db8::/32");
    for (const [forwarded, status] of [
      ["198.51.100.7", 200],
      ["198.51.100.7:51234", 200],
      ["[2001:db8::9]:443", 200],
      ["::ffff:198.51.100.7", 200],
      ["203.0.113.5, 198.51.100.7", 200],
      ["198.51.100.7, 192.0.2.8", 200],
      ["198.51.100.7, 192.0.2.8, 192.0.2.9", 200],
      ["198.51.100.7, 203.0.113.5", 403],
      ["198.51.100.7, 203.0.113.5, 192.0.2.8", 403],
      ["198.51.100.7, unknown", 403],
      ["", 403],
      ["192.0.2.8", 403],
    ] as const)
      expect(await statusFrom(key, forwarded), forwarded).to.equal(status);
    expect(await statusFrom(key)).to.equal(403);
  });

  it("is judged by all X-Forwarded-For headers together", async () => {
    const key = await createKey(service, "198.51.100.0/24");
    const sent = request(`${service.url}/api/templates`, {
      headers: [
        ["host", new URL(service.url).host],
        ["x-api-key", key],
        ["x-forwarded-for", "198.51.100.7"],
        ["x-forwarded-for", "203.0.113.5"],
      ].flat(),
    }).end();
    const [response] = await once(sent, "response");
    await text(response);
    expect(response.statusCode).to.equal(403);
  });
});

describe("attempts to sign in behind a trusted proxy", () => {
  const { trustedProxies } = parseConfig({
    PLATEN_TRUSTED_PROXIES: "127.0.0.1",
  });
  const service = useService({ config: { trustedProxies } });
  const attempt = (forwarded: string) =>
    fetch(`${service.url}/studio/sign-in/${"x".repeat(43)}`, {
      method: "POST",
      redirect: "manual",
      headers: { "x-forwarded-for": forwarded },
    });

  it("are counted by the client's address, so that nobody locks out others", async () => {
    const attempts = Array.from({ length: 61 }, () => attempt("203.0.113.5"));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).to.include(429);
    expect((await attempt("203.0.113.6")).status).to.not.equal(429);
  });
});
