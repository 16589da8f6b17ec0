import { expect } from "chai";
import { before, describe, it } from "mocha";
import * as tokens from "../../../core/app/tokens.js";
import { newCaller } from "../../support/caller.js";
import { exported } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

describe("another organization's ids", () => {
  const { rejection, service } = useTools();
  let templateId: string;
  let versionId: string;
  let documentId: string;
  before(async () => {
    const other = await newCaller(service);
    templateId = await publish(service.store, other);
    const [version] = await service.container
      .resolve(tokens.TEMPLATES)
      .versions(other.organizationId, templateId);
    versionId = version?.id ?? "";
    const body = { templateId, formats: ["html"] };
    documentId = (await exported(other, body)).document.id;
  });

  it("are not found by any tool, like ids that do not exist", async () => {
    const calls: [string, object][] = [
      ["create_template", { name: "Mine", cloneTemplateId: templateId }],
      ["edit_template", { templateId, name: "Mine" }],
      ["edit_template", { templateId, name: "Mine", dryRun: true }],
      ["get_template", { templateId }],
      ["get_template", { templateId, typeOnly: true }],
      ["duplicate_template", { templateId }],
      ["delete_template", { templateId }],
      ["list_template_versions", { templateId }],
      ["get_template_version", { templateId, versionId }],
      ["render_document", { templateId, formats: ["html"] }],
      ["get_document", { documentId }],
      ["get_asset", { assetId: templateId }],
      ["delete_asset", { assetId: templateId }],
    ];
    for (const [name, args] of calls) {
      const { code } = await rejection(name, { ...args });
      expect(code, name).to.equal("not_found");
      const missingId = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";
      const text = JSON.stringify(args).replaceAll(templateId, missingId);
      const other = await rejection(name, JSON.parse(text));
      expect(other.code, name).to.equal("not_found");
    }
  });
});
