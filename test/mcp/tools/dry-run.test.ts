import { expect } from "chai";
import { describe, it } from "mocha";
import { definition, publish } from "../../support/store.js";
import { getToolResult, useTools } from "../../support/tool-client.js";

const faulty = { schema: [], components: [{ type: "nothing" }] };

describe("a dry run", () => {
  const { call, answer, service, caller } = useTools();

  it("of a new template shows its first page and saves nothing", async () => {
    const result = await call("create_template", {
      name: "Not there",
      definition: { ...definition, sample: { name: "Ada" } },
      dryRun: true,
    });
    expect(getToolResult(result)).to.include({ isValid: true, dryRun: true });
    expect(result.content[1]).to.include({ type: "image" });
    const { data } = await answer("list_templates", { q: "Not there" });
    expect(data).to.deep.equal([]);
  });

  it("of an edit lists problems and changes nothing", async () => {
    const templateId = await publish(service.store, caller());
    const before = await answer("get_template", { templateId });
    const dry = { templateId, dryRun: true };
    const bad = await call("edit_template", { ...dry, definition: faulty });
    expect(getToolResult(bad)).to.include({ isValid: false });
    expect(JSON.stringify(getToolResult(bad)["problems"])).to.contain(
      "$.components[0].type",
    );
    expect(bad.content).to.have.lengthOf(1);
    const good = await call("edit_template", { ...dry, format: "A5" });
    expect(good.content[1]).to.include({ type: "image" });
    expect(await answer("get_template", { templateId })).to.deep.equal(before);
  });

  it("reports where data does not match the definition's own sample", async () => {
    const result = await call("create_template", {
      name: "Dry",
      definition: {
        ...definition,
        components: [{ type: "text", text: "{{ root.nmae }}" }],
      },
      dryRun: true,
    });
    const { warnings } = getToolResult(result);
    expect(JSON.stringify(warnings)).to.contain("nmae");
  });
});
