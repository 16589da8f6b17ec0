import { expect } from "chai";
import { pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("one page that is killed among several", () => {
  it("does not affect the others, whichever page it was", async () => {
    const renderer = await startRenderer({ pages: 2 });
    const browser = renderer.health().browser?.pid ?? 0;
    const processes = await pageProcesses(browser);
    for (const victim of processes) {
      const jobs = [longTable(), page("a"), longTable(), page("b")].map(
        (html) => renderer.pdf({ html, deadline: ample() }),
      );
      await until("both pages are busy", () => renderer.health().busy === 2);
      process.kill(victim, "SIGKILL");
      const pages = (await Promise.all(jobs)).map((print) => print.pages);
      expect(pages).to.deep.equal([pages[0], 1, pages[0], 1]);
    }
    expect(processes.length).to.be.at.least(2);
    expect(renderer.health()).to.include({ restarts: 0, ready: true });
    await renderer.stop();
  });
});
