import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  createChange,
  type DraftClient,
  newDraftClient,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("a late save", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
  });
  const save = async (text: string) =>
    drafts.save(createChange(await drafts.open(), text));

  it("is not accepted for the next draft, however many saves that one had", async () => {
    await save("first draft");
    const slow = createChange(await drafts.open(), "from the first draft");
    await drafts.publish({ expectedRevision: slow.expectedRevision });
    for (const text of ["second draft", "a word more"]) {
      await save(text);
      const late = { ...slow, base: (await drafts.open()).base.hash };
      expect((await drafts.save(late)).status).to.equal(409);
    }
  });
});
