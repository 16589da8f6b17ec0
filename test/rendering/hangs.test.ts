import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import { pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

const LIMIT_MS = 1_500;

describe("a page that hangs", () => {
  it("is closed at its document's deadline, and the next document is printed", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const browser = renderer.health().browser?.pid ?? 0;
    for (const pid of await pageProcesses(browser))
      process.kill(pid, "SIGSTOP");
    const error: unknown = await renderer
      .pdf({ html: page("x"), deadline: Deadline.after(LIMIT_MS) })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "timeout");
    const next = await renderer.pdf({ html: page("x"), deadline: ample() });
    expect(next.pages).to.equal(1);
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 1 });
    await renderer.stop();
  });
});

describe("a browser that hangs", () => {
  it("is killed and replaced, and the other documents are printed", async () => {
    const renderer = await startRenderer({ pages: 2 });
    const neighbour = renderer.pdf({ html: longTable(), deadline: ample() });
    const hung = renderer
      .pdf({ html: longTable(), deadline: Deadline.after(LIMIT_MS) })
      .catch((reason: unknown) => reason);
    await until("both pages are busy", () => renderer.health().busy === 2);
    process.kill(renderer.health().browser?.pid ?? 0, "SIGSTOP");
    expect(await hung).to.have.property("code", "timeout");
    expect((await neighbour).pages).to.be.greaterThan(1);
    const next = await renderer.pdf({ html: page("x"), deadline: ample() });
    expect(next.pages).to.equal(1);
    expect((await renderer.stats()).restarts).to.include({ hung: 1, died: 0 });
    await renderer.stop();
  });
});
