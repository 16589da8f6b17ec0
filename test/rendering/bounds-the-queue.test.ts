import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Deadline } from "../../core/plugin-api/index.js";
import type { Renderer } from "../../core/rendering/index.js";
import { endlessLayout, longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const LIMIT = 4;

describe("the queue", () => {
  let renderer: Renderer;

  before(async () => {
    renderer = await startRenderer({ pages: 1, queueLimit: LIMIT });
  });

  it("rejects jobs past its limit as busy, with the time to retry after", async () => {
    const jobs = Array.from({ length: LIMIT + 4 }, () =>
      renderer
        .pdf({ html: longTable(300), deadline: ample() })
        .catch((error: unknown) => error),
    );
    const rejected = (await Promise.all(jobs)).slice(LIMIT + 1);
    expect(rejected).to.have.lengthOf(3);
    for (const error of rejected) {
      expect(error).to.have.property("code", "busy");
      expect(error).to.have.property("retryAfterSeconds").that.is.at.least(1);
    }
    const job = { html: page("x"), deadline: ample() };
    expect(await renderer.pdf(job)).to.have.property("pages", 1);
  });

  it("removes a waiting job when its deadline passes", async () => {
    const client = new AbortController();
    const printing = renderer
      .pdf({
        html: endlessLayout(),
        deadline: Deadline.after(50_000, client.signal),
      })
      .catch((error: unknown) => error);
    const error: unknown = await renderer
      .pdf({ html: page("x"), deadline: Deadline.after(500) })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "timeout");
    expect(error).to.have.property("message").that.includes("free page");
    expect(renderer.health()).to.include({ queued: 0, busy: 1 });
    client.abort();
    await printing;
  });

  it("runs jobs in order of arrival", async () => {
    const done: number[] = [];
    const jobs = [0, 1, 2, 3, 4].map(async (turn) => {
      await renderer.pdf({ html: page(`${turn}`), deadline: ample() });
      done.push(turn);
    });
    await Promise.all(jobs);
    expect(done).to.deep.equal([0, 1, 2, 3, 4]);
  });
});
