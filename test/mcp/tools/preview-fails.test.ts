import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { RENDERER } from "../../../core/app/tokens.js";
import { newCaller } from "../../support/caller.js";
import { lazyRenderer } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { definition, publish } from "../../support/store.js";
import { toolClient, getToolResult } from "../../support/tool-client.js";

const broken = {
  ...lazyRenderer,
  pdf: () =>
    Promise.reject(new PlatenError("unavailable", "There is no browser.")),
};

describe("a picture that cannot be rendered", () => {
  const service = useService({
    replace: (container) => container.register(RENDERER, { useValue: broken }),
  });

  it("does not fail the document or the check of a definition", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const client = await toolClient(service, caller);
    const calls = {
      render_document: { templateId, formats: ["html"], data: { name: "A" } },
      create_template: { name: "Dry", definition, dryRun: true },
    };
    for (const [name, args] of Object.entries(calls)) {
      const result = await client.callTool({ name, arguments: args });
      expect(getToolResult(result)["previewProblem"]).to.match(/no browser/);
      const types = result.content.map(({ type }) => type);
      expect(types).to.include("text").and.not.include("image");
    }
  });
});
