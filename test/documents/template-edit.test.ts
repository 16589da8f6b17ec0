import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { Compute } from "../../core/compute/index.js";
import { operator } from "../../core/accounts/index.js";
import {
  TemplateEditor,
  type TemplateOwner,
} from "../../core/templates/index.js";
import {
  type Store,
  TemplateVersion,
} from "../../core/storage/database/index.js";
import {
  getRejection,
  eachDatabase,
  definition,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("editing a template", () => {
  eachDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    let editor: TemplateEditor;
    let id: string;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
      editor = new TemplateEditor(store, () => "", new Compute());
    });
    beforeEach(async () => {
      id = await publish(store, owner);
    });
    const edit = (change: object) => editor.edit(owner, id, change, operator);
    const live = () => createTemplates(store).get(owner.organizationId, id);

    it("accepts only one of several concurrent edits of the same version", async () => {
      const { updatedAt: expectedVersion } = await live();
      const settled = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) =>
          edit({ name: `Name ${n}`, expectedVersion }),
        ),
      );
      const won = settled.filter(({ status }) => status === "fulfilled");
      expect(won).to.have.lengthOf(1);
      const { name } = await live();
      const [winner] = won;
      expect(winner).to.have.nested.property("value.name", name);
    });

    it("gives each change its own timestamp", async () => {
      const timestamps = await Promise.all(
        Array.from({ length: 10 }, (_, n) => edit({ name: `Name ${n}` })),
      );
      const all = new Set(timestamps.map(({ updatedAt }) => updatedAt));
      expect(all.size).to.equal(10);
    });

    it("writes nothing when the last part of an edit is rejected", async () => {
      const old = await live();
      const rejected = edit({
        name: "Other",
        createVersion: true,
        definition: { schema: [], components: [{ type: "none" }] },
      });
      const error = await getRejection(rejected);
      expect(error).to.include({ code: "invalid_definition" });
      expect(await live()).to.deep.equal(old);
      const where = { templateId: id };
      expect(await store.read.countBy(TemplateVersion, where)).to.equal(1);
    });

    it("creates a version of the edited definition", async () => {
      const components = [{ id: "b", type: "text", text: "Later" }];
      const next = { ...definition, components };
      await edit({ definition: next, format: "A5", createVersion: true });
      const frozen = await store.read.findOneByOrFail(TemplateVersion, {
        templateId: id,
        version: 2,
      });
      expect(frozen.definition).to.deep.equal({
        ...next,
        page: { size: "A5" },
      });
    });
  });
});
