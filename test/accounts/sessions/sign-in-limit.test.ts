import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { pressLink } from "../../support/studio.js";

describe("attempts to sign in", () => {
  const service = useService();

  it("are limited per minute with the time to wait", async () => {
    const answers: Response[] = [];
    // Twice as many as a minute allows: a new minute may begin meanwhile.
    for (let attempt = 0; attempt < 61; attempt++)
      answers.push(await pressLink(`${service.url}/studio/sign-in/${attempt}`));
    const rejected = answers.filter(({ status }) => status === 429);
    expect(rejected.length).to.be.above(0);
    expect(answers[0]?.status).to.equal(303);
    expect(Number(rejected[0]?.headers.get("retry-after"))).to.be.within(1, 60);
  });
});
