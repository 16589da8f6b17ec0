import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  changeOf,
  type Drafting,
  newDrafting,
} from "../../support/drafting.js";
import { useService } from "../../support/service.js";

describe("a late save", () => {
  const service = useService();
  let desk: Drafting;
  before(async () => {
    desk = await newDrafting(service);
  });
  const save = async (text: string) =>
    desk.save(changeOf(await desk.open(), text));

  it("is not accepted for the next draft, however many saves that one had", async () => {
    await save("first draft");
    const slow = changeOf(await desk.open(), "from the first draft");
    await desk.publish({ expectedRevision: slow.expectedRevision });
    for (const text of ["second draft", "a word more"]) {
      await save(text);
      const late = { ...slow, base: (await desk.open()).base.hash };
      expect((await desk.save(late)).status).to.equal(409);
    }
  });
});
