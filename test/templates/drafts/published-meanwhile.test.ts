import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { readError } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("a draft whose template others publish meanwhile", () => {
  const service = useService();
  let drafts: DraftClient;
  let template: string;
  before(async () => {
    drafts = await newDraftClient(service);
    template = `/api/templates/${drafts.templateId}`;
  });
  const redefine = async (text: string) => {
    const body = { definition: definitionWithText(text) };
    const put = await drafts.visitor.send(
      "PUT",
      `${template}/definition`,
      body,
    );
    expect(put.status).to.equal(200);
  };
  beforeEach(async () => {
    await drafts.save(createChange(await drafts.open(), "draft"));
  });

  it("returns both definitions and cannot overwrite the other", async () => {
    await redefine("theirs");
    const view = await drafts.open();
    expect(view.definition).to.deep.equal(definitionWithText("draft"));
    expect(view.published.definition).to.deep.equal(
      definitionWithText("theirs"),
    );
    const body = { expectedRevision: view.revision };
    expect((await drafts.publish(body)).status).to.equal(409);
    expect(await readError(await drafts.publish(body))).to.contain(
      "merge both",
    );
  });

  it("is published after it was merged with the other", async () => {
    const { revision: expectedRevision, published } = await drafts.open();
    const definition = definitionWithText("both");
    const change = { definition, expectedRevision, base: published.hash };
    const { revision } = await draftReplies.saved(await drafts.save(change));
    const body = { expectedRevision: revision };
    const view = await draftReplies.view(await drafts.publish(body));
    expect(view.definition).to.deep.equal(definitionWithText("both"));
  });

  it("cannot claim a base that is no longer published", async () => {
    const seen = await drafts.open();
    await redefine("theirs again");
    await drafts.visitor.send(
      "DELETE",
      `${drafts.path}?expectedRevision=${seen.revision}`,
    );
    const late = { ...createChange(seen, "late"), expectedRevision: 0 };
    const { revision } = await drafts.open();
    const rejected = await drafts.save({ ...late, expectedRevision: revision });
    expect(await readError(rejected)).to.contain("published again");
  });

  it("is not blocked by a new name or a star", async () => {
    await drafts.visitor.send("PATCH", template, {
      name: "N",
      isFavorite: true,
    });
    const { revision: expectedRevision } = await drafts.open();
    const answer = await drafts.publish({ expectedRevision });
    expect(answer.status).to.equal(200);
  });
});
