import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { TemplateOwner } from "../../core/templates/index.js";
import { type Store, Template } from "../../core/storage/database/index.js";
import {
  anyDatabase,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

const names = [
  "Ärger",
  "100% off",
  "100 off",
  "snake_case",
  "Plain!",
  "İstanbul",
];

describe("the list of templates", () => {
  anyDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    const ids: string[] = [];
    before(async () => {
      store = await open();
      owner = await newOwner(store);
      for (const name of names) ids.push(await publish(store, owner, { name }));
      await publish(store, await newOwner(store), { name: "Foreign" });
    });
    const list = async (query: object = {}) => {
      const { data, pagination } = await createTemplates(store).list(
        owner.organizationId,
        { page: 1, pageSize: 100, ...query },
      );
      return { names: data.map(({ name }) => name), data, pagination };
    };

    const search = async (q: string) => (await list({ q })).names;

    it("returns only this organization's templates, newest first", async () => {
      const { names: listed, pagination } = await list();
      expect(listed).to.deep.equal(names.toReversed());
      expect(pagination).to.deep.equal({ page: 1, pageSize: 100, total: 6 });
    });

    it("returns the specified fields of each, without the definition", async () => {
      const [first] = (await list({ pageSize: 1 })).data;
      expect(first).to.have.all.keys(
        ..."id organizationId folderId name description dataSource".split(" "),
        ..."templateType thumbnailUrl isActive createdAt updatedAt".split(" "),
        "createdBy",
      );
      expect(first?.createdBy).to.have.all.keys("id", "name", "email", "image");
    });

    it("sorts by last change on request", async () => {
      const [oldest = ""] = ids;
      const patch = { isFavorite: true };
      await createTemplates(store).patch(owner, oldest, patch, operator);
      expect((await list({ recentlyUpdated: true })).names[0]).to.equal(
        "Ärger",
      );
      expect((await list()).names[0]).to.equal("İstanbul");
    });

    it("searches names case-insensitively and treats % and _ as plain characters", async () => {
      expect(await search("ÄRG")).to.deep.equal(["Ärger"]);
      expect(await search("0% O")).to.deep.equal(["100% off"]);
      expect(await search("e_C")).to.deep.equal(["snake_case"]);
      expect(await search("n!")).to.deep.equal(["Plain!"]);
      expect(await search("İST")).to.deep.equal(["İstanbul"]);
      expect(await search("' OR 1=1")).to.deep.equal([]);
      expect(await search("")).to.have.lengthOf(6);
    });

    it("omits templates in the trash, which can still be read by id", async () => {
      const id = await publish(store, owner, { name: "Trash" });
      await store.unitOfWork.run((tx) =>
        tx.update(Template, { id }, { trashedAt: new Date() }),
      );
      expect((await list({ q: "trash" })).pagination.total).to.equal(0);
      const read = await createTemplates(store).get(owner.organizationId, id);
      expect(read).to.include({ isTrashed: true });
    });
  });
});
