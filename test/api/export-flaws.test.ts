import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [
    { type: "text", text: "{{ root.name }} {{ root.city }}" },
    {
      type: "container",
      style: { width: "{{ root.width }}px" },
      components: [{ type: "text", text: "As wide as told" }],
    },
  ],
};
const data = { name: "ᎠᎠ", city: "Rome", width: 900 };

const platenMetadata = z.object({
  platen: z.object({ report: z.record(z.string(), z.unknown()) }),
});

describe("layout problems of a printed document", () => {
  const service = useService();
  let caller: TestCaller;
  let body: object;

  before(async () => {
    caller = await newCaller(service);
    const templateId = await publish(service.store, caller, { definition });
    body = { templateId, formats: ["pdf"], data };
  });

  it("are counted and reported: characters without a font, and elements wider than the page", async () => {
    const { document, headers } = await exported(caller, body);
    expect(headers.get("x-render-warnings")).to.equal("2");
    const { report } = platenMetadata.parse(document.metadata).platen;
    expect(report.missingGlyphs).to.deep.equal([
      { character: "Ꭰ", codePoint: "U+13A0", count: 2 },
    ]);
    expect(report.overflow).to.deep.equal([
      { element: "div", text: "As wide as told", widthPx: 900, roomPx: 658 },
    ]);
  });

  it("are an error with strict, together with all missing values", async () => {
    const { city: _city, ...rest } = data;
    const strict = { ...body, data: rest, strict: true };
    const response = await caller.post("/api/export", strict);
    expect(response.status).to.equal(400);
    const error = await readError(response);
    for (const named of ["root.city", "U+13A0", "2 times", "As wide", "900 px"])
      expect(error).to.contain(named);
  });

  it("are not reported in html, where fonts and width depend on the reader", async () => {
    const { headers } = await exported(caller, {
      ...body,
      formats: ["html"],
      strict: true,
    });
    expect(headers.get("x-render-warnings")).to.equal("0");
  });

  it("are not reported when there are none", async () => {
    const { headers } = await exported(caller, {
      ...body,
      formats: ["pdf", "image"],
      data: { name: "Ada 日本 😀", city: "Rome", width: 600 },
      strict: true,
    });
    expect(headers.get("x-render-warnings")).to.equal("0");
  });
});
