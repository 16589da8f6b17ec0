import { expect } from "chai";
import { before, describe, it } from "mocha";
import { errorOf, replies } from "../../support/caller.js";
import {
  changeOf,
  type Drafting,
  draftReplies,
  newDrafting,
  saying,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

eachDatabase((_open, database) => {
  describe("publishing a draft", () => {
    const service = useService({ config: { database } });
    let desk: Drafting;
    before(async () => {
      desk = await newDrafting(service);
    });
    const template = async () =>
      replies.template(
        await desk.visitor.get(`/api/templates/${desk.templateId}`),
      );
    const saved = async (text: string) => {
      const answer = await desk.save(changeOf(await desk.open(), text));
      return (await draftReplies.saved(answer)).revision;
    };

    it("makes it the template's definition and deletes the draft", async () => {
      const expectedRevision = await saved("new");
      const body = { expectedRevision, createVersion: true, versionNote: "N" };
      const view = await draftReplies.view(await desk.publish(body));
      expect(view).to.include({ savedAt: null, isChanged: false });
      expect(view.base).to.include({ version: 2 });
      expect((await template()).definition).to.deep.equal(saying("new"));
    });

    it("rejects a draft with problems and changes nothing", async () => {
      const expectedRevision = await saved("{{ root. }}");
      const refused = await desk.publish({ expectedRevision });
      expect(refused.status).to.equal(400);
      expect(await errorOf(refused)).to.contain("$.components[0].text");
      expect((await template()).definition).to.deep.equal(saying("new"));
      expect((await desk.open()).savedAt).to.be.a("string");
    });

    it("rejects a draft that somebody else has saved since", async () => {
      const expectedRevision = await saved("mine");
      await saved("another's");
      const late = await desk.publish({ expectedRevision });
      expect(late.status).to.equal(409);
      expect((await template()).definition).to.deep.equal(saying("new"));
    });

    it("accepts one of two concurrent requests", async () => {
      const expectedRevision = await saved("twice");
      const { version } = await template();
      const body = { expectedRevision, createVersion: true };
      const both = await Promise.all([desk.publish(body), desk.publish(body)]);
      const statuses = both.map(({ status }) => status);
      expect(statuses).to.have.members([200, 409]);
      expect((await template()).version).to.equal(version + 1);
    });

    it("creates a version of the published definition when there is no draft", async () => {
      const { revision } = await draftReplies.view(
        await desk.publish({ expectedRevision: await saved("done") }),
      );
      const body = { expectedRevision: revision, createVersion: true };
      const view = await draftReplies.view(await desk.publish(body));
      expect(view.published.version).to.equal(4);
      expect(view.definition).to.deep.equal(saying("done"));
    });
  });
});
