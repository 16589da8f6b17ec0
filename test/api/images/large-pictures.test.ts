import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { parseImage, plain, useGallery } from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const photo = await plain("teal", 6000, 4000).png().toBuffer();

describe("an image with more pixels than print can show", () => {
  const service = useService();
  const gallery = useGallery(service);

  it("is scaled down in proportion", async () => {
    const source = `data:image/png;base64,${photo.toString("base64")}`;
    const { shown } = await gallery.now.show(source);
    const { width, height, format } = await sharp(
      parseImage(shown[0]).bytes,
    ).metadata();
    expect({ width, height, format }).to.deep.equal({
      width: 4899,
      height: 3266,
      format: "png",
    });
  });
});
