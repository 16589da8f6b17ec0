import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { createAsset, base64, libraryReplies } from "../../support/assets.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";

function getLast(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

describe("the log of the library", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });

  it("contains no upload link, no URL of a file and none of its bytes", async () => {
    const caller = await newCaller(service);
    const png = await plain("teal").png().toBuffer();
    const base64Data = base64(png);
    const asset = await createAsset(caller, { name: "a", base64Data });
    await fetch(asset.url);
    const response = await caller.post("/api/assets/upload-link", {
      name: "b",
    });
    const { uploadUrl } = await libraryReplies.uploadLink(response, 201);
    for (const status of [201, 410]) {
      const sent = await fetch(uploadUrl, { method: "PUT", body: png });
      expect(sent.status).to.equal(status);
    }
    const path = { name: "c", filePath: "/etc/passwd" };
    await caller.post("/api/assets", path);

    const written = text();
    expect(written).to.match(/"path":"\/uploads\/…","status":410/);
    expect(written).to.match(/"path":"\/cdn\/….png","status":200/);
    for (const secret of [getLast(uploadUrl), getLast(asset.url), base64Data])
      expect(written).not.to.contain(secret);
    expect(written).not.to.contain("--upload-file");
  });
});
