import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import {
  fetchingFromLoopback,
  plain,
  useImageServer,
} from "../../support/image-gallery.js";
import { createAsset, rejection } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();

function to(location: string) {
  return (_request: unknown, response: ServerResponse) => {
    response.writeHead(302, { location }).end();
  };
}

/** Sends without end, and notes how much. */
function endless(sent: { bytes: number }, first: Buffer) {
  return (_request: unknown, response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, 7);
    response.writeHead(200, { "content-type": "image/png" }).write(first);
    const more = () => {
      while (!response.destroyed) {
        sent.bytes += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on("drain", more);
    more();
  };
}

describe("a fetched asset", () => {
  const service = useService(
    fetchingFromLoopback({ maxBytes: 1_000_000, maxVideoBytes: 3_000_000 }),
  );
  const sent = { picture: { bytes: 0 }, junk: { bytes: 0 } };
  const server = useImageServer({
    "/a.png": { body: png, headers: { "content-type": "text/html" } },
    "/1": to("/2"),
    "/2": to("/3"),
    "/3": to("/a.png"),
    "/4": to("/1"),
    "/inside": to("http://169.254.169.254/latest/meta-data/"),
    "/picture": endless(sent.picture, png),
    "/junk": endless(sent.junk, Buffer.alloc(5000, "x")),
  });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  it("is detected by its bytes, whatever its server claims, after three redirects", async () => {
    const asset = await createAsset(caller, {
      name: "a",
      fileUrl: server.at("/1"),
    });
    expect(asset).to.include({ mimeType: "image/png", sizeBytes: png.length });
  });

  for (const [description, path, message] of [
    ["four redirects away", "/4", "more than 3 times"],
    ["behind a redirect to a cloud metadata server", "/inside", "not on the"],
    ["missing", "/none.png", "status 404"],
  ] as const)
    it(`is rejected when it is ${description}`, async () => {
      const upload = { name: "a", fileUrl: server.at(path) };
      const { status, error } = await rejection(caller, upload);
      expect(status).to.equal(400);
      expect(error).to.contain(message);
    });

  it("is read only up to the maximum size of its type", async () => {
    const upload = { name: "a", fileUrl: server.at("/picture") };
    const { status, error } = await rejection(caller, upload);
    expect(status).to.equal(413);
    expect(error).to.contain("larger than the limit of 1000000 bytes");
    expect(sent.picture.bytes).to.be.below(20_000_000);
  });

  it("is read no further than its first bytes when these have no known type", async () => {
    const upload = { name: "a", fileUrl: server.at("/junk") };
    const { status, error } = await rejection(caller, upload);
    expect(status).to.equal(400);
    expect(error).to.contain("Unsupported file format");
    expect(sent.junk.bytes).to.be.below(20_000_000);
  });
});
