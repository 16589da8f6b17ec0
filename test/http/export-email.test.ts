import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported } from "../support/exporting.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store-templates.js";

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
async function heightOf(url = ""): Promise<number> {
  const bytes = await (await fetch(url)).arrayBuffer();
  return Buffer.from(bytes).readUInt32BE(20);
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

  it("is rendered as html, pdf and image, whose picture is the whole email", async () => {
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
    const whole = await heightOf(result.image?.url);
    expect(whole).to.be.above(await heightOf(page.result.image?.url));
  });
});
