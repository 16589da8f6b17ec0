import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { exported, useService } from "../../support/service.js";
import {
  fetchingFromLoopback,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";

/** Nothing that could be compressed. */
const photo = await sharp({
  create: {
    width: 1700,
    height: 1700,
    channels: 3,
    background: "#fff",
    noise: { type: "gaussian", mean: 128, sigma: 60 },
  },
})
  .png()
  .toBuffer();

describe("a document of many megabytes of images", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const server = useImageServer({ "/photo.png": { body: photo } });

  it("is printed, because images have limits of their own", async () => {
    expect(photo.length).to.be.above(8 * 1024 * 1024);
    const { result, headers } = await exported(gallery.now.caller, {
      templateId: gallery.now.templateId,
      formats: ["pdf"],
      data: { images: [{ src: server.at("/photo.png") }] },
    });
    expect(headers.get("x-render-warnings")).to.equal("0");
    expect(result.pdf?.sizeBytes).to.be.above(1_000_000);
  });
});
