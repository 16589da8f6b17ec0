import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { describe, it } from "mocha";
import {
  fetchingFromLoopback,
  parseImage,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const pixelBomb = await plain("teal", 400).png().toBuffer();
const small = await plain("teal").png().toBuffer();
const noise = await plain("teal", 70)
  .toColourspace("srgb")
  .png({ compressionLevel: 0 })
  .toBuffer();

const toDataUrl = (png: Buffer) =>
  `data:image/png;base64,${png.toString("base64")}`;

describe("the limits of images", () => {
  const service = useService(
    fetchingFromLoopback({
      maxBytes: 20_000,
      maxTotalBytes: 25_000,
      maxPixels: 10_000,
      maxCount: 3,
    }),
  );
  const gallery = useGallery(service);
  const server = useImageServer({
    "/pixels.png": { body: pixelBomb },
    "/bomb.svg": {
      body: gzipSync(Buffer.alloc(5_000_000, " ")),
      headers: { "content-encoding": "gzip" },
    },
    "/a.png": { body: small },
    "/big1.png": { body: noise },
    "/big2.png": { body: Buffer.concat([noise, Buffer.from(" ")]) },
    "/svg.svg": {
      body: `<svg xmlns="http://www.w3.org/2000/svg"><image href="${toDataUrl(pixelBomb)}"/></svg>`,
    },
  });
  const cases: [name: string, source: () => string, says: string][] = [
    ["pixels", () => server.at("/pixels.png"), "400 × 400 pixels"],
    ["pixels of a data URL", () => toDataUrl(pixelBomb), "400 × 400 pixels"],
    ["pixels inside an svg", () => server.at("/svg.svg"), "400 × 400 pixels"],
    [
      "decompressed bytes",
      () => server.at("/bomb.svg"),
      "larger than 20000 bytes",
    ],
    [
      "the length of the URL",
      () => server.at(`/a.png?${"a".repeat(9000)}`),
      "longer than 8192 characters",
    ],
    ["missing files", () => server.at("/none.png"), "with status 404"],
  ];
  for (const [name, source, message] of cases)
    it(`apply to ${name}, and the rest of the document is rendered`, async () => {
      const { shown, failed } = await gallery.now.show(
        source(),
        server.at("/a.png"),
      );
      expect(failed).to.have.length(1);
      expect(failed[0]?.source).to.equal(source().slice(0, 200));
      expect(failed[0]?.reason).to.contain(message);
      expect(parseImage(shown[0]).type).to.equal("image/svg+xml");
      expect(parseImage(shown[1]).bytes).to.deep.equal(small);
    });

  it("apply to all images of a document together", async () => {
    const urls = ["/big1.png", "/big2.png", "/big1.png"].map((path) =>
      server.at(path),
    );
    const { failed } = await gallery.now.show(...urls);
    expect(failed).to.deep.equal([
      {
        source: urls[1],
        reason: "With this image, the document's images exceed 25000 bytes.",
      },
    ]);
  });

  it("apply to the number of fetches, with each URL counted once", async () => {
    const own = toDataUrl(small);
    const urls = [1, 2, 3, 4].map((number) => server.at(`/a.png?${number}`));
    const { failed } = await gallery.now.show(own, ...urls, ...urls);
    const last = failed.at(-1);
    expect(last?.source).to.equal(urls[3]);
    expect(last?.reason).to.contain("may fetch at most 3 remote images");
    expect(server.requests).not.to.include("/a.png?4");
  });
});

describe("the time limit of images", () => {
  const service = useService(fetchingFromLoopback({ timeoutMs: 300 }));
  const gallery = useGallery(service);
  const server = useImageServer({
    "/stalls.png": (_request, response) => response.write(small.subarray(0, 9)),
  });

  it("applies to a server that stalls, and the rest of the document is rendered", async () => {
    const source = server.at("/stalls.png");
    // An image that is not fetched: on a busy machine, any fetch may take longer than the limit.
    const { shown, failed } = await gallery.now.show(source, toDataUrl(small));
    expect(failed).to.have.length(1);
    expect(failed[0]?.source).to.equal(source);
    expect(failed[0]?.reason).to.contain("within 0.3 s");
    expect(parseImage(shown[0]).type).to.equal("image/svg+xml");
    expect(parseImage(shown[1]).bytes).to.deep.equal(small);
  });
});
