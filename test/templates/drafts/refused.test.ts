import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("a draft is rejected", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
  });
  const rejection = async (change: object) => {
    const answer = await drafts.save({
      ...createChange(await drafts.open(), "good"),
      ...change,
    });
    return [answer.status, await readError(answer)] as const;
  };

  it("when it is not a definition", async () => {
    for (const definition of [undefined, null, 3, [], {}, { schema: [] }]) {
      const [status, error] = await rejection({ definition });
      expect(status).to.equal(400);
      expect(error).to.contain("$.definition");
    }
  });

  it("when it is over 2 MiB", async () => {
    const definition = definitionWithText("x".repeat(2 * 1024 * 1024));
    const [status, error] = await rejection({ definition });
    expect(status).to.equal(413);
    expect(error).to.contain("2097152");
  });

  it("when it does not name the revision that it is based on", async () => {
    for (const expectedRevision of [undefined, null, "one", -1, 0.5])
      expect((await rejection({ expectedRevision }))[0]).to.equal(400);
    expect((await rejection({ base: undefined }))[0]).to.equal(400);
    expect((await rejection({ base: "0" }))[0]).to.equal(409);
  });
});
