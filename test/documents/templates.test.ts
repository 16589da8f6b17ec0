import { expect } from "chai";
import { operator } from "../../core/accounts/index.js";
import { Compute } from "../../core/compute/index.js";
import {
  AuditEvent,
  type Store,
  Template,
} from "../../core/storage/database/index.js";
import {
  blueprints,
  TemplateEditor,
  type TemplateOwner,
} from "../../core/templates/index.js";
import {
  createTemplates,
  eachDatabase,
  getRejection,
  newOwner,
  publish,
} from "../support/store.js";

function definitionWith(text: string, more: object = {}): object {
  return { schema: [], components: [{ id: "a", type: "text", text }], ...more };
}

eachDatabase((open) => {
  let store: Store;
  let owner: TemplateOwner;
  let editor: TemplateEditor;
  before(async () => {
    store = await open();
    owner = await newOwner(store);
    editor = new TemplateEditor(store, () => "", new Compute());
  });
  const templates = () => createTemplates(store);
  const live = (id: string) => templates().get(owner.organizationId, id);
  const versions = (id: string) =>
    templates().versions(owner.organizationId, id);

  const exportAgain = async (file: object) => {
    const id = await publish(store, owner, file);
    const { definitionHash } = await store.read.findOneByOrFail(Template, {
      id,
    });
    const exported = await templates().export(owner.organizationId, id);
    return { text: JSON.stringify(exported), definitionHash };
  };

  describe("a template that is exported and imported again", () => {
    for (const {
      id,
      name,
      templateType,
      description,
      definition,
    } of blueprints())
      it(`is identical byte for byte: ${id}`, async () => {
        const file = { name, templateType, description, definition };
        const once = await exportAgain(file);
        expect(await exportAgain(JSON.parse(once.text))).to.deep.equal(once);
      });

    it("keeps extensions, key order, and every text and number", async () => {
      const file = {
        name: "N",
        templateType: "document",
        description: null,
        definition: {
          "x-z": {
            b: 1,
            a: [1.5, -0.25, 1e21, "é\u2028\ud83d\ude00", null, {}],
          },
          components: [
            { "x-note": { 2: "b", 1: "a" }, type: "text", id: "a", text: "x" },
          ],
          schema: [{ fields: [], id: "root" }],
        },
      };
      expect((await exportAgain(file)).text).to.equal(JSON.stringify(file));
    });
  });

  describe("editing a template", () => {
    let id: string;
    beforeEach(async () => {
      id = await publish(store, owner, { definition: definitionWith("one") });
    });
    const edit = (change: object) => editor.edit(owner, id, change, operator);

    it("accepts only one of several concurrent edits of the same version", async () => {
      const { updatedAt: expectedVersion } = await live(id);
      const settled = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) =>
          edit({ name: `Name ${n}`, expectedVersion }),
        ),
      );
      const won = settled.filter(({ status }) => status === "fulfilled");
      expect(won).to.have.lengthOf(1);
      const { name } = await live(id);
      expect(won[0]).to.have.nested.property("value.name", name);
    });

    it("gives each change its own timestamp", async () => {
      const edits = await Promise.all(
        Array.from({ length: 10 }, (_, n) => edit({ name: `Name ${n}` })),
      );
      const all = new Set(edits.map(({ updatedAt }) => updatedAt));
      expect(all.size).to.equal(10);
    });

    it("writes nothing when the last part of an edit is rejected", async () => {
      const old = await live(id);
      const error = await getRejection(
        edit({
          name: "Other",
          createVersion: true,
          definition: { schema: [], components: [{ type: "none" }] },
        }),
      );
      expect(error).to.include({ code: "invalid_definition" });
      expect(await live(id)).to.deep.equal(old);
      expect(await versions(id)).to.have.length(1);
    });

    it("is noted in the audit log, and its data source is that of its root", async () => {
      const connection = {
        platform: "airtable",
        baseId: "app1",
        tableId: "tbl1",
      };
      const schema = [{ id: "root", fields: [], connection }];
      const next = { definition: definitionWith("two", { schema }) };
      await templates().redefine(owner, id, next, operator);
      const { dataSource } = await live(id);
      expect(dataSource).to.deep.equal({ ...connection, connectionId: null });
      for (let times = 0; times < 2; times += 1)
        await editor.trash(owner, id, operator);
      const events = await store.read.findBy(AuditEvent, { subject: id });
      expect(events.map(({ action }) => action)).to.have.members([
        "template.imported",
        "template.redefined",
        "template.trashed",
      ]);
    });

    it("creates versions one by one, even when they are requested concurrently", async () => {
      await Promise.all(
        Array.from({ length: 5 }, () =>
          templates().patch(owner, id, { createVersion: true }, operator),
        ),
      );
      const numbers = (await versions(id)).map(({ version }) => version);
      expect(numbers).to.deep.equal([6, 5, 4, 3, 2, 1]);
      expect(await live(id)).to.include({ version: 6 });
    });

    it("duplicates it as an active template of version 1, whose name is cut between characters", async () => {
      const name = "ab" + "👩‍👩‍👧".repeat(31);
      await edit({ name, createVersion: true });
      const { id: copy } = await editor.duplicate(owner, id, operator);
      expect(await live(copy)).to.deep.include({
        name: "ab" + "👩‍👩‍👧".repeat(30) + " (copy)",
        definition: (await live(id)).definition,
        isActive: true,
        version: 1,
      });
    });
  });

  it("the list of templates is searched case-insensitively, with % and _ as plain characters", async () => {
    const other = await newOwner(store);
    for (const name of [
      "Ärger",
      "100% off",
      "100 off",
      "snake_case",
      "Plain!",
      "İstanbul",
    ])
      await publish(store, other, { name });
    for (const [q, names] of [
      ["ÄRG", ["Ärger"]],
      ["0% O", ["100% off"]],
      ["e_C", ["snake_case"]],
      ["n!", ["Plain!"]],
      ["İST", ["İstanbul"]],
      ["' OR 1=1", []],
      [
        "",
        ["İstanbul", "Plain!", "snake_case", "100 off", "100% off", "Ärger"],
      ],
    ] as const) {
      const query = { page: 1, pageSize: 100, q };
      const { data } = await templates().list(other.organizationId, query);
      expect(data.map(({ name }) => name)).to.deep.equal(names);
    }
  });
});
