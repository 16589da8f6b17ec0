import { expect } from "chai";
import { describe, it } from "mocha";
import { RecentPayload } from "../../../core/storage/database/index.js";
import { newDraftClient } from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("a service without recent payloads", () => {
  const service = useService({ config: { recentPayloadsMs: 0 } });

  it("stores none", async () => {
    const { visitor, templateId, path } = await newDraftClient(service);
    const body = { templateId, formats: ["html"], data: { name: "Ada" } };
    await visitor.send("POST", "/api/export", body);
    expect(await service.store.read.count(RecentPayload)).to.equal(0);
    const response = await visitor.get(`${path}/payloads`);
    expect(await response.json()).to.deep.equal({ payloads: [] });
  });
});
