import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, replies } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

eachDatabase((_open, database) => {
  describe("publishing a draft", () => {
    const service = useService({ config: { database } });
    let drafts: DraftClient;
    before(async () => {
      drafts = await newDraftClient(service);
    });
    const template = async () =>
      replies.template(
        await drafts.visitor.get(`/api/templates/${drafts.templateId}`),
      );
    const saved = async (text: string) => {
      const answer = await drafts.save(createChange(await drafts.open(), text));
      return (await draftReplies.saved(answer)).revision;
    };

    it("makes it the template's definition and deletes the draft", async () => {
      const expectedRevision = await saved("new");
      const body = { expectedRevision, createVersion: true, versionNote: "N" };
      const view = await draftReplies.view(await drafts.publish(body));
      expect(view).to.include({ savedAt: null, isChanged: false });
      expect(view.base).to.include({ version: 2 });
      expect((await template()).definition).to.deep.equal(
        definitionWithText("new"),
      );
    });

    it("rejects a draft with problems and changes nothing", async () => {
      const expectedRevision = await saved("{{ root. }}");
      const rejected = await drafts.publish({ expectedRevision });
      expect(rejected.status).to.equal(400);
      expect(await readError(rejected)).to.contain("$.components[0].text");
      expect((await template()).definition).to.deep.equal(
        definitionWithText("new"),
      );
      expect((await drafts.open()).savedAt).to.be.a("string");
    });

    it("rejects a draft that somebody else has saved since", async () => {
      const expectedRevision = await saved("mine");
      await saved("another's");
      const late = await drafts.publish({ expectedRevision });
      expect(late.status).to.equal(409);
      expect((await template()).definition).to.deep.equal(
        definitionWithText("new"),
      );
    });

    it("accepts one of two concurrent requests", async () => {
      const expectedRevision = await saved("twice");
      const { version } = await template();
      const body = { expectedRevision, createVersion: true };
      const both = await Promise.all([
        drafts.publish(body),
        drafts.publish(body),
      ]);
      const statuses = both.map(({ status }) => status);
      expect(statuses).to.have.members([200, 409]);
      expect((await template()).version).to.equal(version + 1);
    });

    it("creates a version of the published definition when there is no draft", async () => {
      const { revision } = await draftReplies.view(
        await drafts.publish({ expectedRevision: await saved("done") }),
      );
      const body = { expectedRevision: revision, createVersion: true };
      const view = await draftReplies.view(await drafts.publish(body));
      expect(view.published.version).to.equal(4);
      expect(view.definition).to.deep.equal(definitionWithText("done"));
    });
  });
});
