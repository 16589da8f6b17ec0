import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { plain, createVideo } from "../../support/image-gallery.js";
import { uploadBytes, type AssetReply } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();

describe("the URL of an asset", () => {
  const service = useService();
  let caller: TestCaller;
  let image: AssetReply;
  let video: AssetReply;
  before(async () => {
    caller = await newCaller(service);
    image = await uploadBytes(caller, "logo.png", png);
    video = await uploadBytes(caller, "clip", await createVideo("mp4"));
  });

  it("returns the file to everybody, cached permanently, with headers that prevent scripts", async () => {
    const response = await fetch(image.url);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).to.equal(
      true,
    );
    const headers = Object.fromEntries(response.headers);
    expect(headers).to.include({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(headers["content-security-policy"]).to.match(
      /^sandbox; default-src 'none'/,
    );
  });

  it("returns 304 to clients that have the file", async () => {
    const first = await fetch(image.url, { method: "HEAD" });
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("content-length")).to.equal(String(png.length));
    const again = await fetch(image.url, {
      headers: { "if-none-match": etag, "cache-control": "max-age=0" },
    });
    expect(again.status).to.equal(304);
  });

  it("returns a range of a video", async () => {
    const headers = { range: "bytes=4-7" };
    const response = await fetch(video.url, { headers });
    expect(response.status).to.equal(206);
    expect(await response.text()).to.equal("ftyp");
    const beyond = { range: "bytes=99999999-" };
    const none = await fetch(video.url, { headers: beyond });
    expect(none.status).to.equal(416);
  });

  it("returns a video's preview image in its proportions", async () => {
    const response = await fetch(video.urls.poster ?? "");
    expect(response.headers.get("content-type")).to.equal("image/png");
    const poster = sharp(Buffer.from(await response.arrayBuffer()));
    expect(await poster.metadata()).to.include({ width: 1280, height: 720 });
  });

  it("cannot be guessed, altered or used for another type", async () => {
    const changed = image.url.replace(/.(\.png)$/, "_$1");
    for (const url of [
      changed,
      image.url.replace(/png$/, "svg"),
      image.url.replace(/\.png$/, ".poster.png"),
      image.url.replace(/[^/]*$/, "..%2f..%2fetc%2fpasswd"),
    ])
      expect((await fetch(url)).status, url).to.equal(404);
  });

  it("is the same for the same file, and different in another organization", async () => {
    const copy = await uploadBytes(caller, "copy.png", png);
    expect(copy.id).not.to.equal(image.id);
    expect(copy.url).to.equal(image.url);
    const other = await newCaller(service);
    const foreign = await uploadBytes(other, "logo.png", png);
    expect(foreign.checksum).to.equal(image.checksum);
    expect(foreign.url).not.to.equal(image.url);
  });

  it("returns an svg without scripts, because they were never stored", async () => {
    const svg = Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' +
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script>' +
        "<foreignObject><p>html</p></foreignObject><text>&x;</text>" +
        '<image href="https://evil.example/a.png"/><path d="M0 0L9 9"/></svg>',
    );
    const { url, checksum } = await uploadBytes(caller, "drawing", svg);
    const text = await (await fetch(url)).text();
    expect(text).to.contain('d="M0 0L9 9"');
    expect(text).not.to.match(/alert|html|evil|root:|DOCTYPE/);
    const etag = (await fetch(url)).headers.get("etag");
    expect(checksum).to.equal(`sha256:${etag?.replaceAll('"', "")}`);
  });
});
