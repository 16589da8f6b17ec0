import { expect } from "chai";
import { before, describe, it } from "mocha";
import { definition, publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

describe("tools for templates", () => {
  const { answer, rejection, service, caller } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await publish(service.store, caller(), { name: "Alpha" });
    await publish(service.store, caller(), { name: "Beta" });
  });

  it("list the same templates as REST, a small page at a time and without what choosing one does not need", async () => {
    const rest = await caller().get("/api/templates?page=1&pageSize=1");
    const listed = JSON.stringify(await rest.json(), (name, value: unknown) =>
      ["organizationId", "thumbnailUrl", "email", "image"].includes(name)
        ? undefined
        : value,
    );
    expect(
      await answer("list_templates", { page: 1, pageSize: 1 }),
    ).to.deep.equal(JSON.parse(listed));
    const { pagination } = await answer("list_templates", { q: "ALPH" });
    expect(pagination).to.deep.equal({ page: 1, pageSize: 20, total: 1 });
  });

  it("read the same template as REST", async () => {
    const rest = await caller().get(`/api/templates/${templateId}`);
    expect(await answer("get_template", { templateId })).to.deep.equal(
      await rest.json(),
    );
    expect(
      await answer("get_template", { templateId, typeOnly: true }),
    ).to.deep.equal({ id: templateId, templateType: "document" });
  });

  it("omit a long definition and say so, unless it is requested", async () => {
    const long = { ...definition, sample: { text: "x".repeat(60_000) } };
    const id = await publish(service.store, caller(), { definition: long });
    const short = await answer("get_template", { templateId: id });
    expect(short).not.to.have.property("definition");
    expect(short["definitionLeftOut"]).to.include.keys("characters", "hint");
    const whole = { templateId: id, includeDefinition: true };
    expect(await answer("get_template", whole)).to.have.property("definition");
  });

  it("duplicate a template with its definition and a new history", async () => {
    await answer("edit_template", { templateId, createVersion: true });
    const { definition: old } = await answer("get_template", { templateId });
    const copy = await answer("duplicate_template", { templateId });
    expect(copy).to.include({ name: "Alpha (copy)", version: 1 });
    const made = await answer("get_template", { templateId: copy["id"] });
    expect(made["definition"]).to.deep.equal(old);
    const { total } = await answer("list_template_versions", {
      templateId: copy["id"],
    });
    expect(total).to.equal(1);
  });

  it("read the same versions as REST", async () => {
    const { data } = await answer("list_template_versions", { templateId });
    const rest = await caller().get(`/api/templates/${templateId}/versions`);
    expect(data).to.deep.equal(await rest.json());
    const versionId = /ver_[-0-9a-f]+/.exec(JSON.stringify(data))?.[0] ?? "";
    const one = await caller().get(`/api/templates/${templateId}/${versionId}`);
    expect(
      await answer("get_template_version", { templateId, versionId }),
    ).to.deep.equal(await one.json());
  });

  it("take an id in upper case as the same id", async () => {
    const id = await publish(service.store, caller(), { name: "Delta" });
    const upper = id.toUpperCase();
    expect(await answer("get_template", { templateId: upper })).to.include({
      id,
    });
    const clone = { name: "Clone", cloneTemplateId: upper };
    expect(await answer("create_template", clone)).to.include({ version: 1 });
  });

  it("move a template to the trash, where it is neither listed nor rendered", async () => {
    const id = await publish(service.store, caller(), { name: "Gamma" });
    const trashed = await answer("delete_template", { templateId: id });
    expect(trashed).to.include({
      isTrashed: true,
      trashedById: caller().userId,
    });
    const again = await answer("delete_template", { templateId: id });
    expect(again["trashedAt"]).to.equal(trashed["trashedAt"]);
    const { data } = await answer("list_templates", { q: "Gamma" });
    expect(data).to.deep.equal([]);
    const render = { templateId: id, formats: ["html"] };
    expect((await rejection("render_document", render)).error).to.match(
      /trash/,
    );
  });
});
