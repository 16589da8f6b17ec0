import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import {
  changedSettingsSchema,
  changedTemplateSchema,
  templateWithWarningsSchema,
} from "../../core/api/routes/templates.js";
import { download, useApi } from "../support/api.js";
import { fetchBatch, sendBatch } from "../support/batches.js";
import {
  json,
  newCaller,
  reader,
  refusal,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { definition } from "../support/store.js";

const made = reader(templateWithWarningsSchema);
const changed = reader(changedTemplateSchema);
const patched = reader(changedSettingsSchema);

const person = ["id", "name", "email", "image"];
const listFields = [
  "id",
  "organizationId",
  "folderId",
  "name",
  "description",
  "dataSource",
  "templateType",
  "thumbnailUrl",
  "isActive",
  "createdAt",
  "updatedAt",
];

function createText(text: string) {
  return { ...definition, components: [{ id: "a", type: "text", text }] };
}

const letter = createText("Hello {{ root.name }}");

const newFolder = async (by: TestCaller, kind: string) => {
  const body = { name: "Bills", kind };
  return (await json<{ id: string }>(by.post("/api/folders", body), 201)).id;
};

describe("templates over REST", () => {
  const template = { definition: letter };
  const api = useApi({ plan: "premium", template });
  const read = async (id: string, by = api.caller) =>
    replies.template(await by.get(`/api/templates/${id}`));

  describe("GET /api/templates", () => {
    let caller: TestCaller;
    const list = async (query = "") =>
      replies.templates(await caller.get(`/api/templates${query}`));
    const names = async (query: string) =>
      (await list(query)).data.map(({ name }) => name);

    before(async () => {
      caller = await newCaller(api.service);
      for (const name of ["Invoice", "Quote", "Zoë 100%", "Final invoice"])
        await caller.publish({ name });
    });

    it("lists the organization's templates with exactly these fields", async () => {
      const { data, pagination } = await list();
      expect(pagination).to.deep.equal({ page: 1, pageSize: 100, total: 4 });
      expect(data[0]).to.have.all.keys(...listFields, "createdBy");
      expect(data[0]?.createdBy).to.have.all.keys(...person);
    });

    it("sorts by creation, or by last change on request, newest first", async () => {
      const newest = ["Final invoice", "Zoë 100%", "Quote", "Invoice"];
      const { data } = await list();
      expect(data.map(({ name }) => name)).to.deep.equal(newest);
      const path = `/api/templates/${data[2]?.id}`;
      await caller.patch(path, { isFavorite: true });
      expect((await names("?recentlyUpdated=true"))[0]).to.equal("Quote");
      expect(await names("?recentlyUpdated=false")).to.deep.equal(newest);
    });

    for (const [query, expected] of [
      ["q=INVOICE", ["Final invoice", "Invoice"]],
      ["q=zo%C3%8B", ["Zoë 100%"]],
      ["q=0%25", ["Zoë 100%"]],
      ["q=_", []],
      ["q=", ["Final invoice", "Zoë 100%", "Quote", "Invoice"]],
    ] as const)
      it(`searches names literally and case-insensitively: ${query}`, async () => {
        expect(await names(`?${query}`)).to.deep.equal(expected);
      });

    it("returns one page at a time and ignores page without pageSize", async () => {
      for (const [query, count, page, pageSize] of [
        ["?page=2&pageSize=3", 1, 2, 3],
        ["?page=9&pageSize=3", 0, 9, 3],
        ["?pageSize=2", 2, 1, 2],
        ["?page=3", 4, 1, 100],
      ] as const) {
        const { data, pagination } = await list(query);
        expect(data, query).to.have.length(count);
        expect(pagination).to.deep.equal({ page, pageSize, total: 4 });
      }
    });

    for (const query of [
      "pageSize=0",
      "pageSize=101",
      "pageSize=abc",
      "pageSize=",
      "pageSize=1.5",
      "pageSize=-1",
      "pageSize=1e1",
      "pageSize=%201",
      "page=0",
      "page=x",
      "recentlyUpdated=yes",
      "recentlyUpdated=",
      "pagesize=5",
      "pageSize=1&pageSize=2",
      "__proto__=1",
    ])
      it(`rejects ?${query} and names it`, async () => {
        const answer = await refusal(caller.get(`/api/templates?${query}`));
        expect(answer).to.match(/^400 /).and.contain(query.split("=")[0]);
      });
  });

  describe("GET /api/templates/:templateId", () => {
    it("returns exactly these fields", async () => {
      const { userId, organizationId, ...caller } = api.caller;
      const id = await caller.publish({ ...template, description: "Short" });
      const answer = await read(id);
      expect(answer).to.have.all.keys(
        ...listFields,
        "createdById",
        "trashedById",
        "definition",
        "isFavorite",
        "isTrashed",
        "trashedAt",
        "version",
      );
      expect(answer).to.include({
        id,
        organizationId,
        name: "Letter",
        description: "Short",
        folderId: null,
        dataSource: null,
        templateType: "document",
        isActive: true,
        isFavorite: false,
        isTrashed: false,
        trashedAt: null,
        trashedById: null,
        version: 1,
        createdById: userId,
      });
      expect(answer.definition).to.deep.equal(letter);
    });

    it("returns only id and type with typeOnly", async () => {
      const id = api.templateId;
      const path = `/api/templates/${id}?typeOnly`;
      expect(await json(api.caller.get(`${path}=true`))).to.deep.equal({
        id,
        templateType: "document",
      });
      expect(await json(api.caller.get(`${path}=false`))).to.include.keys(
        "definition",
      );
      for (const query of ["typeOnly=1", "typeOnly=", "typeonly=true"])
        expect(
          await refusal(api.caller.get(`/api/templates/${id}?${query}`)),
        ).to.match(/^400 .*type[Oo]nly/);
    });

    it("returns a sample of 150,000 fields", async () => {
      const fields = Array.from({ length: 150_000 }, (_, n) => [`f${n}`, 1]);
      const sample = Object.fromEntries(fields);
      const id = await api.caller.publish({
        definition: { ...definition, sample },
      });
      expect((await read(id)).definition.sample).to.deep.equal(sample);
    });

    for (const path of [
      "",
      "/versions",
      "/ver_01a1fe23-1721-7614-9a56-8080331f0d9e",
    ])
      it(`returns 404 for what is no id of a template at …${path.slice(0, 9)}`, async () => {
        const id = "01a1fe23-1721-7614-9a56-8080331f0d9e";
        for (const one of [id, "no-uuid", `${id}0`, "%00", "..%2f..%2fx"])
          expect(
            await refusal(api.caller.get(`/api/templates/${one}${path}`)),
          ).to.match(/^404 .*no such template/);
      });
  });

  describe("GET /api/templates/:templateId/versions", () => {
    let path = "";
    const list = async () =>
      replies.versions(await api.caller.get(`${path}/versions`));
    before(async () => {
      path = `/api/templates/${await api.caller.publish(template)}`;
      await api.caller.patch(path, { createVersion: true });
    });

    it("returns an array, newest first, with exactly these fields", async () => {
      const versions = await list();
      expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
      expect(versions[0]).to.have.all.keys(
        "id",
        "templateId",
        "description",
        "version",
        "createdAt",
        "createdBy",
      );
      expect(versions[0]?.createdBy).to.have.all.keys(...person);
      expect(versions[0]?.id).to.match(/^ver_[0-9a-f-]{36}$/);
    });

    it("has an id for each, by which it is read with exactly these fields", async () => {
      const [newest] = await list();
      const version = await replies.version(
        await api.caller.get(`${path}/${newest?.id}`),
      );
      expect(version).to.have.all.keys(
        "id",
        "templateId",
        "description",
        "version",
        "definition",
        "createdById",
        "createdAt",
      );
      expect(version.definition).to.include.keys("schema", "components");
      for (const wrong of [
        `${path}/ver_nothing`,
        `${path}/nothing`,
        `/api/templates/${api.templateId}/${newest?.id}`,
      ])
        expect(await refusal(api.caller.get(wrong))).to.match(
          /^404 .*no such version/,
        );
    });
  });

  describe("PATCH /api/templates/:templateId", () => {
    let path: string;
    const patch = async (body: object) =>
      replies.templateSettings(await api.caller.patch(path, body));
    const now = async () => replies.template(await api.caller.get(path));
    beforeEach(async () => {
      path = `/api/templates/${await api.caller.publish(template)}`;
    });

    it("changes the named fields and returns everything but the definition", async () => {
      const folderId = await newFolder(api.caller, "template");
      const changes = {
        name: "  Bill  ",
        description: "New",
        folderId,
        isActive: false,
        isFavorite: true,
      };
      const answer = await patch(changes);
      expect(answer).to.include({ ...changes, name: "Bill", version: 1 });
      const { definition: _definition, ...settings } = await now();
      expect(settings).to.deep.equal(answer);
      expect(await patch({ description: null, folderId: null })).to.include({
        description: null,
        folderId: null,
        name: "Bill",
      });
    });

    it("changes nothing for an empty object", async () => {
      const { updatedAt } = await now();
      expect(await patch({})).to.include({ updatedAt });
    });

    it("creates the next version with createVersion", async () => {
      expect((await patch({ createVersion: true })).version).to.equal(2);
      expect((await patch({ createVersion: false })).version).to.equal(2);
    });

    for (const [body, named] of [
      [{ name: 5 }, "$.name"],
      [{ name: " " }, "$.name"],
      [{ name: "x".repeat(256) }, "$.name"],
      [{ name: null }, "$.name"],
      [{ description: 1 }, "$.description"],
      [{ isActive: "true" }, "$.isActive"],
      [{ isFavorite: null }, "$.isFavorite"],
      [{ createVersion: 1 }, "$.createVersion"],
      [{ folderId: 7 }, "$.folderId"],
      [{ folderId: "nowhere" }, "$.folderId"],
      [{ folderId: "" }, "$.folderId"],
      [{ folderId: "01a1fe23-1721-7614-9a56-8080331f0d9e" }, "$.folderId"],
      [{ definition: {} }, "$.definition"],
      [{ isactive: true }, "isActive"],
      [[], "array"],
      ["text", "string"],
      [null, "null"],
    ] as const)
      it(`rejects ${JSON.stringify(body).slice(0, 50)} and changes nothing`, async () => {
        const earlier = await now();
        expect(await refusal(api.caller.patch(path, body)))
          .to.match(/^400 /)
          .and.contain(named);
        expect(await now()).to.deep.equal(earlier);
      });

    it("rejects folders of other organizations and folders for assets", async () => {
      const stranger = await newCaller(api.service);
      for (const folderId of [
        await newFolder(stranger, "template"),
        await newFolder(api.caller, "asset"),
      ])
        expect(await refusal(api.caller.patch(path, { folderId }))).to.match(
          /^400 .*\$\.folderId/,
        );
    });
  });

  const createTemplate = async (body: object) =>
    made(await api.caller.post("/api/templates", body), 201);

  describe("POST /api/templates", () => {
    it("creates one from a definition, a blueprint or another template", async () => {
      const first = await createTemplate({ name: "A", definition: letter });
      expect(first).to.include({ name: "A", version: 1 });
      const legal = { name: "B", blueprint: "invoice", format: "Legal" };
      const { id } = await createTemplate(legal);
      expect((await read(id)).definition["page"]).to.include({ size: "Legal" });
      const clone = await createTemplate({
        name: "C",
        cloneTemplateId: first.id,
      });
      expect((await read(clone.id)).definition).to.deep.equal(letter);
    });

    it("accepts a definition of the maximum depth", async () => {
      let inner: object = { type: "text", text: "Deep" };
      for (let depth = 1; depth < 64; depth += 1)
        inner = { type: "container", components: [inner] };
      const deep = { schema: definition.schema, components: [inner] };
      const { id } = await createTemplate({ name: "Deep", definition: deep });
      expect((await read(id)).definition["components"]).to.have.length(1);
    });

    it("rejects a definition with every problem and its path", async () => {
      const components = [{ type: "txt" }, { type: "text", text: 5 }];
      const body = { name: "F", definition: { schema: [], components } };
      expect(await refusal(api.caller.post("/api/templates", body)))
        .to.match(/^400 /)
        .and.contain("$.components[0].type")
        .and.contain("$.components[1].text");
    });
  });

  it("are moved to the trash, restored and duplicated", async () => {
    const templateId = await api.caller.publish({ name: "T" });
    const path = `/api/templates/${templateId}`;
    const trashed = await api.caller.delete(path);
    expect(await replies.templateSettings(trashed)).to.include({
      isTrashed: true,
      trashedById: api.caller.userId,
    });
    expect(await api.refused({ templateId })).to.match(/^400 .*in the trash/);
    await api.caller.post(`${path}/restore`, {});
    expect((await api.send({ templateId })).status).to.equal(200);
    const copy = await api.caller.post(`${path}/duplicate`, {});
    expect(await replies.templateSettings(copy, 201)).to.include({
      name: "T (copy)",
    });
  });

  describe("PUT /api/templates/:templateId/definition", () => {
    let path: string;
    beforeEach(async () => {
      path = `/api/templates/${await api.caller.publish(template)}`;
    });
    const put = (body: object) => api.caller.put(`${path}/definition`, body);
    const now = async () => replies.template(await api.caller.get(path));

    it("replaces the definition and creates a version on request", async () => {
      const next = createText("Other");
      const body = { definition: next, createVersion: true, versionNote: "N" };
      expect(await changed(await put(body))).to.include({ version: 2 });
      expect((await now()).definition).to.deep.equal(next);
      const [newest] = await replies.versions(
        await api.caller.get(`${path}/versions`),
      );
      expect(newest).to.include({ version: 2, description: "N" });
    });

    it("says that batches still use the newest version until the definition is one", async () => {
      const next = createText("Newer");
      const answer = await changed(await put({ definition: next }));
      expect(answer).to.include({ version: 1, batchVersion: 1 });
      expect(answer.notice).to.contain("batches still use version 1");
      const templateId = path.split("/").at(-1);
      const job = { templateId, formats: ["html"], items: [{}] };
      const { batchId } = await sendBatch(api.caller, job);
      const batch = await fetchBatch(api.caller, batchId);
      expect(batch.templateVersion).to.equal(1);
      const renamed = await patched(
        await api.caller.patch(path, { name: "New" }),
      );
      expect(renamed).to.include({ batchVersion: 1 });
      const kept = await patched(
        await api.caller.patch(path, { createVersion: true }),
      );
      expect(kept).to.include({ version: 2 });
      for (const quiet of [
        kept,
        await changed(await put({ definition: next })),
      ])
        expect(quiet).to.not.have.any.keys("batchVersion", "notice");
    });

    it("returns 409 and changes nothing when the template changed since it was read", async () => {
      const { updatedAt: expectedVersion } = await now();
      await api.caller.patch(path, { name: "By another" });
      const late = put({ definition: createText("Late"), expectedVersion });
      expect(await refusal(late))
        .to.match(/^409 /)
        .and.contain((await now()).updatedAt);
      expect((await now()).definition).to.deep.equal(letter);
    });

    const colored = { type: "text", text: "a", style: { colour: "red" } };
    const filtered = { type: "text", text: "{{ root.total | curency }}" };
    const hint = 'Unknown filter "curency". Did you mean currency?';
    for (const [what, components, error] of [
      [
        "a single problem as its path, message and hint",
        [filtered],
        `400 $.components[0].text: ${hint}`,
      ],
      [
        "several problems as a count and a list",
        [colored, filtered],
        '400 The template has 2 problems. $.components[0].style.colour: Unknown property "colour". Did you mean "color"?; ' +
          `$.components[1].text: ${hint}`,
      ],
    ] as const)
      it(`reports ${what}, each once, and changes nothing`, async () => {
        const wrong = { definition: { ...definition, components } };
        expect(await refusal(put(wrong))).to.equal(error);
        expect((await now()).definition).to.deep.equal(letter);
      });

    it("is named when PATCH is sent a definition", async () => {
      const error = await refusal(api.caller.patch(path, { definition }));
      expect(error).to.include("$.definition: unknown field.");
      expect(error).to.include("PUT /api/templates/{templateId}/definition");
      expect(error.match(/unknown field/g)).to.have.length(1);
    });

    it("rejects an incomplete definition and a missing one", async () => {
      for (const body of [{}, { definition: { schema: [] } }])
        expect((await put(body)).status).to.equal(400);
    });
  });

  describe("thumbnailUrl", () => {
    let id: string;
    const url = async () => (await read(id)).thumbnailUrl;
    before(async () => {
      const sample = { name: "Ada" };
      id = await api.caller.publish({ definition: { ...definition, sample } });
    });

    it("is a public picture 480 pixels wide that can be cached permanently", async () => {
      const address = await url();
      const [response] = await Promise.all([fetch(address), fetch(address)]);
      expect(response.status).to.equal(200);
      expect(response.headers.get("content-type")).to.equal("image/png");
      expect(response.headers.get("cache-control")).to.contain("immutable");
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.readUInt32BE(16)).to.be.within(479, 481);
    });

    it("returns 404 with another signature, template or file type", async () => {
      const address = await url();
      for (const wrong of [
        address.replace(/.\.png$/, "_.png"),
        address.replace(id, api.templateId),
        address.replace(/\.png$/, ".jpg"),
        address.replace(id, "none"),
      ])
        expect((await fetch(wrong)).status, wrong).to.equal(404);
    });

    it("changes with the definition, and the old one is gone", async () => {
      const old = await url();
      const path = `/api/templates/${id}/definition`;
      await api.caller.put(path, { definition: createText("Next") });
      const next = await url();
      expect(next).not.to.equal(old);
      expect((await fetch(old)).status).to.equal(404);
      expect(await download(next)).not.to.have.length(0);
    });
  });
});
