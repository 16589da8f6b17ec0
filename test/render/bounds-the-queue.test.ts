import { expect } from "chai";
import { Deadline } from "../../core/contract/index.js";
import { endlessLayout, longTable } from "../support/hard-documents.js";
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

  it("lets go of whoever waits past its deadline", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const printing = renderer
      .pdf({ html: endlessLayout(), deadline: Deadline.after(2_000) })
      .catch((error: unknown) => error);
    const error: unknown = await renderer
      .pdf({ html: page("x"), deadline: Deadline.after(500) })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "timeout");
    expect(error).to.have.property("message").that.includes("free page");
    expect(renderer.health()).to.include({ queued: 0, busy: 1 });
    await printing;
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
