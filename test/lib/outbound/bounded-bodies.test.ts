import { gzipSync } from "node:zlib";
import { expect } from "chai";
import {
  limits,
  outboundTo,
  getRejection,
  useServer,
} from "./outbound-calls.js";

const bomb = gzipSync(Buffer.alloc(50_000_000));

describe("the body of a response", () => {
  const server = useServer((request, response) => {
    if (request.url === "/bomb")
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    else if (request.url === "/drip") {
      response.write("a");
      const interval = setInterval(() => response.write("a"), 20);
      response.on("close", () => clearInterval(interval));
    } else if (request.url === "/cut") {
      response.writeHead(200, { "content-length": "10" }).write("a");
      setImmediate(() => response.destroy());
    } else if (request.url === "/endless") {
      const more = () => {
        while (response.write("a".repeat(10_000)));
        response.once("drain", more);
      };
      more();
    }
    // Anything else is never answered.
  });
  const outbound = outboundTo();
  after(() => outbound.close());
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

  it("is limited by its decompressed size", async () => {
    expect(bomb.length).to.be.below(limits.maxBytes);
    const error = await getRejection(outbound.fetch(at("/bomb"), limits));
    expect(error.code).to.equal("too_large");
  });

  it("can be truncated instead of rejected", async () => {
    for (const path of ["/bomb", "/endless"]) {
      const call = { ...limits, whenLarger: "cut" as const };
      const { body, isCut } = await outbound.fetch(at(path), call);
      expect({ length: body.length, isCut }).to.deep.equal({
        length: limits.maxBytes,
        isCut: true,
      });
    }
  });

  for (const path of ["/drip", "/never"])
    it(`must arrive before the deadline: ${path}`, async () => {
      const call = { ...limits, timeoutMs: 200 };
      const error = await getRejection(outbound.fetch(at(path), call));
      expect(error.code).to.equal("timeout");
    });

  it("must be complete", async () => {
    const error = await getRejection(outbound.fetch(at("/cut"), limits));
    expect(error.code).to.equal("unavailable");
    expect(error.message).to.contain("the connection was closed");
  });

  it("is no longer awaited after the caller cancels", async () => {
    const controller = new AbortController();
    const call = { ...limits, signal: controller.signal };
    const fetched = outbound.fetch(at("/never"), call);
    controller.abort();
    expect((await getRejection(fetched)).code).to.equal("timeout");
  });
});
