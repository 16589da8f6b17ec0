import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { describe, it } from "mocha";
import type { PlatformPlugin } from "../../../core/plugin-api/index.js";
import { RequestLimiters } from "../../../core/integrations/host/index.js";
import { usePlatformServer } from "../../support/records.js";
import { connectTestPlatform } from "../../support/records.js";

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
  let begun = 0;
  /** From before the first was sent until the last arrived, in milliseconds: a busy machine only makes it longer. */
  const span = () => (server.arrived.at(-1)?.at ?? 0) - begun;
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
    begun = performance.now();
    await Promise.all(
      [...both, ...both, ...both].map((one) =>
        one.check({ timeoutMs: 60_000 }),
      ),
    );
  };

  it("spreads requests evenly over all connections with the same key", async () => {
    await run(asking({ maxPerSecond: 10 }));
    expect(server.arrived).to.have.length(6);
    // Five gaps of 100 ms.
    expect(span()).to.be.at.least(490);
  });

  it("can depend on the credentials", async () => {
    await run(asking({ perSecond: () => 10 }));
    expect(span()).to.be.at.least(490);
  });

  it("is divided among the processes of a service", async () => {
    await run(asking({ maxPerSecond: 20 }), 2);
    expect(span()).to.be.at.least(490);
  });

  it("never exceeds the platform's maximum of concurrent requests", async () => {
    const open: ServerResponse[] = [];
    let most = 0;
    // Nobody is answered before two are there.
    server.answer = (_request, response) => {
      open.push(response);
      most = Math.max(most, open.length);
      if (open.length < 2) return;
      for (const one of open.splice(0)) one.end();
    };
    await run(asking({ maxInFlight: 2 }));
    expect(most).to.equal(2);
  });

  it("starts the request with the least time left first", async () => {
    const order: string[] = [];
    const limiters = new RequestLimiters(1);
    const named = (name: string, timeoutMs: number) =>
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
      ).check({ timeoutMs });
    await Promise.all([
      named("first to come", 60_000),
      named("a batch", 60_000),
      named("another batch", 60_000),
      named("a person", 5000),
    ]);
    expect(order.indexOf("a person")).to.be.below(order.indexOf("a batch"));
  });

  it("pauses all requests after the platform refused one", async () => {
    server.answer = (_request, response) => {
      const isFirst = server.arrived.length === 1;
      response.writeHead(isFirst ? 429 : 200).end();
    };
    await run(asking({ maxInFlight: 1, cooldownMs: 300 }));
    const [refused, next] = server.arrived;
    expect((next?.at ?? 0) - (refused?.at ?? 0)).to.be.at.least(290);
    expect(server.arrived).to.have.length(7);
  });
});
