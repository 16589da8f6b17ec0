import { expect } from "chai";
import { describe, it } from "mocha";
import { Session } from "../../../core/storage/database/index.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { newVisitor } from "../../support/studio.js";

describe("a session in use", () => {
  const service = useService();

  it("is recorded as used, so that it does not expire", async () => {
    const { userId, ...visitor } = await newVisitor(service);
    const { read, unitOfWork } = service.store;
    const before = new Date(Date.now() - 10 * 60_000);
    await unitOfWork.run((tx) =>
      tx.update(Session, { userId }, { lastSeenAt: before }),
    );
    expect((await visitor.get("/api/templates")).status).to.equal(200);
    const noted = await eventually(async () => {
      const { lastSeenAt } = await read.findOneByOrFail(Session, { userId });
      return lastSeenAt > before && lastSeenAt;
    });
    expect(noted.getTime()).to.be.above(Date.now() - 5 * 60_000);
  });
});
