import { expect } from "chai";
import { describe, it } from "mocha";
import {
  fetchingFromLoopback,
  imageOf,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>';
const good = {
  "image/png": await plain("teal").png().toBuffer(),
  "image/jpeg": await plain("teal").jpeg().toBuffer(),
  "image/gif": await plain("teal").gif().toBuffer(),
  "image/webp": await plain("teal").webp().toBuffer(),
  "image/avif": await plain("teal").avif().toBuffer(),
  "image/svg+xml": Buffer.from(svg),
};
const bad = {
  html: "<!doctype html><svg></svg>",
  tiff: await plain("teal").tiff().toBuffer(),
  empty: "",
  "half a png": good["image/png"].subarray(0, 12),
  "a truncated svg": "<svg",
};

describe("a fetched image", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const lie = { "content-type": "image/png" };
  const server = useImageServer({
    ...Object.fromEntries(
      Object.entries(good).map(([type, body]) => [
        `/${type}.txt`,
        { body, headers: { "content-type": "text/plain" } },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(bad).map(([name, body]) => [
        `/${encodeURIComponent(name)}`,
        { body, headers: lie },
      ]),
    ),
  });

  for (const type of Object.keys(good))
    it(`is detected as ${type} by its content, whatever its name`, async () => {
      const url = server.at(`/${type}.txt`);
      const { shown, failed } = await gallery.now.show(url);
      expect(failed).to.deep.equal([]);
      expect(imageOf(shown[0]).type).to.equal(type);
    });

  for (const name of Object.keys(bad))
    it(`is rejected when it is ${name}`, async () => {
      const url = server.at(`/${encodeURIComponent(name)}`);
      const { shown, failed } = await gallery.now.show(url);
      expect(failed).to.have.length(1);
      expect(failed[0]?.reason).to.match(/Unsupported image format|damaged/);
      expect(imageOf(shown[0]).bytes.toString()).to.contain("Picture");
    });
});
