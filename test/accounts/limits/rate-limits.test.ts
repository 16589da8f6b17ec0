import { expect } from "chai";
import { describe, it } from "mocha";
import { ApiKeys, operator } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { errorOf, newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";

const minute = () => Math.floor(Date.now() / 60_000);

/** Once more from the beginning when the minute has ended meanwhile: with it, counts begin anew. */
async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const begun = minute();
  const done = await work();
  return minute() === begun ? done : inOneMinute(work);
}

describe("a rate limit", () => {
  const service = useService({
    config: { rateLimits: { free: 3, pro: 3, premium: 3, enterprise: 3 } },
  });
  const ask = (key: string) =>
    fetch(`${service.url}/api/templates`, { headers: { "x-api-key": key } });

  it("of a plan applies to all keys of an organization together", async () => {
    const replies = await inOneMinute(async () => {
      const { key, organizationId } = await newCaller(service);
      const keys = new ApiKeys(
        service.store,
        service.container.resolve(tokens.CALLER_CACHE),
      );
      const scopes = ["templates:read"];
      const second = await keys.create(organizationId, { scopes }, operator);
      const all = [];
      for (const one of [key, second.key, key, second.key])
        all.push(await ask(one));
      return all;
    });
    expect(replies.map(({ status }) => status)).to.deep.equal([
      200, 200, 200, 429,
    ]);
    const [first, , , last] = replies;
    expect(first?.headers.get("ratelimit")).to.match(/^"minute";r=2;t=\d+$/);
    expect(first?.headers.get("ratelimit-policy")).to.equal(
      '"minute";q=3;w=60',
    );
    expect(last?.headers.get("ratelimit-remaining")).to.equal("0");
    expect(last?.headers.get("retry-after")).to.match(/^\d+$/);
    if (last)
      expect(await errorOf(last)).to.match(/More than 3 requests in a minute/);
  });

  it("of one organization does not affect another", async () => {
    const { key } = await newCaller(service);
    expect((await ask(key)).status).to.equal(200);
  });

  it("of a key replaces the plan's limit", async () => {
    const { organizationId } = await newCaller(service);
    const keys = new ApiKeys(
      service.store,
      service.container.resolve(tokens.CALLER_CACHE),
    );
    const { key } = await keys.create(
      organizationId,
      { scopes: ["templates:read"], requestsPerMinute: 5 },
      operator,
    );
    const reply = await ask(key);
    expect(reply.headers.get("ratelimit-limit")).to.equal("5");
  });
});

describe("requests without a limit", () => {
  const service = useService();

  it("are not counted and get no rate limit headers", async () => {
    const caller = await newCaller(service);
    const reply = await caller.get("/api/templates");
    expect(reply.headers.get("ratelimit")).to.equal(null);
  });
});
