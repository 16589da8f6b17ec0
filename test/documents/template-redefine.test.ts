import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { TemplateOwner } from "../../core/templates/index.js";
import {
  AuditEvent,
  type Store,
  TemplateVersion,
} from "../../core/storage/database/index.js";
import {
  getProblemPaths,
  anyDatabase,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

function definitionWith(text: string, more: object = {}): object {
  return { schema: [], components: [{ id: "a", type: "text", text }], ...more };
}

describe("replacing a template's definition", () => {
  anyDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    let id: string;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
    });
    beforeEach(async () => {
      id = await publish(store, owner, { definition: definitionWith("one") });
    });
    const redefine = (definition: unknown, versionNote?: string, by = owner) =>
      createTemplates(store).redefine(
        by,
        id,
        { definition, versionNote },
        operator,
      );
    const live = () => createTemplates(store).get(owner.organizationId, id);

    it("changes only the live definition, its thumbnail and its data source", async () => {
      const old = await live();
      const connection = { platform: "airtable" };
      const schema = [{ id: "root", fields: [], connection }];
      await redefine(definitionWith("two", { schema }));
      const after = await live();
      expect(after.definition).to.eql(definitionWith("two", { schema }));
      expect(after.thumbnailUrl).not.to.equal(old.thumbnailUrl);
      expect(after.dataSource).to.include(connection);
      expect(after).to.include({ version: 1, name: old.name });
      const [snapshot, ...more] = await store.read.findBy(TemplateVersion, {
        templateId: id,
      });
      expect(more).to.eql([]);
      expect(snapshot?.definition).to.eql(definitionWith("one"));
      const action = "template.redefined";
      expect(
        await store.read.countBy(AuditEvent, { subject: id, action }),
      ).to.equal(1);
    });

    it("creates a version with its note on request", async () => {
      const { version } = await redefine(definitionWith("two"), "Shorter");
      expect(version).to.equal(2);
      const [newest] = await createTemplates(store).versions(
        owner.organizationId,
        id,
      );
      expect(newest).to.include({ version: 2, description: "Shorter" });
    });

    it("rejects an invalid definition and another organization's template", async () => {
      expect(await getProblemPaths(redefine({ schema: [] }))).to.eql([
        "$.components",
      ]);
      const stranger = await newOwner(store);
      const error = await redefine(
        definitionWith("two"),
        undefined,
        stranger,
      ).catch((one: unknown) => one);
      expect(error).to.include({ code: "not_found" });
      expect((await live()).definition).to.eql(definitionWith("one"));
    });
  });
});
