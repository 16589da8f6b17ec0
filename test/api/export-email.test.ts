import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const texts = Array.from({ length: 60 }, (_, n) => ({
  type: "text",
  text: `Line ${n}`,
}));
const definition = {
  schema: [{ id: "root", fields: [] }],
  email: { subject: "Hello" },
  components: [
    { type: "section", components: [{ type: "column", components: texts }] },
  ],
};

/** Of a png, in pixels. */
async function fetchSize(url = "") {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

describe("an email template", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, {
      templateType: "email",
      definition,
    });
  });

  it("is rendered as html, PDF and image, where the image shows the whole email", async () => {
    const { result } = await exported(caller, {
      templateId,
      formats: ["html", "pdf", "image"],
    });
    expect(result.html?.htmlDocument).to.contain("Line 59");
    expect(result.pdf?.sizeBytes).to.be.above(1000);
    const page = await exported(caller, {
      templateId,
      formats: ["image"],
      renderOptions: { pages: "1" },
    });
    const whole = await fetchSize(result.image?.url);
    const first = await fetchSize(page.result.image?.url);
    expect(whole.height).to.be.above(first.height);
  });

  it("has an image of its own width plus a margin", async () => {
    const widths = [600, 1080].map(async (width) => {
      const email = { ...definition.email, width };
      const template = {
        templateType: "email",
        definition: { ...definition, email },
      };
      const id = await publish(service.store, caller, template);
      const job = { templateId: id, formats: ["image"] };
      const { result } = await exported(caller, job);
      return (await fetchSize(result.image?.url)).width;
    });
    const [usual = 0, wide = 0] = await Promise.all(widths);
    expect(wide / usual).to.be.closeTo(1200 / 720, 0.01);
  });
});
