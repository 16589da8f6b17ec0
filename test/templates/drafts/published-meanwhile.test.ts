import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { errorOf } from "../../support/caller.js";
import {
  changeOf,
  type Drafting,
  draftReplies,
  newDrafting,
  saying,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";

describe("a draft whose template others publish meanwhile", () => {
  const service = useService();
  let desk: Drafting;
  let template: string;
  before(async () => {
    desk = await newDrafting(service);
    template = `/api/templates/${desk.templateId}`;
  });
  const redefine = async (text: string) => {
    const body = { definition: saying(text) };
    const put = await desk.visitor.send("PUT", `${template}/definition`, body);
    expect(put.status).to.equal(200);
  };
  beforeEach(async () => {
    await desk.save(changeOf(await desk.open(), "draft"));
  });

  it("returns both definitions and cannot overwrite the other", async () => {
    await redefine("theirs");
    const view = await desk.open();
    expect(view.definition).to.deep.equal(saying("draft"));
    expect(view.published.definition).to.deep.equal(saying("theirs"));
    const body = { expectedRevision: view.revision };
    expect((await desk.publish(body)).status).to.equal(409);
    expect(await errorOf(await desk.publish(body))).to.contain("merge both");
  });

  it("is published after it was merged with the other", async () => {
    const { revision: expectedRevision, published } = await desk.open();
    const definition = saying("both");
    const change = { definition, expectedRevision, base: published.hash };
    const { revision } = await draftReplies.saved(await desk.save(change));
    const body = { expectedRevision: revision };
    const view = await draftReplies.view(await desk.publish(body));
    expect(view.definition).to.deep.equal(saying("both"));
  });

  it("cannot claim a base that is no longer published", async () => {
    const seen = await desk.open();
    await redefine("theirs again");
    await desk.visitor.send(
      "DELETE",
      `${desk.path}?expectedRevision=${seen.revision}`,
    );
    const late = { ...changeOf(seen, "late"), expectedRevision: 0 };
    const { revision } = await desk.open();
    const refused = await desk.save({ ...late, expectedRevision: revision });
    expect(await errorOf(refused)).to.contain("published again");
  });

  it("is not blocked by a new name or a star", async () => {
    await desk.visitor.send("PATCH", template, { name: "N", isFavorite: true });
    const { revision: expectedRevision } = await desk.open();
    const answer = await desk.publish({ expectedRevision });
    expect(answer.status).to.equal(200);
  });
});
