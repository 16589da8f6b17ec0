import { expect } from "chai";
import { describe, it } from "mocha";
import { readError } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

const print = (visitor: TestVisitor) =>
  visitor.send("POST", "/studio/api/drafts/print", {});

describe("prints of drafts, which are not counted as documents,", () => {
  const service = useService();

  it("are rate-limited so that programs cannot replace documents by them", async () => {
    const one = await newVisitor(service, "editor");
    // A minute may end under way, so that twice as many are let through.
    let answer = await print(one);
    for (let made = 1; made <= 240 && answer.status === 400; made++)
      answer = await print(one);
    expect(answer.status).to.equal(429);
    expect(answer.headers.get("retry-after")).to.match(/^\d+$/);
    expect(await readError(answer)).to.contain("120 requests in a minute");
    const { organizationId } = one;
    const other = await newVisitor(service, "editor", organizationId);
    expect((await print(other)).status).to.equal(400);
  });

  it("require the permission to create documents", async () => {
    const answer = await print(await newVisitor(service, "viewer"));
    expect(await readError(answer)).to.contain("requires the role editor");
  });
});
