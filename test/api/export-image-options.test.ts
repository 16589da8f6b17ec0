import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const definition = {
  schema: [],
  page: { size: "Custom", width: "400px", height: "300px", margin: "20px" },
  components: [
    { type: "text", text: "One" },
    { type: "page-break" },
    { type: "text", text: "Two" },
  ],
};

const METERS_PER_INCH = 0.0254;

/** Pixels per inch, across and down, as the file says. */
function readDensity(image: Buffer): number[] {
  if (image[0] === 0xff) {
    expect(image.toString("latin1", 6, 10)).to.equal("JFIF");
    expect(image[13]).to.equal(1);
    return [image.readUInt16BE(14), image.readUInt16BE(16)];
  }
  const at = image.indexOf("pHYs");
  expect(at).to.be.within(0, image.indexOf("IDAT"));
  expect(image.readUInt8(at + 12)).to.equal(1);
  return [image.readUInt32BE(at + 4), image.readUInt32BE(at + 8)].map(
    (perMeter) => Math.round(perMeter * METERS_PER_INCH * 10) / 10,
  );
}

describe("images of a document", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, { definition });
  });

  async function picture(renderOptions: object, imageType = "png") {
    const job = { templateId, formats: ["image"], imageType, renderOptions };
    const { result } = await exported(caller, job);
    const file = await fetch(result.image?.url ?? "");
    const bytes = Buffer.from(await file.arrayBuffer());
    return { bytes, ...(await sharp(bytes).metadata()) };
  }

  it("have the requested number of pixels per CSS pixel", async () => {
    for (const deviceScaleFactor of [0.5, 1, 3]) {
      const { width, height } = await picture({ deviceScaleFactor });
      expect(width).to.be.closeTo(400 * deviceScaleFactor, 3);
      expect(height).to.be.closeTo(300 * deviceScaleFactor, 3);
    }
  });

  for (const imageType of ["png", "jpg"])
    it(`say how many pixels an inch has, so that ${imageType} files have the size of the paper`, async () => {
      for (const deviceScaleFactor of [undefined, 0.5, 1, 3, 8]) {
        const image = await picture({ deviceScaleFactor }, imageType);
        const dpi = 96 * (deviceScaleFactor ?? 2);
        expect(readDensity(image.bytes)).to.deep.equal([dpi, dpi]);
        expect((image.width / dpi) * 96).to.be.closeTo(400, 3);
        expect((image.height / dpi) * 96).to.be.closeTo(300, 3);
      }
      const single = { singleImage: true, deviceScaleFactor: 1 };
      const { bytes } = await picture(single, imageType);
      expect(readDensity(bytes)).to.deep.equal([96, 96]);
    });

  it("have one density each, and stay readable", async () => {
    const { bytes } = await picture({ deviceScaleFactor: 1.5 });
    expect(bytes.toString("latin1").split("pHYs")).to.have.length(2);
    const { info } = await sharp(bytes, { failOn: "warning" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).to.deep.equal([600, 450]);
  });

  it("have fewer bytes at a lower quality", async () => {
    const [low, high] = await Promise.all([
      picture({ quality: 20 }, "jpg"),
      picture({ quality: 95 }, "jpg"),
    ]);
    expect(low.format).to.equal("jpeg");
    expect(low.bytes.length).to.be.below(high.bytes.length);
  });

  it("are one image of all requested pages with singleImage", async () => {
    const all = await picture({ singleImage: true, deviceScaleFactor: 1 });
    expect(all.height).to.be.closeTo(600, 4);
    const one = { singleImage: true, pages: "2", deviceScaleFactor: 1 };
    expect((await picture(one)).height).to.be.closeTo(300, 3);
  });

  it("are rejected with an unsupported scale or quality", async () => {
    for (const [field, value] of [
      ["deviceScaleFactor", 0],
      ["quality", 101],
    ] as const) {
      const job = { templateId, formats: ["image"] };
      const renderOptions = { [field]: value };
      const response = await caller.post("/api/export", {
        ...job,
        renderOptions,
      });
      expect(response.status).to.equal(400);
      expect(await response.text()).to.include(`$.renderOptions.${field}`);
    }
  });
});
