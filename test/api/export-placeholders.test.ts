import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [
    { type: "text", text: "{{ root.none }}" },
    { type: "image", src: "{{ root.logo }}" },
    { type: "barcode", value: "{{ root.code }}", symbology: "ean13" },
  ],
};
const good = "4006381333931";
const bad = "4006381333932";
const far = "https://images.invalid/a.png";

describe("an image or code that cannot be drawn", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller, { definition });
  });

  const body = (data: object, renderOptions: object = {}) => ({
    templateId,
    formats: ["html"],
    data,
    renderOptions,
  });

  it("fails the render when the request requires images, and nothing else does", async () => {
    const options = { failedAssets: "fail" };
    const logo = "javascript:alert(1)";
    for (const source of [far, logo]) {
      const data = { logo: source, code: good };
      const response = await caller.post("/api/export", body(data, options));
      expect(response.status).to.equal(400);
      const error = await readError(response);
      expect(error).to.contain(source).and.not.to.contain("root.none");
    }
    await exported(caller, body({ code: good }, options));
  });

  it("is replaced with a placeholder for images by default", async () => {
    const data = { logo: far, code: good };
    const { headers } = await exported(caller, body(data));
    expect(headers.get("x-render-warnings")).to.equal("2");
  });

  it("fails the render for a barcode unless the request asks for a placeholder", async () => {
    const response = await caller.post("/api/export", body({ code: bad }));
    expect(response.status).to.equal(400);
    expect(await readError(response)).to.contain("$.components[2]");
    const options = { invalidCodes: "placeholder" };
    const { document, headers } = await exported(
      caller,
      body({ code: bad }, options),
    );
    expect(headers.get("x-render-warnings")).to.equal("3");
    expect(JSON.stringify(document.metadata)).to.contain("invalidCodes");
  });

  it("is reported with strict even when the request asks for placeholders", async () => {
    const response = await caller.post("/api/export", {
      ...body({ logo: far, code: bad }, { invalidCodes: "placeholder" }),
      strict: true,
    });
    const error = await readError(response);
    for (const named of ["root.none", far, "$.components[2]"])
      expect(error).to.contain(named);
  });
});
