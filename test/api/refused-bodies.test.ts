import { Readable } from "node:stream";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { Agent } from "undici";
import { parseConfig } from "../../config/index.js";
import { newBatchCaller } from "../support/batches.js";
import type { TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

const { maxBodyBytes } = parseConfig({ PLATEN_MAX_BODY_BYTES: "1000000" });

describe("a body that is rejected before its end", () => {
  const service = useService({ role: "serve", config: { maxBodyBytes } });
  const connection = new Agent({ connections: 1 });
  let caller: TestCaller;
  before(async () => {
    caller = await newBatchCaller(service);
  });
  after(() => connection.close());

  async function send(method: "GET" | "POST", path: string, body = "") {
    const headers = {
      "x-api-key": caller.key,
      "content-type": "application/json",
    };
    const response = await connection.request({
      origin: service.url,
      method,
      path,
      headers,
      body: body === "" ? null : Readable.from([body]),
    });
    await response.body.dump();
    return response.statusCode;
  }

  const rest = "x".repeat(4_000_000);
  for (const [path, body, status] of [
    ["/api/export/batch", `{"items":[}]${rest}`, 400],
    ["/api/export/batch", `{"items":[{"data":"${rest}"}]}`, 413],
    ["/api/export", `{"data":"${rest}"}`, 413],
  ] as const)
    it(`keeps the connection of ${path} usable after ${status}`, async () => {
      expect(await send("POST", path, body)).to.equal(status);
      expect(await send("GET", "/api/templates")).to.equal(200);
    });
});
