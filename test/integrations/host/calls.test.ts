import { expect } from "chai";
import {
  type EsignProvider,
  Deadline,
  PlatenError,
  PlatformError,
  type PlatformPlugin,
} from "../../../core/plugin-api/index.js";
import { clock } from "../../../core/lib/clock.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { installClock } from "../../support/clock.js";
import { connectedEsign } from "../../support/esign.js";
import {
  connectTestPlatform,
  testPlatform,
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
    expect(fault.message).to.equal(
      `Test: ${new URL(server.url).host} answered 200 with text/html instead of JSON, which may come from a login page or a proxy. Check the connection's address.`,
    );
  });

  it("rejects a response that is not UTF-8, with the position of the byte", async () => {
    server.answer = (_request, response) =>
      response.end(Buffer.from('"Gr\u00f6n"', "latin1"));
    const platform = connectTestPlatform(asks(server.url));
    const fault = await getFault(platform.check({ attempts: 1 }));
    expect(fault.code).to.equal("unavailable");
    expect(fault.message).to.equal(
      `Test: The response of ${new URL(server.url).host} is not UTF-8: the byte 0xF6 at position 3 (the first is 0) is not part of a character. Encode it in UTF-8.`,
    );
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

  it("returns rows for any number of ids, in their order, each once", async () => {
    const batches: number[] = [];
    const platform = connectTestPlatform({
      fetchRows: async (context, scope, ids) => {
        batches.push(ids.length);
        const found = await testPlatform.fetchRows(context, scope, ids);
        return { ...found, rows: found.rows.toReversed() };
      },
    });
    const ids = ["r5", "r1", "r4", "r1", "r2", "r3"];
    const { rows, missing } = await platform.fetchRows({ tableId: "t1" }, ids);
    expect(rows.map(({ id }) => id)).to.deep.equal([
      "r5",
      "r1",
      "r4",
      "r2",
      "r3",
    ]);
    expect(missing).to.deep.equal([]);
    expect(batches).to.have.members([1, 2, 2]);
  });

  it("is refused for rows of a view when the platform cannot list any", async () => {
    const platform = connectTestPlatform({});
    const deadline = Deadline.after(1000);
    const pages = platform.listRows(
      { tableId: "t1" },
      { viewId: "v" },
      deadline,
    );
    expect(await getFault(pages.next())).to.include({
      code: "invalid_request",
      message:
        "Test: it cannot select records by a view or a filter. Send recordIds.",
    });
    deadline.clear();
  });
});

const calling = (changes: Partial<EsignProvider>) =>
  connectedEsign<unknown>({ ...demoEsignPlugin, ...changes }, {});

describe("a call of an e-signature provider", () => {
  it("is repeated while the provider is down if it only reads", async () => {
    let looks = 0;
    const find = () => {
      looks += 1;
      return looks < 3
        ? Promise.reject(new PlatformError("unavailable", "down."))
        : Promise.resolve({ externalId: "e1", signers: [] });
    };
    expect((await calling({ find }).find("r1"))?.externalId).to.equal("e1");
  });

  it("is refused for what the provider cannot do", async () => {
    const capabilities = { ...demoEsignPlugin.capabilities, cancel: false };
    const provider = calling({ capabilities });
    for (const [call, message] of [
      [provider.resend("e1"), "signers cannot be reminded from here."],
      [provider.cancel("e1"), "a request cannot be canceled from here."],
    ] as const)
      expect(await getFault(call)).to.include({
        code: "invalid_request",
        message: `${demoEsignPlugin.meta.title}: ${message}`,
      });
  });

  it("ignores a notice for which the plugin throws", async () => {
    const provider = calling({
      parseNotice: () => {
        throw new TypeError("x is undefined");
      },
    });
    const raw = { body: new Uint8Array(), headers: {}, receivedAt: new Date() };
    expect(await provider.parseNotice(raw)).to.equal(null);
  });
});
