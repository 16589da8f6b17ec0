import { expect } from "chai";
import { longTable } from "../support/hard-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("the queue", () => {
  it("answers busy past its limit and says when to come back", async () => {
    const renderer = await startRenderer({ pages: 1, queueLimit: 2 });
    const jobs = Array.from({ length: 6 }, () =>
      renderer
        .pdf({ html: longTable(300), deadline: ample() })
        .catch((error: unknown) => error),
    );
    const refused = (await Promise.all(jobs)).slice(3);
    for (const error of refused) {
      expect(error).to.have.property("code", "busy");
      expect(error).to.have.property("retryAfterSeconds").that.is.at.least(1);
    }
    const job = { html: page("x"), deadline: ample() };
    expect(await renderer.pdf(job)).to.have.property("pages", 1);
    await renderer.stop();
  });

  it("serves in the order of arrival", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const done: number[] = [];
    const jobs = [0, 1, 2, 3, 4].map(async (turn) => {
      await renderer.pdf({ html: page(`${turn}`), deadline: ample() });
      done.push(turn);
    });
    await Promise.all(jobs);
    expect(done).to.deep.equal([0, 1, 2, 3, 4]);
    await renderer.stop();
  });
});
