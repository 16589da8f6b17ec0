import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, exportFailing, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const components = [
  { type: "text", text: "{{ root.name }} {{ root.city }}" },
  { type: "image", src: "https://images.invalid/a.png", alt: "Far away" },
  { type: "image", src: "asset:01a1fe23-1721-7614-9a56-8080331f0d9e" },
];
const definition = { schema: [{ id: "root", fields: [] }], components };

const platenMetadata = z.object({
  platen: z.object({ report: z.record(z.string(), z.unknown()) }),
});

describe("missing values in a document", () => {
  const service = useService();
  let caller: TestCaller;
  let body: object;

  before(async () => {
    caller = await newCaller(service);
    const templateId = await publish(service.store, caller, { definition });
    body = { templateId, formats: ["html"], data: { name: "Ada" } };
  });

  it("are counted in a header and listed in the document's metadata, with placeholders for images", async () => {
    const { result, document, headers } = await exported(caller, body);
    expect(headers.get("x-render-warnings")).to.equal("3");
    const { report } = platenMetadata.parse(document.metadata).platen;
    expect(report.missing).to.deep.equal([
      { path: "root.city", component: "$.components[0]" },
    ]);
    expect(report.failedAssets).to.have.length(2);
    expect(JSON.stringify(report.failedAssets)).to.contain(
      "https://images.invalid/a.png",
    );
    expect(result.html?.htmlDocument).not.to.contain("images.invalid");
    expect(result.html?.htmlDocument).not.to.contain("platen-asset-");
    expect(result.html?.htmlDocument.match(/data:image\/svg/g)).to.have.length(
      2,
    );
  });

  it("are an error that lists them with strict, and the document has failed", async () => {
    const { error, document } = await exportFailing(caller, {
      ...body,
      strict: true,
    });
    for (const named of [
      "root.city",
      "$.components[0]",
      "images.invalid",
      "asset:01a1fe23",
    ])
      expect(error).to.contain(named);
    expect(document.outputs).to.deep.equal([]);
    expect(document.metadata).not.to.have.nested.property("platen.report");
  });

  it("are not reported when there are none", async () => {
    const templateId = await publish(service.store, caller);
    const whole = { ...body, templateId, strict: true };
    const { headers } = await exported(caller, whole);
    expect(headers.get("x-render-warnings")).to.equal("0");
  });
});
