import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { TemplateOwner } from "../../core/templates/index.js";
import {
  Folder,
  insertRow,
  newId,
  type Store,
} from "../../core/storage/database/index.js";
import {
  anyDatabase,
  getRejection,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

async function newFolder(
  store: Store,
  { organizationId, userId }: TemplateOwner,
): Promise<string> {
  const now = new Date();
  const id = newId();
  await store.unitOfWork.run((tx) =>
    insertRow(tx, Folder, {
      id,
      organizationId,
      parentId: null,
      kind: "template",
      name: "Letters",
      createdById: userId,
      createdAt: now,
      updatedAt: now,
    }),
  );
  return id;
}

describe("patching a template", () => {
  anyDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    let id: string;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
      id = await publish(store, owner);
    });
    const patch = (change: object) =>
      createTemplates(store).patch(owner, id, change, operator);

    it("changes only the named fields and not the version", async () => {
      const { organizationId } = owner;
      const old = await createTemplates(store).get(organizationId, id);
      const changed = await patch({
        name: "Brief",
        description: "B",
        isActive: false,
      });
      const { definition: _, ...settings } = old;
      expect(changed).to.deep.equal({
        ...settings,
        name: "Brief",
        description: "B",
        isActive: false,
        updatedAt: changed.updatedAt,
      });
      expect(await patch({ description: null })).to.include({
        name: "Brief",
        description: null,
        version: 1,
      });
    });

    it("changes nothing, not even the timestamp, when no field is named", async () => {
      const { updatedAt } = await patch({});
      expect(await patch({ name: undefined })).to.include({ updatedAt });
    });

    it("moves it into a folder of the same organization and out of it", async () => {
      const folderId = await newFolder(store, owner);
      expect(await patch({ folderId })).to.include({ folderId });
      expect(await patch({ folderId: null })).to.include({ folderId: null });
      const foreign = await newFolder(store, await newOwner(store));
      for (const folder of [foreign, newId(), "none"])
        expect(await getRejection(patch({ folderId: folder }))).to.include({
          code: "invalid_request",
        });
    });

    it("does not find it in another organization", async () => {
      const stranger = await newOwner(store);
      const attempt = createTemplates(store).patch(
        stranger,
        id,
        { name: "Mine" },
        operator,
      );
      expect(await getRejection(attempt)).to.include({ code: "not_found" });
    });
  });
});
