import { expect } from "chai";
import { before, describe, it, beforeEach } from "mocha";
import { blueprint } from "../../../core/templates/index.js";
import { definition as letter } from "../../support/store.js";
import { useTools, getToolResult } from "../../support/tool-client.js";

describe("tools for templates", () => {
  const { answer, rejection, caller } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await caller().publish({ name: "Alpha" });
    await caller().publish({ name: "Beta" });
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
    const long = { ...letter, sample: { text: "x".repeat(60_000) } };
    const id = await caller().publish({ definition: long });
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
    const id = await caller().publish({ name: "Delta" });
    const upper = id.toUpperCase();
    expect(await answer("get_template", { templateId: upper })).to.include({
      id,
    });
    const clone = { name: "Clone", cloneTemplateId: upper };
    expect(await answer("create_template", clone)).to.include({ version: 1 });
  });

  it("move a template to the trash, where it is neither listed nor rendered", async () => {
    const id = await caller().publish({ name: "Gamma" });
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

describe("create_template", () => {
  const { answer, rejection, caller } = useTools();
  const created = async (args: object) => {
    const { id } = await answer("create_template", { name: "New", ...args });
    return answer("get_template", { templateId: id, includeDefinition: true });
  };
  const rejected = async (args: object) =>
    (await rejection("create_template", { name: "New", ...args })).error;

  it("creates a template from a definition, a document by default", async () => {
    const made = await created({ definition: letter, description: "A letter" });
    expect(made).to.include({
      name: "New",
      description: "A letter",
      templateType: "document",
      version: 1,
      organizationId: caller().organizationId,
      createdById: caller().userId,
    });
    expect(made["definition"]).to.deep.include({ schema: letter.schema });
  });

  it("creates a template from a blueprint, found by id or name, with the blueprint's type", async () => {
    const { sample } = blueprint("newsletter").definition;
    for (const name of ["newsletter", "Newsletter"]) {
      const made = await created({ blueprint: name });
      expect(made).to.include({ templateType: "email" });
      expect(made["definition"]).to.deep.include({ sample });
    }
  });

  it("creates a template from another one, with other paper", async () => {
    const first = await created({ definition: letter, format: "A5" });
    const clone = await created({
      cloneTemplateId: first["id"],
      isLandscape: true,
    });
    expect(clone["id"]).not.to.equal(first["id"]);
    expect(clone["definition"]).to.deep.include({
      page: { size: "A5", landscape: true },
    });
  });

  it("creates an empty template that renders", async () => {
    for (const templateType of ["document", "email"]) {
      const { id } = await created({ templateType });
      await answer("render_document", {
        templateId: id,
        formats: ["html"],
        preview: "none",
      });
    }
  });

  it("lists the blueprints and suggests the intended one", async () => {
    const { error, code } = await rejection("create_template", {
      name: "New",
      blueprint: "invioce",
    });
    expect(code).to.equal("not_found");
    expect(error).to.contain('Did you mean "invoice"?').and.contain("quote");
  });

  it("rejects paper for an email, Custom without a size, and two sources", async () => {
    expect(await rejected({ templateType: "email", format: "A4" })).to.match(
      /An email has no paper/,
    );
    expect(await rejected({ definition: letter, format: "Custom" })).to.match(
      /needs a width and a height/,
    );
    expect(
      await rejected({ definition: letter, blueprint: "invoice" }),
    ).to.match(/definition and blueprint were given/);
    expect(
      await rejected({ blueprint: "invoice", templateType: "email" }),
    ).to.match(/has the type "document"/);
  });
});

const textDefinition = (words: string) => ({
  schema: [],
  components: [{ id: "a", type: "text", text: words }],
});

describe("edit_template", () => {
  const { answer, rejection, caller } = useTools();
  let templateId: string;
  beforeEach(async () => {
    const changed = textDefinition("one");
    templateId = await caller().publish({ definition: changed });
  });
  const edit = (args: object) =>
    answer("edit_template", { templateId, ...args });
  const rejected = (args: object) =>
    rejection("edit_template", { templateId, ...args });
  const now = () => answer("get_template", { templateId });

  it("changes the named fields and creates a version with its note", async () => {
    const changed = textDefinition("two");
    await edit({
      name: "Renamed",
      description: "About",
      isActive: false,
      definition: changed,
      format: "Letter",
      isLandscape: true,
      createVersion: true,
      versionNote: "Second",
    });
    const page = { size: "Letter", landscape: true };
    expect(await now()).to.deep.include({
      name: "Renamed",
      description: "About",
      isActive: false,
      version: 2,
      definition: { ...changed, page },
    });
    const { data } = await answer("list_template_versions", { templateId });
    expect(data).to.have.lengthOf(2);
    expect(JSON.stringify(data)).to.contain('"description":"Second"');
  });

  it("changes the paper of the existing definition", async () => {
    await edit({ format: "A3" });
    expect(await now()).to.deep.include({
      definition: { ...textDefinition("one"), page: { size: "A3" } },
      version: 1,
    });
  });

  it("changes nothing when one part of the edit is rejected", async () => {
    const earlier = await now();
    const { code } = await rejected({
      name: "Renamed",
      createVersion: true,
      definition: { schema: [], components: [{ type: "nothing" }] },
    });
    expect(code).to.equal("invalid_definition");
    expect(await now()).to.deep.equal(earlier);
  });

  it("changes nothing when it would overwrite another person's changes", async () => {
    const { updatedAt: first } = await now();
    await edit({ name: "By another", expectedVersion: first });
    for (const expectedVersion of [first, 1, 7]) {
      const { code, error, problems } = await rejected({
        name: "Mine",
        expectedVersion,
      });
      expect(code).to.equal("conflict");
      const { updatedAt } = await now();
      expect(error).to.contain(updatedAt);
      expect(problems[0]?.path).to.equal("expectedVersion");
    }
    expect(await now()).to.include({ name: "By another" });
  });

  it("accepts a version's number while nothing has changed since", async () => {
    await edit({ name: "Two", expectedVersion: 1, createVersion: true });
    await edit({ name: "Three", expectedVersion: "2" });
    const odd = await rejected({ name: "Four", expectedVersion: 1.5 });
    expect(odd.problems[0]?.message).to.contain("updatedAt");
    const { code } = await rejected({ name: "Four", expectedVersion: 2 });
    expect(code).to.equal("conflict");
  });

  it("reports that a note without a version is not stored", async () => {
    const { warnings, name } = await edit({ name: "N", versionNote: "Lost" });
    expect(name).to.equal("N");
    expect(JSON.stringify(warnings)).to.contain("createVersion");
  });
});

const faulty = { schema: [], components: [{ type: "nothing" }] };

describe("a dry run", () => {
  const { call, answer, caller } = useTools();

  it("of a new template shows its first page and saves nothing", async () => {
    const result = await call("create_template", {
      name: "Not there",
      definition: { ...letter, sample: { name: "Ada" } },
      dryRun: true,
    });
    expect(getToolResult(result)).to.include({ isValid: true, dryRun: true });
    expect(result.content[1]).to.include({ type: "image" });
    const { data } = await answer("list_templates", { q: "Not there" });
    expect(data).to.deep.equal([]);
  });

  it("of an edit lists problems and changes nothing", async () => {
    const templateId = await caller().publish();
    const earlier = await answer("get_template", { templateId });
    const dry = { templateId, dryRun: true };
    const bad = await call("edit_template", { ...dry, definition: faulty });
    expect(getToolResult(bad)).to.include({ isValid: false });
    expect(JSON.stringify(getToolResult(bad)["problems"])).to.contain(
      "$.components[0].type",
    );
    expect(bad.content).to.have.lengthOf(1);
    const good = await call("edit_template", { ...dry, format: "A5" });
    expect(good.content[1]).to.include({ type: "image" });
    expect(await answer("get_template", { templateId })).to.deep.equal(earlier);
  });

  it("reports where data does not match the definition's own sample", async () => {
    const result = await call("create_template", {
      name: "Dry",
      definition: {
        ...letter,
        components: [{ type: "text", text: "{{ root.nmae }}" }],
      },
      dryRun: true,
    });
    const { warnings } = getToolResult(result);
    expect(JSON.stringify(warnings)).to.contain("nmae");
  });
});

function nested(depth: number): object {
  let inner: object = { type: "text", text: "x" };
  for (let at = 0; at < depth; at += 1)
    inner = { type: "container", components: [inner] };
  return { schema: [], components: [inner] };
}

/** With 70 of the same. */
function repeated(component: object): object {
  const fields = [{ name: "name", type: "String" }];
  return {
    schema: [{ id: "root", fields }],
    components: Array.from({ length: 70 }, () => component),
  };
}

describe("a definition with problems", () => {
  const { call, rejection, answer, service, caller } = useTools();

  it("returns all of them, each with path, message and hint, and nothing else", async () => {
    const components = [
      { type: "txt", text: "a" },
      { type: "text", text: "{{ root.a | uper }}", colour: "red" },
    ];
    const result = await call("create_template", {
      name: "Faulty",
      definition: { schema: [], components },
    });
    expect(result.isError).to.equal(true);
    expect(result).not.to.have.property("structuredContent");
    const [block, ...more] = result.content;
    expect(more).to.deep.equal([]);
    const { problems, error } = JSON.parse(
      block?.type === "text" ? block.text : "",
    );
    expect(problems.map(({ path }: { path: string }) => path)).to.have.members([
      "$.components[0].type",
      "$.components[1].colour",
      "$.components[1].text",
    ]);
    for (const { message, hint, code } of problems)
      for (const text of [message, hint, code])
        expect(text).to.be.a("string").that.is.not.equal("");
    expect(error).to.match(/3 problems/);
  });

  it("is rejected when it is 5 MB large", async () => {
    const text = "x".repeat(5_000_000);
    const { error } = await rejection("create_template", {
      name: "Huge",
      definition: { schema: [], components: [{ type: "text", text }] },
    });
    expect(error).to.match(/The limit is 2097152 bytes/);
  });

  it("is rejected when it nests 10,000 components", async () => {
    const open = '{"type":"container","components":['.repeat(10_000);
    const definition = `{"schema":[],"components":[${open}${"]}".repeat(10_000)}]}`;
    const called = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${caller().key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body:
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_template","arguments":' +
        `{"name":"Deep","definition":${definition}}}}`,
    });
    expect(await called.text()).to.match(/nested/);
  });

  it("is accepted at the maximum depth", async () => {
    const definition = nested(60);
    await answer("create_template", { name: "Deep", definition });
  });

  it("returns its first 50 problems or warnings and the number of the others", async () => {
    const wrong = { name: "W", definition: repeated({ type: "none" }) };
    const dry = await answer("create_template", { ...wrong, dryRun: true });
    const { problems, furtherProblems } = dry;
    expect(problems).to.have.lengthOf(50);
    expect(furtherProblems).to.equal(20);
    const rejected = await rejection("create_template", wrong);
    expect(rejected.problems).to.have.lengthOf(50);
    const odd = repeated({ type: "text", text: "{{ root.nmae }}" });
    const made = await answer("create_template", {
      name: "O",
      definition: odd,
    });
    expect(made["warnings"]).to.have.lengthOf(50);
    expect(made["furtherWarnings"]).to.equal(20);
  });

  it("is rejected when it is not an object", async () => {
    for (const definition of ["text", 5, [], true]) {
      const { problems } = await rejection("create_template", {
        name: "None",
        definition,
      });
      expect(problems[0]?.path).to.equal("definition");
    }
  });
});
