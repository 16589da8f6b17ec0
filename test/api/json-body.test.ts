import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

const maxBodyBytes = 100_000;

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

describe("the body of a request", () => {
  const service = useService({ config: { maxBodyBytes } });
  let caller: TestCaller;
  const send = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: {
        "x-api-key": caller.key,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });
  const rejection = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    return `${response.status} ${await readError(response)}`;
  };

  before(async () => {
    caller = await newCaller(service);
  });

  for (const [body, where] of [
    ['{ "templateId": abc }', "line 1, column 17"],
    ['{\n "templateId": "a",\n}', "line 3, column 1"],
    ['{ "templateId": "a"', "line 1, column 20"],
    ['{ "a": 1 }}', "line 1, column 11"],
    ["nope", "line 1, column 1"],
    ['{ "a": "\u0001" }', "line 1, column 8"],
  ] as const)
    it(`is rejected at ${where} when it is not JSON: ${JSON.stringify(body)}`, async () => {
      const text = await rejection(body);
      expect(text).to.match(/^400 The body is not valid JSON: /);
      expect(text).to.contain(where);
    });

  it("must have the content type of JSON", async () => {
    const headers = { "content-type": "text/plain" };
    expect(await rejection("{}", headers)).to.match(/^400 .*application\/json/);
  });

  it("is treated as empty when it is missing, so that required fields are reported", async () => {
    const text = await rejection("");
    expect(text).to.contain("$.templateId: is required");
    expect(text).to.contain("$.formats: is required");
  });

  it("is rejected over the limit, compressed or not, and the next request succeeds", async () => {
    const large = JSON.stringify({ a: "x".repeat(maxBodyBytes * 30) });
    const packed = new Uint8Array(gzipSync(large));
    expect(packed.byteLength).to.be.below(maxBodyBytes);
    expect(await rejection(large)).to.match(/^413 .*100000 bytes/);
    expect(await rejection(packed, { "content-encoding": "gzip" })).to.match(
      /^413 /,
    );
    expect(await rejection("{}")).to.match(/^400 /);
  });

  it("can be compressed, but only with a known encoding", async () => {
    const packed = new Uint8Array(gzipSync("{}"));
    const gzip = { "content-encoding": "gzip" };
    expect(await rejection(packed, gzip)).to.contain("$.formats: is required");
    expect(await rejection("{}", gzip)).to.match(/^400 The body could not/);
    expect(await rejection("{}", { "content-encoding": "zip" })).to.match(
      /^400 /,
    );
  });

  it("must not be nested deeper than 300 levels, valid or not", async () => {
    expect(await rejection(deep(301))).to.match(/^400 .*deeper than 300/);
    expect(await rejection(deep(299))).to.contain("$.a: unknown field");
    expect(await rejection("[".repeat(90_000))).to.match(/^400 /);
  });
});
