import { createHash } from "node:crypto";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the format html", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  it("contains the whole document with its size and checksum, and an empty url", async () => {
    const data = { name: "Zoë & <b>" };
    const { result, document } = await exported(caller, {
      templateId,
      formats: ["html"],
      data,
    });
    expect(Object.keys(result)).to.deep.equal(["html"]);
    const { htmlDocument = "", ...rest } = result.html ?? {};
    expect(htmlDocument).to.match(/^<!doctype html>/i);
    expect(htmlDocument).to.contain("Hello Zoë &amp; &lt;b&gt;");
    const bytes = Buffer.from(htmlDocument);
    const checksum = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    expect(rest).to.deep.equal({
      checksum,
      mimeType: "text/html",
      url: "",
      sizeBytes: bytes.length,
    });
    expect(document.outputs).to.have.length(1);
    expect(document.outputs[0]).to.include({
      label: "html",
      checksum,
      sizeBytes: bytes.length,
    });
  });

  it("can be downloaded again by the link in the document's outputs", async () => {
    const { result, document } = await exported(caller, {
      templateId,
      formats: ["html"],
    });
    const response = await fetch(document.outputs[0]?.url ?? "");
    expect(await response.text()).to.equal(result.html?.htmlDocument);
  });

  it("accepts missing data as an empty record", async () => {
    const { result, headers } = await exported(caller, {
      templateId,
      formats: ["html"],
    });
    expect(result.html?.htmlDocument).to.contain("Hello ");
    expect(headers.get("x-render-warnings")).to.equal("1");
  });
});
