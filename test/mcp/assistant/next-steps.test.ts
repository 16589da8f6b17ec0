import { expect } from "chai";
import { before, describe, it } from "mocha";
import { definition, publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

const unknownId = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";

describe("an assistant that made a mistake", () => {
  const { answer, call, rejection, service, caller, client } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await publish(service.store, caller());
  });

  /** The hint of the only problem. */
  const findHint = async (name: string, args: Record<string, unknown>) => {
    const { problems } = await rejection(name, args);
    expect(problems).to.have.lengthOf(1);
    return problems[0]?.hint;
  };

  it("gets the name of the tool that lists existing ids", async () => {
    const cases: [tool: string, args: Record<string, unknown>, next: string][] =
      [
        ["get_template", { templateId: "abc" }, "list_templates"],
        [
          "create_template",
          { name: "A", cloneTemplateId: unknownId },
          "list_templates",
        ],
        [
          "render_document",
          { templateId: unknownId, formats: ["pdf"] },
          "list_templates",
        ],
        [
          "render_document",
          { templateId, formats: ["pdf"], templateVersion: 7 },
          "list_template_versions",
        ],
        [
          "get_template_version",
          { templateId, versionId: "1" },
          "list_template_versions",
        ],
        ["get_document", { documentId: "abc" }, "list_documents"],
        ["get_asset", { assetId: unknownId }, "list_assets"],
      ];
    const { tools } = await client().listTools();
    for (const [tool, args, next] of cases) {
      expect(await findHint(tool, args)).to.contain(`${next} returns`);
      expect(tools.map(({ name }) => name)).to.include(next);
    }
  });

  it("gets the next step for a template that cannot be rendered", async () => {
    const id = await publish(service.store, caller());
    const render = { templateId: id, formats: ["html"] };
    await answer("edit_template", { templateId: id, isActive: false });
    expect(await findHint("render_document", render)).to.contain(
      "edit_template",
    );
    await answer("edit_template", { templateId: id, isActive: true });
    await answer("delete_template", { templateId: id });
    expect(await findHint("render_document", render)).to.contain(
      "cloneTemplateId",
    );
  });

  it("is shown one value as the list that is expected", async () => {
    expect(
      await findHint("render_document", { templateId, formats: "pdf" }),
    ).to.contain('["pdf"]');
    const patch = { op: "remove", path: "/sample" };
    expect(await findHint("edit_template", { templateId, patch })).to.contain(
      `[${JSON.stringify(patch)}]`,
    );
  });

  it("gets the position where a definition sent as a JSON string ends too early", async () => {
    const cut = JSON.stringify(definition).slice(0, -2);
    const args = { name: "Cut", definition: cut };
    const { problems } = await rejection("create_template", args);
    expect(problems[0]?.path).to.equal("definition");
    expect(problems[0]?.message)
      .to.contain("not valid JSON")
      .and.contain("line");
  });

  it("gets the name in this definition for a term of other editors", async () => {
    const wrong = {
      schema: [
        {
          id: "root",
          fields: [
            { name: "a", type: "Text" },
            { name: "b", type: "Integer" },
            { name: "c", type: "Array", target: "c" },
          ],
        },
        { id: "c", fields: [] },
      ],
      page: { footer: "Page 1" },
      components: [
        { type: "container", children: [] },
        { type: "text", content: "a", visible: true, bold: true },
        { type: "image", url: "https://example.com/a.png" },
        { type: "sign-field", role: "Client", kind: "signature", name: "A" },
        { type: "table", rows: [], components: [] },
      ],
    };
    const result = await call("create_template", {
      name: "Wrong",
      definition: wrong,
      dryRun: true,
    });
    const text = JSON.stringify(result.content);
    for (const meant of [
      "String",
      "Number",
      "OneToManyLink",
      "components",
      "text",
      "condition",
      "src",
      "submitter",
      "field",
    ])
      expect(text).to.contain(`Did you mean \\\\\\"${meant}\\\\\\"?`);
    expect(text)
      .to.contain("font-weight")
      .and.contain("Write an array of components");
  });
});
