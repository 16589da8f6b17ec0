import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import { until } from "../support/eventually.js";
import { endlessLayout } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a client that hangs up", () => {
  it("frees its page while it prints, and its place in the queue while it waits", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const [printing, waiting] = [new AbortController(), new AbortController()];
    const jobs = [printing, waiting].map(({ signal }) =>
      renderer
        .pdf({
          html: endlessLayout(),
          deadline: Deadline.after(50_000, signal),
        })
        .catch((error: unknown) => error),
    );
    await until("one waits", () => renderer.health().queued === 1);
    waiting.abort();
    expect(await jobs[1]).to.have.property("code", "timeout");
    expect(renderer.health()).to.include({ queued: 0, busy: 1 });
    printing.abort();
    expect(await jobs[0]).to.have.property("code", "timeout");
    const { pages } = await renderer.pdf({
      html: page("x"),
      deadline: ample(),
    });
    expect(pages).to.equal(1);
    await renderer.stop();
  });
});
