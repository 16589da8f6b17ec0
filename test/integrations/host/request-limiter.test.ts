import type { ServerResponse } from "node:http";
import { expect } from "chai";
import type { PlatformPlugin } from "../../../core/plugin-api/index.js";
import { clock } from "../../../core/lib/clock.js";
import { RequestLimiters } from "../../../core/integrations/host/index.js";
import { eventually } from "../../support/eventually.js";
import {
  connectTestPlatform,
  usePlatformServer,
} from "../../support/records.js";

describe("the rate limit of a platform", () => {
  const server = usePlatformServer();
  const asking = (
    rate: Partial<PlatformPlugin["rate"]>,
  ): Partial<PlatformPlugin> => ({
    rate: { key: () => "one base", maxInFlight: 10, ...rate },
    check: async ({ http }) => {
      await http(server.url);
      return {};
    },
  });
  let startedCount = 0;
  /** From before the first was sent until the last arrived, in milliseconds: a busy machine only makes it longer. */
  const span = () => (server.arrived.at(-1)?.at ?? 0) - startedCount;
  const run = async (platform: Partial<PlatformPlugin>, processes = 1) => {
    // Two connections to the same base share its limit; each has an open connection when the count begins.
    const limiters = new RequestLimiters(processes);
    const both = [
      connectTestPlatform(platform, { limiters }),
      connectTestPlatform(platform, { limiters }),
    ];
    const { answer } = server;
    server.answer = (_request, response) => response.end();
    for (const one of both) await one.check();
    server.answer = answer;
    server.arrived.length = 0;
    startedCount = performance.now();
    await Promise.all(
      [...both, ...both, ...both].map((one) =>
        one.check({ timeoutMs: 60_000 }),
      ),
    );
  };

  for (const [what, rate, processes] of [
    [
      "spreads requests evenly over all connections with the same key",
      { maxPerSecond: 2 },
      1,
    ],
    ["can depend on the credentials", { perSecond: () => 2 }, 1],
    ["is divided among the processes of a service", { maxPerSecond: 4 }, 2],
  ] as const)
    it(what, async () => {
      await run(asking(rate), processes);
      expect(server.arrived).to.have.length(6);
      // Five gaps of half a second.
      expect(span()).to.be.at.least(5 * clock.pause(500) - 10);
    });

  it("never exceeds the platform's maximum of concurrent requests", async () => {
    const open: ServerResponse[] = [];
    let max = 0;
    // Nobody is answered before two are there.
    server.answer = (_request, response) => {
      open.push(response);
      max = Math.max(max, open.length);
      if (open.length < 2) return;
      for (const one of open.splice(0)) one.end();
    };
    await run(asking({ maxInFlight: 2 }));
    expect(max).to.equal(2);
  });

  for (const [what, batch, person] of [
    ["with the least time left", { timeoutMs: 60_000 }, { timeoutMs: 5000 }],
    [
      "for which someone waits",
      { timeoutMs: 30_000, priority: "normal" },
      { timeoutMs: 60_000, priority: "urgent" },
    ],
  ] as const)
    it(`starts the request ${what} first`, async () => {
      const order: string[] = [];
      const limiters = new RequestLimiters(1);
      const call = (name: string, limits: typeof batch | typeof person) =>
        connectTestPlatform(
          {
            rate: { key: () => "one base", maxInFlight: 1 },
            check: ({ turn }) =>
              turn({}, () => {
                order.push(name);
                return Promise.resolve({});
              }),
          },
          { limiters },
        ).check(limits);
      await Promise.all([
        call("first to come", batch),
        call("a batch", batch),
        call("another batch", batch),
        call("a person", person),
      ]);
      expect(order.indexOf("a person")).to.be.below(order.indexOf("a batch"));
    });

  it("pauses all requests after the platform refused one", async () => {
    server.answer = (_request, response) => {
      const isFirst = server.arrived.length === 1;
      response.writeHead(isFirst ? 429 : 200).end();
    };
    await run(asking({ maxInFlight: 1, cooldownMs: 2000 }));
    const [rejected, next] = server.arrived;
    expect((next?.at ?? 0) - (rejected?.at ?? 0)).to.be.at.least(
      clock.pause(2000) - 5,
    );
    expect(server.arrived).to.have.length(7);
  });

  it("rejects a call at once whose wait would be longer than it may be, also one that waits when a pause begins", async () => {
    const limiters = new RequestLimiters(1);
    const calls = connectTestPlatform(
      {
        rate: { key: () => "one base", maxInFlight: 1, cooldownMs: 600_000 },
        check: async ({ http }) => {
          await http(server.url);
          return {};
        },
      },
      { limiters },
    );
    server.answer = (_request, response) => {
      response.writeHead(429).end();
    };
    const limits = { timeoutMs: 3_600_000, attempts: 1, maxWaitMs: 1000 };
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => calls.check(limits)),
    );
    const arrived = server.arrived.length;
    for (const result of results) {
      if (result.status === "fulfilled") throw new Error("it was accepted");
      expect(result.reason).to.include({ code: "busy" });
      expect(result.reason)
        .to.have.property("retryAfterSeconds")
        .within(1, 600);
    }
    await calls.check(limits).catch(() => undefined);
    expect(server.arrived).to.have.length(arrived);
  });

  it("does not send a request again whose 429 names a used-up quota", async () => {
    server.answer = (_request, response) => {
      response.writeHead(429).end('{"error":"MONTH_IS_OVER"}');
    };
    server.arrived.length = 0;
    const limiters = new RequestLimiters(1);
    const platform = connectTestPlatform(
      {
        rate: {
          key: () => "one base",
          maxInFlight: 1,
          cooldownMs: 60_000,
          quotaErrors: ["MONTH_IS_OVER"],
        },
        check: async ({ http }) => {
          const { status } = await http(server.url);
          return { account: String(status) };
        },
      },
      { limiters },
    );
    expect(await platform.check()).to.include({ account: "429" });
    expect(await platform.check({ maxWaitMs: 1 })).to.include({
      account: "429",
    });
    expect(server.arrived).to.have.length(2);
  });

  for (const [what, method, end, paths] of [
    [
      "lets a call wait that would lose what it has written",
      "POST",
      "written",
      ["/first", "/cell", "/cell"],
    ],
    ...["GET", "HEAD", "OPTIONS"].map(
      (safe) =>
        [
          `rejects a call that writes and has only sent ${safe}`,
          safe,
          "busy",
          ["/first", "/cell"],
        ] as const,
    ),
  ] as const)
    it(what, async () => {
      server.answer = (_request, response) => {
        const isSecond = server.arrived.length === 2;
        response.writeHead(isSecond ? 429 : 200).end();
      };
      server.arrived.length = 0;
      const platform = connectTestPlatform({
        rate: { key: () => "one base", maxInFlight: 1, cooldownMs: 3000 },
        writeBack: async ({ http }) => {
          await http(`${server.url}/first`, { method });
          await http(`${server.url}/cell`, { method: "PATCH" });
          return [];
        },
      });
      const cell = { tableId: "t", recordId: "r", fieldId: "f" };
      const ended = await platform
        .writeBack(cell, [], "append", { maxWaitMs: 100 })
        .then(
          () => "written",
          (error: unknown) => Object(error).code,
        );
      expect(ended).to.equal(end);
      expect(server.arrived.map(({ path }) => path)).to.deep.equal(paths);
    });

  it("leaves one of the requests in flight to others than batches", async () => {
    const open: ServerResponse[] = [];
    server.answer = (_request, response) => void open.push(response);
    server.arrived.length = 0;
    const platform = connectTestPlatform(asking({ maxInFlight: 3 }));
    const calls = Array.from({ length: 5 }, () =>
      platform.check({ timeoutMs: 60_000, priority: "batch" }),
    );
    await eventually(() => open.length === 2);
    const person = platform.check({ timeoutMs: 60_000 });
    await eventually(() => open.length === 3);
    open.pop()?.end();
    await person;
    expect(server.arrived).to.have.length(3);
    server.answer = (_request, response) => response.end();
    for (const response of open) response.end();
    await Promise.all(calls);
  });
});
