import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain, createVideo } from "../../support/image-gallery.js";
import { libraryReplies } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();
const maxVideoBytes = 24 * 1024 * 1024;

describe("a request body that is the file itself", () => {
  const { assets } = parseConfig({});
  const service = useService({
    config: { assets: { ...assets, maxVideoBytes } },
  });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const send = (
    query: string,
    body: Uint8Array | string,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${service.url}/api/assets${query}`, {
      method: "POST",
      headers: { "x-api-key": caller.key, ...headers },
      body,
    });

  for (const type of [
    "application/octet-stream",
    "image/png",
    // What curl says of --data-binary.
    "application/x-www-form-urlencoded",
  ])
    it(`is accepted as a stream: ${type}`, async () => {
      const query = `?name=${encodeURIComponent(type)}&assetType=image`;
      const answer = await send(query, png, { "content-type": type });
      const asset = await libraryReplies.asset(answer, 201);
      expect(asset).to.include({ name: type, mimeType: "image/png" });
    });

  for (const [description, query, body, headers, message] of [
    ["a missing name", "", png, {}, "1 to 255"],
    [
      "an empty file",
      "?name=a",
      "",
      { "content-type": "image/png" },
      "is empty",
    ],
    [
      "compression",
      "?name=a",
      png,
      { "content-encoding": "gzip" },
      "without content-encoding",
    ],
    ["an unknown parameter", "?name=a&folder=b", png, {}, "folder"],
    ["an unknown folder", "?name=a&folderId=b", png, {}, "$.folderId"],
  ] as const)
    it(`is rejected with ${description}`, async () => {
      const answer = await send(query, body, headers);
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.contain(message);
    });

  it("can be a large video, which is not held in memory", async () => {
    const video = await createVideo("mp4", { bytesPerFrame: 1_100_000 });
    expect(video.length).to.be.above(21_000_000);
    const answer = await send("?name=large", video);
    const asset = await libraryReplies.asset(answer, 201);
    expect(asset.sizeBytes).to.equal(video.length);
  });

  it("is read only up to the maximum size, however long it is", async () => {
    const folder = join(service.dataFolder, "long");
    const file = await open(folder, "w");
    const head = await createVideo("mp4");
    await file.write(head);
    await file.truncate(maxVideoBytes * 4);
    await file.close();
    const { status, error } = await sendStream(folder);
    expect(status).to.equal(413);
    expect(error).to.contain("PLATEN_VIDEO_MAX_BYTES");
  });

  function sendStream(
    path: string,
  ): Promise<{ status: number; error: string }> {
    return new Promise((resolve, reject) => {
      const headers = { "x-api-key": caller.key };
      const url = `${service.url}/api/assets?name=long`;
      const sending = request(url, { method: "POST", headers }, (answer) => {
        let error = "";
        answer.setEncoding("utf8");
        answer.on("data", (text: string) => (error += text));
        answer.on("end", () => {
          sending.destroy();
          resolve({ status: answer.statusCode ?? 0, error });
        });
      });
      sending.on("error", reject);
      createReadStream(path).pipe(sending);
    });
  }
});
