import { expect } from "chai";
import { before, describe, it } from "mocha";
import { errorOf } from "../../support/caller.js";
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
  describe("a template's draft", () => {
    const service = useService({ config: { database } });
    let desk: Drafting;
    before(async () => {
      desk = await newDrafting(service);
    });

    it("starts as the published definition", async () => {
      const { definition, ...view } = await desk.open();
      expect(view).to.include({ revision: 0, savedAt: null, isChanged: false });
      expect(definition).to.deep.equal(view.base.definition);
      expect(view.published.hash).to.equal(view.base.hash);
    });

    it("is stored as it was saved, including problems, and publishes nothing", async () => {
      const seen = await desk.open();
      const definition = { ...saying("{{ root. }}"), page: "odd" };
      const answer = await desk.save({ ...changeOf(seen, ""), definition });
      expect(await draftReplies.saved(answer)).to.include({ revision: 1 });
      const now = await desk.open();
      expect(now.definition).to.deep.equal(definition);
      expect(now).to.include({ isChanged: true, savedBy: "Ada" });
      expect(now.published).to.deep.equal(seen.published);
    });

    it("returns the validation results of the saved definition in the response of the save", async () => {
      const other = await newDrafting(service);
      const seen = await other.open();
      const change = changeOf(seen, "{{ root. }}");
      const { facts } = await draftReplies.saved(await other.save(change));
      const paths = facts.problems.map(({ path }) => path);
      expect(paths).to.deep.equal(["$.components[0].text"]);
    });

    it("is unchanged when only the order of properties differs", async () => {
      const other = await newDrafting(service);
      const seen = await other.open();
      const turned = Object.entries(seen.definition).toReversed();
      const definition = Object.fromEntries(turned);
      await other.save({ ...changeOf(seen, ""), definition });
      expect((await other.open()).isChanged).to.equal(false);
    });

    it("accepts one of two concurrent saves and rejects the other", async () => {
      for (const begin of [desk, await newDrafting(service)]) {
        const seen = await begin.open();
        const texts = ["one", "two", "three"];
        const answers = await Promise.all(
          texts.map((text) => begin.save(changeOf(seen, text))),
        );
        const winners = texts.filter((_, at) => answers[at]?.status === 200);
        expect(answers.map(({ status }) => status)).to.have.members([
          200, 409, 409,
        ]);
        const now = await begin.open();
        expect(now.definition).to.deep.equal(saying(winners[0] ?? ""));
        expect(now.revision).to.equal(seen.revision + 1);
      }
    });

    it("reports that somebody else saved first", async () => {
      const late = await desk.save({
        ...changeOf(await desk.open(), "late"),
        expectedRevision: 1,
      });
      expect(await errorOf(late)).to.contain("Somebody else has changed");
    });
  });
});
