import { expect } from "chai";
import { describe, it } from "mocha";
import { readError } from "../../support/caller.js";
import { newDraftClient } from "../../support/draft-client.js";
import { useService } from "../../support/service.js";

describe("a version's note from the editor", () => {
  const service = useService();

  it("has the length limit of the public API, and nothing is published when it is longer", async () => {
    const drafts = await newDraftClient(service);
    const { revision: expectedRevision } = await drafts.open();
    const publish = (length: number) =>
      drafts.publish({
        expectedRevision,
        createVersion: true,
        versionNote: "n".repeat(length),
      });
    const answer = await publish(10_001);
    expect(answer.status).to.equal(400);
    expect(await readError(answer)).to.contain("$.versionNote");
    expect((await drafts.open()).published.version).to.equal(1);
    expect((await publish(10_000)).status).to.equal(200);
  });
});
