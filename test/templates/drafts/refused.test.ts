import { expect } from "chai";
import { before, describe, it } from "mocha";
import { errorOf } from "../../support/caller.js";
import {
  changeOf,
  type Drafting,
  newDrafting,
  saying,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";

describe("a draft is rejected", () => {
  const service = useService();
  let desk: Drafting;
  before(async () => {
    desk = await newDrafting(service);
  });
  const refusal = async (change: object) => {
    const answer = await desk.save({
      ...changeOf(await desk.open(), "good"),
      ...change,
    });
    return [answer.status, await errorOf(answer)] as const;
  };

  it("when it is not a definition", async () => {
    for (const definition of [undefined, null, 3, [], {}, { schema: [] }]) {
      const [status, error] = await refusal({ definition });
      expect(status).to.equal(400);
      expect(error).to.contain("$.definition");
    }
  });

  it("when it is over 2 MiB", async () => {
    const definition = saying("x".repeat(2 * 1024 * 1024));
    const [status, error] = await refusal({ definition });
    expect(status).to.equal(413);
    expect(error).to.contain("2097152");
  });

  it("when it does not name the revision that it is based on", async () => {
    for (const expectedRevision of [undefined, null, "one", -1, 0.5])
      expect((await refusal({ expectedRevision }))[0]).to.equal(400);
    expect((await refusal({ base: undefined }))[0]).to.equal(400);
    expect((await refusal({ base: "0" }))[0]).to.equal(409);
  });
});
