import { expect } from "chai";
import { before, describe, it } from "mocha";
import { useTools } from "../../support/tool-client.js";

interface ToolDescription {
  name: string;
  required: string[];
  known: string[];
}

/** The specification's table and what the reference adds: required arguments first, then optional ones. */
const specified: Record<string, [string[], string[]]> = {
  get_template_ast_guide: [[], []],
  create_template: [
    ["name"],
    [
      "description",
      "templateType",
      "definition",
      "blueprint",
      "cloneTemplateId",
      "format",
      "isLandscape",
    ],
  ],
  edit_template: [
    ["templateId"],
    [
      "name",
      "description",
      "definition",
      "patch",
      "format",
      "isLandscape",
      "isActive",
      "createVersion",
      "versionNote",
    ],
  ],
  list_templates: [[], ["page", "pageSize", "q", "recentlyUpdated"]],
  get_template: [["templateId"], ["typeOnly"]],
  duplicate_template: [["templateId"], []],
  delete_template: [["templateId"], []],
  list_template_versions: [["templateId"], []],
  get_template_version: [["templateId", "versionId"], []],
  restore_template_version: [
    ["templateId", "versionId"],
    ["createVersion", "versionNote", "expectedVersion", "dryRun"],
  ],
  list_partials: [[], []],
  get_partial: [["name"], []],
  save_partial: [
    ["name", "components"],
    ["title", "templateType", "expectedVersion"],
  ],
  get_brand: [[], []],
  render_document: [
    ["templateId", "formats"],
    [
      "data",
      "imageType",
      "isTest",
      "sendForSignature",
      "esignConnection",
      "esignSettings",
    ],
  ],
  validate_data: [
    ["templateId"],
    ["data", "items", "templateVersion", "unknownFields"],
  ],
  list_documents: [[], ["limit", "offset"]],
  get_document: [["documentId"], []],
  upload_asset: [["name"], ["filePath", "fileUrl", "base64Data", "assetType"]],
  list_assets: [[], ["assetType", "folderId", "includeTrashed"]],
  get_asset: [["assetId"], []],
  delete_asset: [["assetId"], []],
};

describe("the arguments of the tools", () => {
  const { client, rejection } = useTools();
  let tools: ToolDescription[];
  before(async () => {
    const list = await client().listTools();
    tools = list.tools.map(({ name, inputSchema }) => ({
      name,
      required: inputSchema.required ?? [],
      known: Object.keys(inputSchema.properties ?? {}),
    }));
  });

  it("are those of the specification, and no others are required", () => {
    expect(tools.map(({ name }) => name)).to.deep.equal(Object.keys(specified));
    for (const { name, required, known } of tools) {
      const [needed, optional] = specified[name] ?? [[], []];
      expect(required, name).to.have.members(needed);
      expect(known, name).to.include.members([...needed, ...optional]);
    }
  });

  it("are requested when they are missing or have the wrong type", async () => {
    for (const { name, required } of tools.filter(
      (tool) => tool.required.length > 0,
    )) {
      const missing = await rejection(name);
      expect(missing.problems.map(({ path }) => path)).to.have.members(
        required,
      );
      const wrong = Object.fromEntries(required.map((key) => [key, { a: 1 }]));
      const { problems } = await rejection(name, wrong);
      expect(problems.map(({ path }) => path)).to.have.members(required);
    }
  });

  it("are suggested for an unknown name", async () => {
    const { problems } = await rejection("get_template", { templateID: "x" });
    expect(JSON.stringify(problems)).to.contain("Did you mean templateId?");
  });
});
