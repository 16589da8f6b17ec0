import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../support/caller.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the log of a render", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });
  const getLines = (message: string) =>
    text()
      .split("\n")
      .filter((line) => line.includes(`"msg":"${message}"`));

  it("contains document, organization, phases and the request id", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const data = { name: "Ada" };
    const body = { templateId, formats: ["html"], data };
    const response = await caller.post("/api/export", body);
    const [line = ""] = getLines("rendered");
    expect(JSON.parse(line)).to.deep.include({
      documentId: response.headers.get("x-document-id"),
      organizationId: caller.organizationId,
      requestId: response.headers.get("x-request-id"),
      formats: ["html"],
    });
    expect(line).to.match(/"phases":\{"load":[\d.]+,"compile":[\d.]+/);
  });

  it("contains the error code of a failed render", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const data = { name: "Ada", constructor: "secret" };
    const body = { templateId, formats: ["html"], data };
    const response = await caller.post("/api/export", body);
    expect(response.status).to.equal(400);
    const [line = ""] = getLines("render failed");
    expect(JSON.parse(line)).to.deep.include({
      documentId: response.headers.get("x-document-id"),
      code: "merge_failed",
    });
    expect(line).not.to.contain("secret");
  });
});
