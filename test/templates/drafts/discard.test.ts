import { expect } from "chai";
import { before, describe, it } from "mocha";
import { AuditEvent } from "../../../core/storage/database/index.js";
import {
  changeOf,
  type Drafting,
  draftReplies,
  newDrafting,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";

describe("discarding a draft", () => {
  const service = useService();
  let desk: Drafting;
  before(async () => {
    desk = await newDrafting(service);
    await desk.save(changeOf(await desk.open(), "draft"));
  });
  const discard = (revision: number) =>
    desk.visitor.send("DELETE", `${desk.path}?expectedRevision=${revision}`);

  it("is rejected when somebody else has saved since", async () => {
    expect((await discard(0)).status).to.equal(409);
    expect((await desk.open()).savedAt).to.be.a("string");
  });

  it("restores the published definition and is recorded in the audit log", async () => {
    const { revision, base } = await desk.open();
    const view = await draftReplies.view(await discard(revision));
    expect(view).to.include({ savedAt: null, isChanged: false });
    expect(view.definition).to.deep.equal(base.definition);
    const { userId, organizationId } = desk.visitor;
    const notes = await service.store.read.findBy(AuditEvent, {
      organizationId,
      action: "template.draft_discarded",
    });
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include({ userId, subject: desk.templateId });
  });
});
