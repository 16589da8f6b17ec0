import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { TemplateOwner } from "../../core/templates/index.js";
import { type Store, Template } from "../../core/storage/database/index.js";
import {
  eachDatabase,
  getRejection,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("versions of a template", () => {
  eachDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
    });
    const versions = (id: string) =>
      createTemplates(store).versions(owner.organizationId, id);

    it("start with a snapshot of the published definition", async () => {
      const id = await publish(store, owner);
      const [first, ...more] = await versions(id);
      expect(more).to.deep.equal([]);
      expect(first).to.include({ templateId: id, version: 1, description: "" });
      expect(first?.id).to.match(/^ver_[\da-f-]{36}$/);
      expect(first?.createdBy).to.have.all.keys("id", "name", "email", "image");
    });

    it("are created one by one and listed newest first, even when requested concurrently", async () => {
      const id = await publish(store, owner);
      await Promise.all(
        Array.from({ length: 5 }, () =>
          createTemplates(store).patch(
            owner,
            id,
            { createVersion: true },
            operator,
          ),
        ),
      );
      const numbers = (await versions(id)).map(({ version }) => version);
      expect(numbers).to.deep.equal([6, 5, 4, 3, 2, 1]);
      const { version } = await createTemplates(store).get(
        owner.organizationId,
        id,
      );
      expect(version).to.equal(6);
    });

    it("keep their definition when the live one changes", async () => {
      const id = await publish(store, owner);
      const { definition } = await createTemplates(store).get(
        owner.organizationId,
        id,
      );
      await store.unitOfWork.run((tx) =>
        tx.update(
          Template,
          { id },
          { definition: { schema: [], components: [] } },
        ),
      );
      const [first] = await versions(id);
      const detail = await createTemplates(store).version(
        owner.organizationId,
        id,
        first?.id ?? "",
      );
      expect(detail).to.deep.include({ definition, createdById: owner.userId });
      expect(detail).to.not.have.property("createdBy");
    });

    it("are not found under another template, organization or number", async () => {
      const id = await publish(store, owner);
      const other = await publish(store, owner);
      const [{ id: version } = { id: "" }] = await versions(id);
      const stranger = (await newOwner(store)).organizationId;
      const templates = createTemplates(store);
      const mine = owner.organizationId;
      for (const attempt of [
        () => templates.version(mine, other, version),
        () => templates.version(stranger, id, version),
        () => templates.version(mine, id, id),
        () => templates.version(mine, "no-id", version),
        () => templates.versions(stranger, id),
      ])
        expect(await getRejection(attempt())).to.include({ code: "not_found" });
    });
  });
});
