import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { operator } from "../../core/accounts/index.js";
import { getKeys, newCaller, readError } from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import {
  SseStream,
  officialClients,
  postMessage,
  rpc,
} from "../support/tool-client.js";

describe("a request to the tool server", () => {
  useFixedTime();
  const { log, text } = recordingLog();
  const service = useService({
    log,
    config: {
      mcp: { ...parseConfig({}).mcp, sessionsPerKey: 2 },
      maxBodyBytes: 10_000,
    },
  });
  let key = "";
  let organizationId = "";
  let headers: { "x-api-key": string };

  beforeEach(async () => {
    ({ key, organizationId } = await newCaller(service));
    headers = { "x-api-key": key };
  });

  for (const [name, connect] of officialClients.filter(([one]) =>
    one.endsWith("/sse"),
  ))
    it(`is accepted with the key in the query from ${name}, which sends no header then`, async () => {
      const query = `?apiKey=${key}`;
      const client = await connect(service.url, { headers: {}, query });
      expect((await client.listTools()).tools).to.have.length.above(2);
      await client.close();
    });

  it("is rejected with the key in the query of /mcp, even with a valid header", async () => {
    const url = `${service.url}/mcp?apiKey=${key}`;
    const answer = await postMessage(url, headers);
    expect(answer.status).to.equal(401);
    expect(answer.headers.get("www-authenticate")).to.match(/^Bearer/);
    expect(await readError(answer)).to.contain("at /sse alone");
  });

  it("is rejected with a 400 for invalid UTF-8", async () => {
    const body = Buffer.from([0x22, 0xff, 0x22]);
    const answer = await postMessage(service.url, headers, body);
    expect(answer.status).to.equal(400);
    expect(await answer.json())
      .to.have.property("error")
      .that.deep.equals({
        code: -32_700,
        message:
          "The body is not UTF-8: the byte 0xFF at position 1 (the first is 0) is not part of a character. Encode it in UTF-8.",
      });
  });

  it("is rejected with a 413 that names the setting when its body is too large", async () => {
    const large = rpc("tools/list", { cursor: "x".repeat(10_000) });
    const stream = await SseStream.open(service.url, headers);
    for (const url of [service.url, await stream.endpoint()]) {
      const answer = await postMessage(url, headers, large);
      expect(answer.status).to.equal(413);
      expect(await readError(answer)).to.contain("PLATEN_MAX_BODY_BYTES");
    }
  });

  it("opens no more streams than a key may have", async () => {
    const first = await SseStream.open(service.url, headers);
    await SseStream.open(service.url, headers);
    const third = await SseStream.open(service.url, headers).catch(String);
    expect(third).to.match(/429: .*2 streams open/);
    first.close();
    for (;;) {
      const next = await SseStream.open(service.url, headers).catch(() => null);
      if (next !== null) break;
    }
  });

  it("counts like a request of the REST API", async () => {
    const limited = await getKeys(service).create(
      organizationId,
      { scopes: ["all"], requestsPerMinute: 2 },
      operator,
    );
    const send = () => postMessage(service.url, { "x-api-key": limited.key });
    const answers = [await send(), await send(), await send()];
    const statuses = answers.map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200, 429]);
    expect(answers[2]?.headers.get("retry-after")).to.match(/^\d+$/);
    expect(answers[0]?.headers.get("ratelimit-policy")).to.contain("q=2");
  });

  it("belongs to a session only with the key that opened it", async () => {
    const stream = await SseStream.open(service.url, headers);
    const endpoint = await stream.endpoint();
    const foreign = { "x-api-key": (await newCaller(service)).key };
    expect((await postMessage(endpoint, foreign)).status).to.equal(404);
    expect((await postMessage(endpoint, {})).status).to.equal(404);
    const wrong = await postMessage(endpoint, { "x-api-key": "plk_x" });
    expect(wrong.status).to.equal(401);
    expect((await postMessage(endpoint, headers)).status).to.equal(202);
    await stream.until(/"tools":/);
  });

  it("belongs to a session without a key when the query opened it", async () => {
    const stream = await SseStream.open(service.url, {}, `?apiKey=${key}`);
    const endpoint = await stream.endpoint();
    const foreign = { "x-api-key": (await newCaller(service)).key };
    expect((await postMessage(endpoint, foreign)).status).to.equal(404);
    expect((await postMessage(endpoint, {})).status).to.equal(202);
    await stream.until(/"tools":/);
  });

  it("finds no session whose stream has ended", async () => {
    const stream = await SseStream.open(service.url, headers);
    const endpoint = await stream.endpoint();
    stream.close();
    let answer = await postMessage(endpoint, headers);
    while (answer.status !== 404) answer = await postMessage(endpoint, headers);
    expect(await readError(answer)).to.contain("Open a new session at /sse");
  });

  it("is logged with its call, but without its key or session", async () => {
    const { url } = service;
    const stream = await SseStream.open(url, {}, `?apiKey=${key}`);
    const endpoint = await stream.endpoint();
    const call = rpc("tools/call", { name: "get_template_ast_guide" });
    await postMessage(endpoint, {}, call);
    await stream.until(/event: message/);
    await postMessage(endpoint, {}, "{");
    await postMessage(`${url}/mcp?apiKey=${key}`, {});
    await postMessage(url, { authorization: `Bearer ${key}x` });
    await postMessage(url, headers, { method: "?" });
    await postMessage(url, headers, call);
    stream.close();
    await fetch(`${url}/messages?sessionId=${endpoint.split("=")[1]}`);

    expect(text()).to.contain('"path":"/messages"');
    expect(text()).to.contain('"tool":"get_template_ast_guide","outcome":"ok"');
    expect(text()).not.to.contain(key);
    expect(text()).not.to.contain(endpoint.split("sessionId=")[1]);
  });
});
