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
      const answer = await caller.post("/api/export", {
        ...job,
        renderOptions,
      });
      expect(answer.status).to.equal(400);
      expect(await answer.text()).to.include(`$.renderOptions.${field}`);
    }
  });
});
