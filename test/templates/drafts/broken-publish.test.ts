import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  changeOf,
  type Drafting,
  newDrafting,
  saying,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";

const trap =
  "CREATE TRIGGER trap BEFORE UPDATE OF definition ON template_draft " +
  "WHEN NEW.definition IS NULL BEGIN SELECT RAISE(ABORT, 'gone'); END";

describe("an interrupted publication", () => {
  const service = useService();
  let desk: Drafting;
  before(async () => {
    desk = await newDrafting(service);
    await desk.save(changeOf(await desk.open(), "draft"));
  });

  it("publishes nothing and keeps the draft", async () => {
    const { unitOfWork } = service.store;
    const whole = await desk.open();
    await unitOfWork.run((tx) => tx.query(trap));
    const broken = await desk.publish({ expectedRevision: 1 });
    expect(broken.status).to.equal(500);
    expect(await desk.open()).to.deep.equal(whole);
    await unitOfWork.run((tx) => tx.query("DROP TRIGGER trap"));
    const mended = await desk.publish({ expectedRevision: 1 });
    expect(mended.status).to.equal(200);
    expect((await desk.open()).definition).to.deep.equal(saying("draft"));
  });
});
