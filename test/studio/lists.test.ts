import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import {
  Document,
  newId,
  Template,
} from "../../core/storage/database/index.js";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";
import { newVisitor, type TestVisitor } from "../support/studio.js";

const named = reader(
  z.object({
    data: z.array(z.object({ name: z.string(), isFavorite: z.boolean() })),
    total: z.int(),
  }),
);
const logged = reader(
  z.object({
    data: z.array(
      z.object({ status: z.string(), error: z.string().nullable() }),
    ),
    total: z.int(),
  }),
);

const identified = reader(z.object({ id: z.string() }));

eachDatabase((_open, database) => {
  describe("the studio's lists", () => {
    const service = useService({ config: { database } });
    let visitor: TestVisitor;
    let templateId: string;
    before(async () => {
      visitor = await newVisitor(service);
      for (const name of ["Invoice", "Quote", "Final 100% invoice"])
        templateId = await publish(service.store, visitor, { name });
      await publish(service.store, await newVisitor(service));
    });
    const names = async (query: string) => {
      const response = await visitor.get(`/studio/api/templates?${query}`);
      return (await named(response)).data.map(({ name }) => name);
    };

    const documents = async (query: string) =>
      logged(await visitor.get(`/studio/api/documents?${query}`));

    it("find templates by name, star and change, in the organization only", async () => {
      expect(await names("")).to.deep.equal([
        "Final 100% invoice",
        "Quote",
        "Invoice",
      ]);
      expect(await names("q=%25%20INV")).to.deep.equal(["Final 100% invoice"]);
      expect(await names("show=favorites")).to.deep.equal([]);
      const { id } = await service.store.read.findOneByOrFail(Template, {
        organizationId: visitor.organizationId,
        name: "Invoice",
      });
      const star = { isFavorite: true };
      await visitor.send("PATCH", `/api/templates/${id}`, star);
      expect(await names("show=favorites")).to.deep.equal(["Invoice"]);
      expect((await names("show=recent"))[0]).to.equal("Invoice");
      expect(await names("page=2")).to.deep.equal([]);
      expect(await names("page=none&show=odd")).to.have.length(3);
    });

    it("say which templates have unpublished changes", async () => {
      const own = await newVisitor(service);
      const id = await publish(service.store, own, { name: "Offer" });
      await publish(service.store, own, { name: "Other" });
      const drafts = reader(
        z.object({
          revision: z.number(),
          base: z.object({ hash: z.string() }),
          definition: z.record(z.string(), z.unknown()),
        }),
      );
      const cards = reader(
        z.object({
          data: z.array(
            z.object({ name: z.string(), hasUnpublishedChanges: z.boolean() }),
          ),
        }),
      );
      const changed = async () =>
        (await cards(await own.get("/studio/api/templates"))).data
          .filter((card) => card.hasUnpublishedChanges)
          .map(({ name }) => name);
      expect(await changed()).to.deep.equal([]);
      const save = async (components: unknown) => {
        const draft = await drafts(await own.get(`/studio/api/drafts/${id}`));
        await own.send("PUT", `/studio/api/drafts/${id}`, {
          definition: { ...draft.definition, components },
          expectedRevision: draft.revision,
          base: draft.base.hash,
        });
        return draft.definition["components"];
      };
      const published = await save([{ type: "text", id: "a", text: "New" }]);
      expect(await changed()).to.deep.equal(["Offer"]);
      await save(published);
      expect(await changed()).to.deep.equal([]);
    });

    it("find templates by folder, and separately those in the trash", async () => {
      const owner = await newVisitor(service);
      const [one, other] = [
        await publish(service.store, owner, { name: "Kept" }),
        await publish(service.store, owner, { name: "Dropped" }),
      ];
      const order = { name: "Sales", kind: "template" };
      const made = await owner.send("POST", "/api/folders", order);
      const folder = await identified(made, 201);
      const place = { folderId: folder.id };
      await owner.send("PATCH", `/api/templates/${one}`, place);
      await owner.send("DELETE", `/api/templates/${other}`);
      const found = async (query: string) => {
        const response = await owner.get(`/studio/api/templates?${query}`);
        return (await named(response)).data.map(({ name }) => name);
      };
      expect(await found("")).to.deep.equal(["Kept"]);
      expect(await found(`folderId=${folder.id}`)).to.deep.equal(["Kept"]);
      expect(await found(`folderId=${newId()}`)).to.deep.equal([]);
      expect(await found("show=trash")).to.deep.equal(["Dropped"]);
      expect(await names("show=trash")).to.deep.equal([]);
    });

    it("find documents by status, with the reason of their failure", async () => {
      for (const data of [{ name: "Ada" }, { name: "Eve" }])
        await visitor.send("POST", "/api/export", {
          templateId,
          data,
          formats: ["html"],
        });
      const failed = { status: "failed", error: "The printer burns." } as const;
      const [one] = await service.store.read.findBy(Document, { templateId });
      await service.store.unitOfWork.run((tx) =>
        tx.update(Document, { id: one?.id ?? newId() }, failed),
      );
      expect((await documents("")).total).to.equal(2);
      expect((await documents("status=failed")).data).to.deep.equal([failed]);
      const either = "status=failed&status=succeeded";
      expect((await documents(either)).total).to.equal(2);
      expect((await documents("status=expired")).data).to.deep.equal([]);
      expect((await documents(`templateId=${newId()}`)).total).to.equal(0);
    });
  });
});
