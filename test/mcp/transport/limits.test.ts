import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import {
  ApiKeys,
  CallerCache,
  operator,
} from "../../../core/accounts/index.js";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { SseStream, postMessage, rpc } from "../../support/tool-client.js";

const mcp = { ...parseConfig({}).mcp, sessionsPerKey: 2 };

describe("the tool server's limits", () => {
  const service = useService({ config: { mcp, maxBodyBytes: 10_000 } });
  let caller: TestCaller;
  let headers: { "x-api-key": string };

  before(async () => {
    caller = await newCaller(service);
    headers = { "x-api-key": caller.key };
  });

  it("reject a body that is too large with 413 and name the setting", async () => {
    const large = rpc("tools/list", { cursor: "x".repeat(10_000) });
    const answer = await postMessage(service.url, headers, large);
    expect(answer.status).to.equal(413);
    expect(await readError(answer)).to.contain("PLATEN_MAX_BODY_BYTES");
    const stream = await SseStream.open(service.url, headers);
    const sent = await postMessage(await stream.endpoint(), headers, large);
    expect(sent.status).to.equal(413);
    stream.close();
  });

  it("reject more streams than a key may open", async () => {
    const own = { "x-api-key": (await newCaller(service)).key };
    const first = await SseStream.open(service.url, own);
    await SseStream.open(service.url, own);
    const third = await SseStream.open(service.url, own).catch(String);
    expect(third).to.match(/429: .*2 streams open/);
    first.close();
    for (;;) {
      const next = await SseStream.open(service.url, own).catch(() => null);
      if (next !== null) break;
    }
  });

  it("count messages like requests of the REST API", async () => {
    const keys = new ApiKeys(service.store, new CallerCache());
    const { organizationId } = caller;
    const input = { scopes: ["all"], requestsPerMinute: 2 };
    const { key } = await keys.create(organizationId, input, operator);
    const answers = [];
    // Should a minute end in between, the next has three more.
    for (const _ of Array.from({ length: 6 }))
      answers.push(await postMessage(service.url, { "x-api-key": key }));
    const rejected = answers.find(({ status }) => status === 429);
    expect(rejected?.headers.get("retry-after")).to.match(/^\d+$/);
    expect(answers[0]?.headers.get("ratelimit-policy")).to.contain("q=2");
  });
});
