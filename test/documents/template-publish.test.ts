import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { TemplateOwner } from "../../core/templates/index.js";
import {
  AuditEvent,
  type Store,
  Template,
} from "../../core/storage/database/index.js";
import {
  anyDatabase,
  getProblemPaths,
  definition,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("publishing a template", () => {
  anyDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
    });

    const problems = (input: unknown) =>
      getProblemPaths(createTemplates(store).publish(owner, input, operator));

    it("creates version 1, active, with an entry in the audit log", async () => {
      const id = await publish(store, owner, { description: "For all" });
      const template = await createTemplates(store).get(
        owner.organizationId,
        id,
      );
      expect(template).to.include({
        name: "Letter",
        description: "For all",
        templateType: "document",
        version: 1,
        isActive: true,
        isFavorite: false,
        isTrashed: false,
        dataSource: null,
        createdById: owner.userId,
      });
      expect(
        await store.read.findOneBy(AuditEvent, { subject: id }),
      ).to.include({
        action: "template.imported",
        organizationId: owner.organizationId,
      });
    });

    it("gives every component an id and exports a definition that can be published again", async () => {
      const id = await publish(store, owner);
      const { organizationId } = owner;
      const file = await createTemplates(store).export(organizationId, id);
      const again = await publish(store, owner, file);
      const rows = await store.read.findBy(Template, [{ id }, { id: again }]);
      expect(new Set(rows.map((row) => row.definitionHash)).size).to.equal(1);
      expect(
        await createTemplates(store).export(organizationId, again),
      ).to.deep.equal(file);
    });

    it("stores the data source when the root has a connection", async () => {
      const [root] = definition.schema;
      const connection = {
        platform: "airtable",
        baseId: "app1",
        tableId: "tbl1",
      };
      const schema = [{ ...root, connection }];
      const id = await publish(store, owner, {
        definition: { ...definition, schema },
      });
      const { dataSource } = await createTemplates(store).get(
        owner.organizationId,
        id,
      );
      expect(dataSource).to.deep.equal({ ...connection, connectionId: null });
    });

    it("reports every problem at once and writes nothing", async () => {
      const total = await store.read.count(Template);
      const broken = {
        name: "",
        flavour: "mint",
        definition: {
          ...definition,
          components: [{ type: "txet" }, { type: "heading" }],
        },
      };
      const paths = await problems(broken);
      expect(paths).to.include.members([
        "$.name",
        "$.flavour",
        "$.components[0].type",
      ]);
      expect(paths.some((path) => path.startsWith("$.components[1]"))).to.equal(
        true,
      );
      expect(paths).to.have.lengthOf.at.least(4);
      expect(await store.read.count(Template)).to.equal(total);
    });

    it("rejects input that is not a template", async () => {
      for (const input of [null, 7, [], "{}"])
        expect(await problems(input)).to.deep.equal(["$"]);
      expect(await problems({ name: "N" })).to.deep.equal(["$.definition"]);
    });
  });
});
