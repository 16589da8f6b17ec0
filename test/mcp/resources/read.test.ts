import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { definitionGuide } from "../../../core/definition/index.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { toolClient } from "../../support/tool-client.js";

describe("the tool server's resources", () => {
  const service = useService();
  let caller: TestCaller;
  let client: Client;

  before(async () => {
    caller = await newCaller(service);
    client = await toolClient(service, caller);
  });

  const read = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri });
    const [one] = contents;
    return one && "text" in one ? one.text : "";
  };

  it("include the guide", async () => {
    expect(await read("platen://guide/ast")).to.equal(definitionGuide());
  });

  it("return templates and documents as the REST API does", async () => {
    const templateId = await publish(service.store, caller);
    const { document } = await exported(caller, {
      templateId,
      formats: ["html"],
    });
    const template = await caller.get(`/api/templates/${templateId}`);
    const text = await read(`platen://templates/${templateId}`);
    expect(JSON.parse(text)).to.deep.equal(await template.json());
    const of = JSON.parse(await read(`platen://documents/${document.id}`));
    expect(of).to.include({ id: document.id, status: "succeeded" });
  });

  it("return a small picture of a template", async () => {
    const templateId = await publish(service.store, caller);
    const uri = `platen://templates/${templateId}/thumbnail`;
    const { contents } = await client.readResource({ uri });
    const [picture] = contents;
    expect(picture).to.include({ uri, mimeType: "image/png" });
    const blob = picture && "blob" in picture ? picture.blob : "";
    const bytes = Buffer.from(blob, "base64");
    expect(bytes.subarray(1, 4).toString()).to.equal("PNG");
    const { resourceTemplates } = await client.listResourceTemplates();
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
      const rejected = await client.readResource({ uri }).catch((e) => e);
      expect(rejected).to.deep.include({ code: -32_602, data: { uri } });
      expect(String(rejected)).to.match(/There is no/);
    });

  it("do not include those of other organizations", async () => {
    const other = await newCaller(service);
    const id = await publish(service.store, other);
    for (const uri of [
      `platen://templates/${id}`,
      `platen://templates/${id}/thumbnail`,
    ]) {
      const rejected = await read(uri).catch(String);
      expect(rejected).to.contain("There is no such template");
    }
  });
});
