import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { ApiKeys, operator, RateLimits } from "../../../core/accounts/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { readError, newCaller } from "../../support/caller.js";
import { type TestService, useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";
import { postMessage } from "../../support/tool-client.js";

const minute = () => Math.floor(Date.now() / 60_000);

/** Once more from the beginning when the minute has ended meanwhile: with it, counts begin anew. */
async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = minute();
  const done = await work();
  return minute() === startedAt ? done : inOneMinute(work);
}

/** Two keys of one new organization. */
async function newKeys(service: TestService): Promise<[string, string]> {
  const { key, organizationId } = await newCaller(service);
  const keys = new ApiKeys(
    service.store,
    service.container.resolve(tokens.CALLER_CACHE),
  );
  const scopes = ["templates:read"];
  const second = await keys.create(organizationId, { scopes }, operator);
  return [key, second.key];
}

describe("a rate limit", () => {
  const service = useService({
    config: { rateLimits: { free: 3, pro: 3, premium: 3, enterprise: 3 } },
  });
  const ask = (key: string) =>
    fetch(`${service.url}/api/templates`, { headers: { "x-api-key": key } });

  it("of a plan applies to all keys of an organization together", async () => {
    const replies = await inOneMinute(async () => {
      const [key, second] = await newKeys(service);
      const all = [];
      for (const one of [key, second, key, second]) all.push(await ask(one));
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
      expect(await readError(last)).to.match(
        /More than 3 requests in a minute/,
      );
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

describe("the rate limit of each key of a plan", () => {
  const { rateLimits, keyRateLimits } = parseConfig({
    PLATEN_RATE_LIMITS: "free=5/3",
  });
  const service = useService({ config: { rateLimits, keyRateLimits } });
  const statusWith = async (key: string) => {
    const headers = { "x-api-key": key };
    return (await fetch(`${service.url}/api/templates`, { headers })).status;
  };

  it("leaves the rest of the organization's limit to its other keys", async () => {
    const statuses = await inOneMinute(async () => {
      const [key, second] = await newKeys(service);
      const all = [];
      for (const one of [key, key, key, key, key, second, second])
        all.push(await statusWith(one));
      all.push(await statusWith(second));
      return all;
    });
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429, 200, 200, 429]);
  });

  it("is named by the refusal", async () => {
    const answer = await inOneMinute(async () => {
      const caller = await newCaller(service);
      for (const _ of [1, 2, 3]) await caller.get("/api/templates");
      return caller.get("/api/templates");
    });
    expect(await readError(answer)).to.contain(
      "More than 3 requests in a minute of this API key.",
    );
  });
});

describe("rate limits by default", () => {
  const service = useService();

  it("are those of the plan, for REST and the tool server", async () => {
    const { key } = await newCaller(service);
    const headers = { "x-api-key": key };
    const rest = await fetch(`${service.url}/api/templates`, { headers });
    expect(rest.headers.get("ratelimit-policy")).to.equal(
      '"minute";q=1500;w=60',
    );
    const tools = await postMessage(service.url, headers);
    expect(tools.headers.get("ratelimit-policy")).to.equal(
      '"minute";q=1500;w=60',
    );
  });

  it("refuse a key's request over 1,500 in a minute, with the time to wait, however many come at once", async () => {
    const statuses = await inOneMinute(async () => {
      const caller = await newCaller(service);
      const all: number[] = [];
      const ask = async () => {
        for (let count = 0; count < 95; count++)
          all.push((await caller.get("/api/templates?pageSize=1")).status);
      };
      await Promise.all(Array.from({ length: 16 }, ask));
      return all;
    });
    expect(statuses.filter((status) => status === 200)).to.have.length(1500);
    expect(statuses.filter((status) => status === 429)).to.have.length(20);
  });
});

eachDatabase((_open, database) => {
  describe("two processes of a service", () => {
    const rateLimits = { free: 1000 };
    const first = useService({
      config: { database, rateLimits, keyRateLimits: {} },
    });

    it("count together, and together never allow more than the limit", async () => {
      const { organizationId, keyId } = await newCaller(first);
      const subject = {
        organizationId,
        keyId,
        plan: "free" as const,
        requestsPerMinute: null,
      };
      const processes = [1, 2].map(
        () => new RateLimits(first.store, rateLimits),
      );
      const allowed = await inOneMinute(async () => {
        let count = 0;
        const now = new Date();
        for (let each = 0; each < 1100; each++)
          for (const limits of processes) {
            const current = await limits.count(subject, now);
            if (current && current.remaining >= 0) count += 1;
          }
        return count;
      });
      expect(allowed).to.equal(1000);
    });
  });
});

describe("requests without a limit", () => {
  const { rateLimits, keyRateLimits } = parseConfig({
    PLATEN_RATE_LIMITS: "none",
  });
  const service = useService({ config: { rateLimits, keyRateLimits } });

  it("are not counted and get no rate limit headers", async () => {
    const caller = await newCaller(service);
    const reply = await caller.get("/api/templates");
    expect(reply.headers.get("ratelimit")).to.equal(null);
  });
});
