import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  createChange,
  type DraftClient,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

const trigger =
  "CREATE TRIGGER trap BEFORE UPDATE OF definition ON template_draft " +
  "WHEN NEW.definition IS NULL BEGIN SELECT RAISE(ABORT, 'gone'); END";

describe("an interrupted publication", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
    await drafts.save(createChange(await drafts.open(), "draft"));
  });

  it("publishes nothing and keeps the draft", async () => {
    const { unitOfWork } = service.store;
    const whole = await drafts.open();
    await unitOfWork.run((tx) => tx.query(trigger));
    const broken = await drafts.publish({ expectedRevision: 1 });
    expect(broken.status).to.equal(500);
    expect(await drafts.open()).to.deep.equal(whole);
    await unitOfWork.run((tx) => tx.query("DROP TRIGGER trap"));
    const republished = await drafts.publish({ expectedRevision: 1 });
    expect(republished.status).to.equal(200);
    expect((await drafts.open()).definition).to.deep.equal(
      definitionWithText("draft"),
    );
  });
});
