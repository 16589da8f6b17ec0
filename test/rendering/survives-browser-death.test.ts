import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Renderer } from "../../core/rendering/index.js";
import { until } from "../support/eventually.js";
import { longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a browser that is killed", () => {
  let renderer: Renderer;

  before(async () => {
    renderer = await startRenderer({ pages: 2 });
  });

  it("is replaced while it prints, and its documents succeed", async () => {
    const jobs = [longTable(), longTable(), page("a"), page("b")].map((html) =>
      renderer.pdf({ html, deadline: ample() }),
    );
    await until("both pages are busy", () => renderer.health().busy === 2);
    process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
    const printed = await Promise.all(jobs);
    expect(printed.map(({ pages }) => pages > 0)).to.not.include(false);
    expect(renderer.health().ready).to.equal(true);
    await until("it is counted", () => renderer.health().restarts === 1);
  });

  it("between two documents is replaced for the next one", async () => {
    const pid = renderer.health().browser?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    await until(
      "the death is noticed",
      () => renderer.health().browser?.pid !== pid,
    );
    const { pages } = await renderer.pdf({
      html: page("x"),
      deadline: ample(),
    });
    expect(pages).to.equal(1);
  });
});
