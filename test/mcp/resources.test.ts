import { expect } from "chai";
import { before, describe, it } from "mocha";
import { definitionGuide } from "../../core/definition/index.js";
import { Templates } from "../../core/templates/index.js";
import { newCaller } from "../support/caller.js";
import { exported } from "../support/service.js";
import { useTools } from "../support/tool-client.js";

describe("the list of resources", () => {
  const { caller, client } = useTools();
  const ids: string[] = [];

  before(async () => {
    for (let count = 0; count < 51; count += 1)
      ids.push(await caller().publish({ name: `No ${count}` }));
  });

  const page = async (params: { cursor?: string }) => {
    const { resources, nextCursor } = await client().request({
      method: "resources/list",
      params,
    });
    return { resources, nextCursor };
  };

  it("starts with the guide, followed by templates sorted by name, in pages", async () => {
    const first = await page({});
    expect(first.resources[0]?.uri).to.equal("platen://guide/ast");
    expect(first.resources).to.have.length(51);
    const second = await page({ cursor: first.nextCursor ?? "" });
    expect(second.resources).to.have.length(1);
    expect(second.nextCursor).to.equal(undefined);
    const uris = [...first.resources, ...second.resources].map((r) => r.uri);
    expect(uris).to.include.members(
      ids.map((id) => `platen://templates/${id}`),
    );
    expect(first.resources[1]?.title).to.match(/^No \d+$/);
  });

  it("rejects an invalid cursor", async () => {
    const rejected = client().listResources({ cursor: "x:1" }).catch(String);
    expect(await rejected).to.contain("cursor");
  });

  it("completes ids by their beginning and by a template's name", async () => {
    const [id = ""] = ids;
    const ref = {
      type: "ref/resource",
      uri: "platen://templates/{id}",
    } as const;
    const byId = await client().complete({
      ref,
      argument: { name: "id", value: id },
    });
    expect(byId.completion.values).to.deep.equal([id]);
    const byName = await client().complete({
      ref,
      argument: { name: "id", value: "No 50" },
    });
    expect(byName.completion.values).to.deep.equal([ids[50]]);
  });
});

describe("the tool server's resources", () => {
  const { service, caller, client } = useTools();

  const read = async (uri: string): Promise<string> => {
    const { contents } = await client().readResource({ uri });
    const [one] = contents;
    return one && "text" in one ? one.text : "";
  };

  it("include the guide", async () => {
    expect(await read("platen://guide/ast")).to.equal(definitionGuide());
  });

  it("return templates and documents as the REST API does", async () => {
    const templateId = await caller().publish();
    const { document } = await exported(caller(), {
      templateId,
      formats: ["html"],
    });
    const template = await caller().get(`/api/templates/${templateId}`);
    const text = await read(`platen://templates/${templateId}`);
    expect(JSON.parse(text)).to.deep.equal(await template.json());
    const of = JSON.parse(await read(`platen://documents/${document.id}`));
    expect(of).to.include({ id: document.id, status: "succeeded" });
  });

  it("return a small picture of a template", async () => {
    const templateId = await caller().publish();
    const uri = `platen://templates/${templateId}/thumbnail`;
    const { contents } = await client().readResource({ uri });
    const [picture] = contents;
    expect(picture).to.include({ uri, mimeType: "image/png" });
    const blob = picture && "blob" in picture ? picture.blob : "";
    const bytes = Buffer.from(blob, "base64");
    expect(bytes.subarray(1, 4).toString()).to.equal("PNG");
    const { resourceTemplates } = await client().listResourceTemplates();
    expect(resourceTemplates.map((one) => one.uriTemplate)).to.include(
      "platen://templates/{id}/thumbnail",
    );
  });

  for (const uri of [
    "platen://templates/0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f/thumbnail",
    "platen://templates//thumbnail",
    "platen://templates/a/b",
    "platen://templates/0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    "platen://documents/doc_x",
    "platen://templates/",
    "platen://guide/other",
    "file:///etc/passwd",
  ])
    it(`report that ${uri} does not exist`, async () => {
      const rejected = await client()
        .readResource({ uri })
        .catch((e) => e);
      expect(rejected).to.deep.include({ code: -32_602, data: { uri } });
      expect(String(rejected)).to.match(/There is no/);
    });

  it("do not include those of other organizations", async () => {
    const other = await newCaller(service);
    const id = await other.publish();
    for (const uri of [
      `platen://templates/${id}`,
      `platen://templates/${id}/thumbnail`,
    ]) {
      const rejected = await read(uri).catch(String);
      expect(rejected).to.contain("There is no such template");
    }
  });
});

describe("another organization's ids", () => {
  const { rejection, service } = useTools();
  let templateId: string;
  let versionId: string;
  let documentId: string;
  before(async () => {
    const other = await newCaller(service);
    templateId = await other.publish();
    const [version] = await service.container
      .resolve(Templates)
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
