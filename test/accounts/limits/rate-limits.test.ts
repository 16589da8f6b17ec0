import { expect } from "chai";
import { parseConfig } from "../../../config/index.js";
import { operator, RateLimits } from "../../../core/accounts/index.js";
import {
  getKeys,
  newCaller,
  refusal,
  requestsTo,
} from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { type TestService, useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

const free = { scopes: ["templates:read"] };

/** Two keys of one new organization. */
async function newKeys(service: TestService): Promise<[string, string]> {
  const { key, organizationId } = await newCaller(service);
  const second = await getKeys(service).create(organizationId, free, operator);
  return [key, second.key];
}

/** The statuses of requests with these keys, one after the other. */
async function askWith(service: TestService, keys: string[]) {
  const statuses = [];
  for (const key of keys) {
    const caller = requestsTo(() => service.url, key);
    statuses.push((await caller.get("/api/templates")).status);
  }
  return statuses;
}

describe("a rate limit", () => {
  const time = useFixedTime();
  const service = useService({
    config: { rateLimits: { free: 3, pro: 3, premium: 3, enterprise: 3 } },
  });
  const ask = (key: string) =>
    requestsTo(() => service.url, key).get("/api/templates");

  it("of a plan applies to all keys of an organization together", async () => {
    const [key, second] = await newKeys(service);
    const first = await ask(key);
    expect(first.headers.get("ratelimit")).to.match(/^"minute";r=2;t=\d+$/);
    expect(first.headers.get("ratelimit-policy")).to.equal('"minute";q=3;w=60');
    const following = await askWith(service, [second, key]);
    expect(following).to.deep.equal([200, 200]);
    const last = await ask(second);
    expect(last.headers.get("ratelimit-remaining")).to.equal("0");
    const seconds = Math.ceil((60_000 - (time.now() % 60_000)) / 1000);
    expect(await refusal(last)).to.equal(
      `429 More than 3 requests in a minute of this organization. Wait ${seconds} seconds, then continue.`,
    );
    const { key: other } = await newCaller(service);
    expect((await ask(other)).status).to.equal(200);
  });

  it("of a key replaces the plan's limit", async () => {
    const { organizationId } = await newCaller(service);
    const input = { ...free, requestsPerMinute: 5 };
    const { key } = await getKeys(service).create(
      organizationId,
      input,
      operator,
    );
    expect((await ask(key)).headers.get("ratelimit-limit")).to.equal("5");
  });
});

describe("the rate limit of each key of a plan", () => {
  useFixedTime();
  const { rateLimits, keyRateLimits } = parseConfig({
    PLATEN_RATE_LIMITS: "free=5/3",
  });
  const service = useService({ config: { rateLimits, keyRateLimits } });

  it("leaves the rest of the organization's limit to its other keys", async () => {
    const [key, second] = await newKeys(service);
    const keys = [key, key, key, key, key, second, second, second];
    expect(await askWith(service, keys)).to.deep.equal([
      200, 200, 200, 429, 429, 200, 200, 429,
    ]);
    const caller = requestsTo(() => service.url, key);
    expect(await refusal(caller.get("/api/templates"))).to.contain(
      "More than 3 requests in a minute of this API key.",
    );
  });
});

describe("rate limits by default", () => {
  useFixedTime();
  const service = useService();

  it("are those of the plan", async () => {
    const reply = await (await newCaller(service)).get("/api/templates");
    expect(reply.headers.get("ratelimit-policy")).to.equal(
      '"minute";q=1500;w=60',
    );
  });
});

describe("a rate limit that is counted in blocks", () => {
  useFixedTime();
  const service = useService({ config: { rateLimits: { free: 300 } } });

  it("lets through exactly as many requests, however many come at once", async () => {
    const { key } = await newCaller(service);
    const keys = Array.from({ length: 20 }, () => key);
    const parts = Array.from({ length: 16 }, () => askWith(service, keys));
    const statuses = (await Promise.all(parts)).flat();
    expect(statuses.filter((status) => status === 200)).to.have.length(300);
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
      let allowed = 0;
      const now = new Date();
      for (let each = 0; each < 1100; each++)
        for (const limits of processes) {
          const current = await limits.count(subject, now);
          if (current && current.remaining >= 0) allowed += 1;
        }
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
