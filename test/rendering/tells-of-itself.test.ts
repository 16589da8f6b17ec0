import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import type { FinishedRender } from "../../core/rendering/index.js";
import { until } from "../support/eventually.js";
import { endlessLayout } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("the statistics of a renderer", () => {
  it("contain each job with its outcome, totals, and the length of each queue", async () => {
    const renderer = await startRenderer({ pages: 1, queueLimit: 2 });
    const finished: FinishedRender[] = [];
    const unsubscribe = renderer.observe((render) => finished.push(render));
    const client = new AbortController();
    const jobs = [
      { html: endlessLayout(), deadline: Deadline.after(1_000) },
      { html: page("x"), deadline: Deadline.after(40_000, client.signal) },
      { html: page("x"), deadline: ample() },
      { html: page("x"), deadline: ample() },
    ].map((job) => renderer.pdf(job).catch(() => null));
    const asked = renderer.stats();
    client.abort();
    await Promise.all(jobs);
    const { lanes } = await asked;
    unsubscribe();
    await renderer.pdf({ html: page("x"), deadline: ample() });
    const { renders, pagesReplaced, lanes: after } = await renderer.stats();
    expect(
      finished.map(({ kind, outcome }) => `${kind} ${outcome}`),
    ).to.deep.equal([
      "pdf busy",
      "pdf cancelled",
      "pdf timeout",
      "pdf success",
    ]);
    expect(finished.at(-1)?.durationMs).to.be.greaterThan(0);
    expect(renders.pdf).to.deep.equal({
      success: 2,
      timeout: 1,
      cancelled: 1,
      crashed: 0,
      busy: 1,
      failed: 0,
    });
    expect(pagesReplaced).to.equal(1);
    expect(lanes).to.deep.equal({
      short: { queued: 2, busy: 1 },
      long: { queued: 0, busy: 0 },
      draw: { queued: 0, busy: 0 },
      screen: { queued: 0, busy: 0 },
    });
    expect(after.short).to.deep.equal({ queued: 0, busy: 0 });
    await renderer.stop();
  });

  it("contain the memory of its browsers, and how many were replaced for which reason", async () => {
    const renderer = await startRenderer({ pages: 1, recyclePssMb: 1 });
    expect((await renderer.stats()).pssMb).to.be.within(20, 2_000);
    // After so many documents their memory is looked at.
    for (let documents = 0; documents < 200; documents += 1)
      await renderer.pdf({ html: page("x"), deadline: ample() });
    await until(
      "the browser is replaced for its memory",
      async () => (await renderer.stats()).restarts.memory > 0,
    );
    const pid = renderer.health().browser?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    const restarts = await until("its end is noticed", async () => {
      const stats = await renderer.stats();
      return stats.restarts.died > 0 && stats.restarts;
    });
    expect(restarts).to.include({ died: 1, hung: 0 });
    await renderer.stop();
    expect((await renderer.stats()).pssMb).to.equal(null);
  });
});
