import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import {
  fetchingFromLoopback,
  parseImage,
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

const pixels = Buffer.from(
  Array.from({ length: 90 * 70 * 3 }, (_, at) => (at * 7919) % 251),
);
const noise = () =>
  sharp(pixels, { raw: { width: 90, height: 70, channels: 3 } });

/** Whole images; the end of each is missing. */
const whole = {
  "image/png": await noise().png().toBuffer(),
  "image/jpeg": await noise().jpeg().toBuffer(),
  "image/jpeg?progressive": await noise()
    .withExif({ IFD0: { Artist: "Ada" } })
    .jpeg({ progressive: true })
    .toBuffer(),
  "image/gif": await noise().gif().toBuffer(),
  "image/webp": await noise().webp().toBuffer(),
  "image/avif": await noise().avif().toBuffer(),
  "image/svg+xml": Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  ),
};

/** How many bytes are there of each. */
const cuts: Record<string, (length: number) => number> = {
  "has half of its bytes": (length) => Math.floor(length / 2),
  "lacks its last 20 bytes": (length) => length - 20,
  "lacks its last byte": (length) => length - 1,
};

const dataUrl = (type: string, bytes: Buffer) =>
  `data:${type};base64,${bytes.toString("base64")}`;

describe("a truncated image", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const shortened = Object.entries(whole).flatMap(([type, bytes]) =>
    Object.entries(cuts).map(([cut, getLength]) => ({
      name: `${type} ${cut}`,
      type: type.split("?")[0] ?? "",
      body: bytes.subarray(0, getLength(bytes.length)),
    })),
  );
  const server = useImageServer(
    Object.fromEntries(
      shortened.map(({ name, body }) => [
        `/${encodeURIComponent(name)}`,
        { body },
      ]),
    ),
  );
  for (const { name, type, body } of shortened)
    it(`is reported, and a placeholder is shown: ${name}`, async () => {
      const url = server.at(`/${encodeURIComponent(name)}`);
      const { shown, failed } = await gallery.now.show(
        url,
        dataUrl(type, body),
      );
      expect(failed).to.have.length(2);
      for (const { reason } of failed)
        expect(reason).to.match(
          /^The image is incomplete: its data ends early\.|SVG is damaged/,
        );
      for (const address of shown)
        expect(parseImage(address).bytes.toString()).to.contain("Picture");
    });

  it("is shown when it is whole, also with other bytes after its end", async () => {
    for (const [type, bytes] of Object.entries(whole)) {
      const longer = Buffer.concat([bytes, Buffer.from("\n\n\n")]);
      for (const body of [bytes, longer]) {
        const url = dataUrl(type.split("?")[0] ?? "", body);
        const { failed } = await gallery.now.show(url);
        expect(failed, type).to.deep.equal([]);
      }
    }
  });

  it("fails the render when the request requires images, or is strict", async () => {
    const { caller, templateId } = gallery.now;
    const png = whole["image/png"].subarray(0, 300);
    const request = {
      templateId,
      formats: ["html"],
      data: { images: [{ src: dataUrl("image/png", png) }] },
    };
    for (const options of [
      { renderOptions: { failedAssets: "fail" } },
      { strict: true },
    ]) {
      const response = await caller.post("/api/export", {
        ...request,
        ...options,
      });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.contain("its data ends early");
    }
  });

  for (const { name, body } of shortened)
    it(`is rejected as an asset: ${name}`, async () => {
      const response = await gallery.now.caller.post("/api/assets", {
        name: "logo",
        base64Data: body.toString("base64"),
      });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.match(/incomplete|damaged/);
    });
});

describe("a fetched image", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const headers = { "content-type": "image/png" };
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
        { body, headers },
      ]),
    ),
  });

  for (const type of Object.keys(good))
    it(`is detected as ${type} by its content, whatever its name`, async () => {
      const url = server.at(`/${type}.txt`);
      const { shown, failed } = await gallery.now.show(url);
      expect(failed).to.deep.equal([]);
      expect(parseImage(shown[0]).type).to.equal(type);
    });

  for (const name of Object.keys(bad))
    it(`is rejected when it is ${name}`, async () => {
      const url = server.at(`/${encodeURIComponent(name)}`);
      const { shown, failed } = await gallery.now.show(url);
      expect(failed).to.have.length(1);
      expect(failed[0]?.reason).to.match(
        /Unsupported image format|damaged|incomplete/,
      );
      expect(parseImage(shown[0]).bytes.toString()).to.contain("Picture");
    });
});
