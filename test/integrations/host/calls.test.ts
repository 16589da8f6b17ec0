import { expect } from "chai";
import { describe, it } from "mocha";
import {
  PlatenError,
  PlatformError,
  type PlatformPlugin,
} from "../../../core/plugin-api/index.js";
import { clock } from "../../../core/lib/clock.js";
import { findPlatformError } from "../../../core/integrations/host/index.js";
import { installClock } from "../../support/clock.js";
import {
  connectTestPlatform,
  usePlatformServer,
} from "../../support/records.js";

/** What a call ended with. */
async function getFault(call: Promise<unknown>): Promise<PlatenError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PlatenError) return error;
  throw new Error(`expected a PlatenError, got ${String(error)}`);
}

const asks = (url: string): Partial<PlatformPlugin> => ({
  check: async ({ json }) => {
    const { status, body } = await json(url);
    if (status === 503) throw new PlatformError("unavailable", "it is down.");
    if (status === 429) throw new PlatformError("rate_limited", "too often.");
    return { account: String(body) };
  },
});

describe("a call of a plugin", () => {
  const server = usePlatformServer();

  it("rejects a page instead of JSON", async () => {
    server.answer = (_request, response) =>
      response.setHeader("content-type", "text/html").end("<html>");
    const platform = connectTestPlatform(asks(server.url));
    const fault = await getFault(platform.check({ attempts: 1 }));
    expect(fault.code).to.equal("unavailable");
    expect(fault.message).to.include("text/html instead of JSON");
  });

  it("is repeated while the platform is down", async () => {
    let requestCount = 0;
    server.answer = (_request, response) => {
      requestCount += 1;
      response.writeHead(requestCount < 3 ? 503 : 200).end('"Ada"');
    };
    const info = await connectTestPlatform(asks(server.url)).check();
    expect(info.account).to.equal("Ada");
    expect(requestCount).to.equal(3);
  });

  it("is repeated after a connection reset", async () => {
    let requestCount = 0;
    server.answer = (request, response) => {
      requestCount += 1;
      if (requestCount === 1) request.socket.destroy();
      else response.end('"Ada"');
    };
    const info = await connectTestPlatform(asks(server.url)).check();
    expect(info.account).to.equal("Ada");
  });

  it("sends a request again after the wait that a 429 names", async () => {
    let requestCount = 0;
    server.answer = (_request, response) => {
      requestCount += 1;
      if (requestCount === 1)
        response.writeHead(429, { "retry-after": "2" }).end("{}");
      else response.end('"Ada"');
    };
    await connectTestPlatform(asks(server.url)).check();
    const [first, second] = server.arrived.slice(-2).map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).to.be.at.least(clock.pause(2000) - 5);
  });

  it("fails immediately if the platform's wait exceeds the timeout", async () => {
    server.answer = (_request, response) =>
      response.writeHead(429, { "retry-after": "3600" }).end("{}");
    const restore = installClock({});
    const call = getFault(connectTestPlatform(asks(server.url)).check());
    const fault = await call.finally(restore);
    expect(fault.code).to.equal("busy");
    expect(fault.retryAfterSeconds).to.be.within(3590, 3600);
  });

  it("times out if the platform stalls in its response body", async () => {
    server.answer = (_request, response) =>
      response.writeHead(200, { "content-length": "100" }).write("{");
    const platform = connectTestPlatform(asks(server.url));
    const fault = await getFault(platform.check({ timeoutMs: 300 }));
    expect(fault.code).to.equal("unavailable");
  });

  it("times out if the plugin never returns", async () => {
    const platform = connectTestPlatform({
      check: () => new Promise(() => undefined),
    });
    const fault = await getFault(platform.check({ timeoutMs: 100 }));
    expect(fault.message).to.equal(
      'Test: "check" did not finish within 0.1 s. Try again.',
    );
  });

  it("ends when its job is stopped", async () => {
    const platform = connectTestPlatform({
      check: () => new Promise(() => undefined),
    });
    const stop = new AbortController();
    const call = getFault(platform.check({ signal: stop.signal }));
    stop.abort();
    expect((await call).message).to.equal('Test: "check" was stopped.');
  });

  it("cannot reach private networks", async () => {
    const platform = connectTestPlatform(asks(server.url), { allowed: [] });
    const fault = await getFault(platform.check());
    expect(fault.code).to.equal("invalid_request");
    expect(fault.message).to.equal(
      "Test: 127.0.0.1 is not on the public internet. The operator of the service can allow its network with PLATEN_ALLOW_PRIVATE_NETWORKS.",
    );
  });

  it("names the plugin and the method, but not the message, of an unexpected error", async () => {
    const platform = connectTestPlatform({
      check: () => Promise.reject(new TypeError("token s3cret")),
    });
    const fault = await getFault(platform.check());
    expect(fault.code).to.equal("internal");
    expect(fault.message).to.equal(
      "The plugin test failed in check: it threw a TypeError instead of a PlatformError. This is a bug in the plugin: update it or report it to its author.",
    );
    expect(fault.message).to.not.contain("s3cret");
  });

  it("recognizes a PlatformError of another class by its name and code", async () => {
    const error = Object.assign(new Error("may not read."), {
      name: "PlatformError",
      code: "forbidden",
    });
    const check = () => Promise.reject(error);
    const fault = await getFault(connectTestPlatform({ check }).check());
    expect(fault.code).to.equal("invalid_request");
    expect(fault.message).to.equal("Test: may not read.");
    expect(findPlatformError(fault)?.code).to.equal("forbidden");
  });

  it("rejects an invalid result and says where it is invalid", async () => {
    const changes: Partial<PlatformPlugin> = {};
    // The compiler would not let a plugin do this; one in JavaScript can.
    Object.assign(changes, { describe: () => Promise.resolve([{ id: "t1" }]) });
    const fault = await getFault(connectTestPlatform(changes).describe());
    expect(fault.message).to.equal(
      "The plugin test failed in describe: it returned an invalid result at $.0.name: Invalid input: expected string, received undefined. This is a bug in the plugin: update it or report it to its author.",
    );
  });
});
