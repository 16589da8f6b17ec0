import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { readError, replies } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

const trigger =
  "CREATE TRIGGER trap BEFORE UPDATE OF definition ON template_draft " +
  "WHEN NEW.definition IS NULL BEGIN SELECT RAISE(ABORT, 'gone'); END";

describe("publishing a draft", () => {
  const service = useService();
  let drafts: DraftClient;
  let template = "";
  beforeEach(async () => {
    drafts = await newDraftClient(service);
    template = `/api/templates/${drafts.templateId}`;
  });
  const save = async (text: string) => {
    const answer = await drafts.save(createChange(await drafts.open(), text));
    return (await draftReplies.saved(answer)).revision;
  };
  const publish = async (expectedRevision: number, more: object = {}) =>
    draftReplies.view(await drafts.publish({ expectedRevision, ...more }));
  const redefine = async (text: string) => {
    const body = { definition: definitionWithText(text) };
    const path = `${template}/definition`;
    const response = await drafts.visitor.send("PUT", path, body);
    expect(response.status).to.equal(200);
  };

  it("makes it the template's definition and deletes the draft", async () => {
    const version = { createVersion: true, versionNote: "N" };
    const view = await publish(await save("new"), version);
    expect(view).to.include({ savedAt: null, isChanged: false });
    expect(view.base).to.include({ version: 2 });
    const published = await drafts.visitor.get(template);
    const { definition } = await replies.template(published);
    expect(definition).to.deep.equal(definitionWithText("new"));
  });

  it("creates a version of the published definition when there is no draft", async () => {
    const { revision } = await publish(await save("done"));
    const view = await publish(revision, { createVersion: true });
    expect(view.published.version).to.equal(2);
    expect(view.definition).to.deep.equal(definitionWithText("done"));
  });

  it("is rejected for a draft with problems and for one that somebody else has saved since, and changes nothing", async () => {
    const { published } = await drafts.open();
    const first = await save("{{ root. }}");
    const broken = await drafts.publish({ expectedRevision: first });
    expect(broken.status).to.equal(400);
    expect(await readError(broken)).to.contain("$.components[0].text");
    const mine = await save("mine");
    await save("another's");
    const late = await drafts.publish({ expectedRevision: mine });
    expect(late.status).to.equal(409);
    const now = await drafts.open();
    expect(now.published).to.deep.equal(published);
    expect(now.savedAt).to.be.a("string");
  });

  it("limits a version's note as the public API does", async () => {
    const expectedRevision = await save("noted");
    const publishWithNote = (length: number) =>
      drafts.publish({
        expectedRevision,
        createVersion: true,
        versionNote: "n".repeat(length),
      });
    const answer = await publishWithNote(10_001);
    expect(answer.status).to.equal(400);
    expect(await readError(answer)).to.contain("$.versionNote");
    expect((await drafts.open()).published.version).to.equal(1);
    expect((await publishWithNote(10_000)).status).to.equal(200);
  });

  it("publishes nothing and keeps the draft when it is interrupted", async () => {
    const { unitOfWork } = service.store;
    const expectedRevision = await save("draft");
    const whole = await drafts.open();
    await unitOfWork.run((tx) => tx.query(trigger));
    const broken = await drafts.publish({ expectedRevision });
    await unitOfWork.run((tx) => tx.query("DROP TRIGGER trap"));
    expect(broken.status).to.equal(500);
    expect(await drafts.open()).to.deep.equal(whole);
    const { definition } = await publish(expectedRevision);
    expect(definition).to.deep.equal(definitionWithText("draft"));
  });

  it("cannot overwrite what others published meanwhile, until the draft was merged with it", async () => {
    await save("draft");
    await redefine("theirs");
    const { definition, published, revision } = await drafts.open();
    expect(definition).to.deep.equal(definitionWithText("draft"));
    expect(published.definition).to.deep.equal(definitionWithText("theirs"));
    const refused = await drafts.publish({ expectedRevision: revision });
    expect(refused.status).to.equal(409);
    expect(await readError(refused)).to.contain("merge both");
    const both = {
      definition: definitionWithText("both"),
      expectedRevision: revision,
      base: published.hash,
    };
    const merged = await draftReplies.saved(await drafts.save(both));
    const view = await publish(merged.revision);
    expect(view.definition).to.deep.equal(definitionWithText("both"));
  });

  it("cannot begin with a base that is no longer published", async () => {
    await save("draft");
    const seen = await drafts.open();
    await redefine("theirs again");
    await drafts.visitor.send(
      "DELETE",
      `${drafts.path}?expectedRevision=${seen.revision}`,
    );
    const { revision: expectedRevision } = await drafts.open();
    const late = { ...createChange(seen, "late"), expectedRevision };
    expect(await readError(await drafts.save(late))).to.contain(
      "published again",
    );
  });

  it("is not blocked by a new name or a star", async () => {
    const revision = await save("draft");
    const change = { name: "N", isFavorite: true };
    await drafts.visitor.send("PATCH", template, change);
    await publish(revision);
  });
});
