import { expect } from "chai";
import { before, describe, it } from "mocha";
import { AuditEvent } from "../../../core/storage/database/index.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("discarding a draft", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
    await drafts.save(createChange(await drafts.open(), "draft"));
  });
  const discard = (revision: number) =>
    drafts.visitor.send(
      "DELETE",
      `${drafts.path}?expectedRevision=${revision}`,
    );

  it("is rejected when somebody else has saved since", async () => {
    expect((await discard(0)).status).to.equal(409);
    expect((await drafts.open()).savedAt).to.be.a("string");
  });

  it("restores the published definition and is recorded in the audit log", async () => {
    const { revision, base } = await drafts.open();
    const view = await draftReplies.view(await discard(revision));
    expect(view).to.include({ savedAt: null, isChanged: false });
    expect(view.definition).to.deep.equal(base.definition);
    const { userId, organizationId } = drafts.visitor;
    const notes = await service.store.read.findBy(AuditEvent, {
      organizationId,
      action: "template.draft_discarded",
    });
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include({ userId, subject: drafts.templateId });
  });
});
