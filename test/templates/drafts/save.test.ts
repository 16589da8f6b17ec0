import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError } from "../../support/caller.js";
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
  describe("a template's draft", () => {
    const service = useService({ config: { database } });
    let drafts: DraftClient;
    before(async () => {
      drafts = await newDraftClient(service);
    });

    it("starts as the published definition", async () => {
      const { definition, ...view } = await drafts.open();
      expect(view).to.include({ revision: 0, savedAt: null, isChanged: false });
      expect(definition).to.deep.equal(view.base.definition);
      expect(view.published.hash).to.equal(view.base.hash);
    });

    it("is stored as it was saved, including problems, and publishes nothing", async () => {
      const seen = await drafts.open();
      const definition = { ...definitionWithText("{{ root. }}"), page: "odd" };
      const answer = await drafts.save({
        ...createChange(seen, ""),
        definition,
      });
      expect(await draftReplies.saved(answer)).to.include({ revision: 1 });
      const now = await drafts.open();
      expect(now.definition).to.deep.equal(definition);
      expect(now).to.include({ isChanged: true, savedBy: "Ada" });
      expect(now.published).to.deep.equal(seen.published);
    });

    it("returns the validation results of the saved definition in the response of the save", async () => {
      const other = await newDraftClient(service);
      const seen = await other.open();
      const change = createChange(seen, "{{ root. }}");
      const { facts } = await draftReplies.saved(await other.save(change));
      const paths = facts.problems.map(({ path }) => path);
      expect(paths).to.deep.equal(["$.components[0].text"]);
    });

    it("is unchanged when only the order of properties differs", async () => {
      const other = await newDraftClient(service);
      const seen = await other.open();
      const turned = Object.entries(seen.definition).toReversed();
      const definition = Object.fromEntries(turned);
      await other.save({ ...createChange(seen, ""), definition });
      expect((await other.open()).isChanged).to.equal(false);
    });

    it("accepts one of two concurrent saves and rejects the other", async () => {
      for (const begin of [drafts, await newDraftClient(service)]) {
        const seen = await begin.open();
        const texts = ["one", "two", "three"];
        const answers = await Promise.all(
          texts.map((text) => begin.save(createChange(seen, text))),
        );
        const winners = texts.filter((_, at) => answers[at]?.status === 200);
        expect(answers.map(({ status }) => status)).to.have.members([
          200, 409, 409,
        ]);
        const now = await begin.open();
        expect(now.definition).to.deep.equal(
          definitionWithText(winners[0] ?? ""),
        );
        expect(now.revision).to.equal(seen.revision + 1);
      }
    });

    it("reports that somebody else saved first", async () => {
      const late = await drafts.save({
        ...createChange(await drafts.open(), "late"),
        expectedRevision: 1,
      });
      expect(await readError(late)).to.contain("Somebody else has changed");
    });
  });
});
