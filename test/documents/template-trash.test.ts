import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { Compute } from "../../core/compute/index.js";
import { operator } from "../../core/accounts/index.js";
import {
  TemplateEditor,
  type TemplateOwner,
} from "../../core/templates/index.js";
import { AuditEvent, type Store } from "../../core/storage/database/index.js";
import {
  getRejection,
  anyDatabase,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("the trash of templates", () => {
  anyDatabase((open) => {
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
    const listed = async () => {
      const page = { page: 1, pageSize: 100 };
      const list = await createTemplates(store).list(
        owner.organizationId,
        page,
      );
      return list.data.map((template) => template.id);
    };

    it("removes a template from the list and records once when and by whom", async () => {
      const first = await editor.trash(owner, id, operator);
      expect(first).to.include({ isTrashed: true, trashedById: owner.userId });
      expect(await listed()).not.to.include(id);
      const again = await editor.trash(owner, id, operator);
      expect(again).to.deep.equal(first);
      const action = "template.trashed";
      const auditEventCount = await store.read.countBy(AuditEvent, {
        subject: id,
        action,
      });
      expect(auditEventCount).to.equal(1);
    });

    it("restores a template unchanged", async () => {
      await editor.trash(owner, id, operator);
      const back = await editor.restore(owner, id, operator);
      expect(back).to.include({
        isTrashed: false,
        trashedAt: null,
        trashedById: null,
      });
      expect(await listed()).to.include(id);
    });

    it("does not accept another organization's template", async () => {
      const stranger = await newOwner(store);
      for (const act of ["trash", "restore", "duplicate"] as const) {
        const rejected = editor[act](stranger, id, operator);
        expect(await getRejection(rejected)).to.include({ code: "not_found" });
      }
      expect(await listed()).to.include(id);
    });
  });
});
