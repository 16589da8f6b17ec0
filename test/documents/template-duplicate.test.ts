import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Compute } from "../../core/compute/index.js";
import { operator } from "../../core/accounts/index.js";
import {
  TemplateEditor,
  type TemplateOwner,
} from "../../core/templates/index.js";
import type { Store } from "../../core/storage/database/index.js";
import {
  anyDatabase,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("duplicating a template", () => {
  anyDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
    });
    const duplicate = async (name: string) => {
      const id = await publish(store, owner, { name, description: "About" });
      const editor = new TemplateEditor(store, () => "", new Compute());
      const { id: copy } = await editor.duplicate(owner, id, operator);
      const read = (one: string) =>
        createTemplates(store).get(owner.organizationId, one);
      return { original: await read(id), copy: await read(copy) };
    };

    it("creates an active template with the same definition and version 1", async () => {
      const { original, copy } = await duplicate("Letter");
      expect(copy.id).not.to.equal(original.id);
      expect(copy).to.deep.include({
        name: "Letter (copy)",
        description: "About",
        definition: original.definition,
        isActive: true,
        version: 1,
      });
    });

    it("truncates a name that would be too long, never within a character", async () => {
      const { copy } = await duplicate("ab" + "👩‍👩‍👧".repeat(31));
      expect(copy.name).to.equal("ab" + "👩‍👩‍👧".repeat(30) + " (copy)");
    });
  });
});
