import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import { pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { endlessLayout } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a document whose layout never ends", () => {
  it("fails alone at its deadline, and its process ends", async () => {
    const renderer = await startRenderer({ pages: 2 });
    const browser = renderer.health().browser?.pid ?? 0;
    const before = await pageProcesses(browser);
    const endless = renderer
      .pdf({ html: endlessLayout(), deadline: Deadline.after(1_500) })
      .catch((error: unknown) => error);
    const neighbours = Array.from({ length: 20 }, () =>
      renderer.pdf({ html: page("n"), deadline: ample() }),
    );
    for (const { pages } of await Promise.all(neighbours))
      expect(pages).to.equal(1);
    const error = await endless;
    expect(error).to.have.property("code", "timeout");
    expect(error).to.have.property("message").that.includes("printing");
    await until("its process is gone", async () => {
      const after = await pageProcesses(browser);
      return before.some((pid) => !after.includes(pid));
    });
    const job = { html: page("x"), deadline: ample() };
    const both = await Promise.all([renderer.pdf(job), renderer.pdf(job)]);
    expect(both.map(({ pages }) => pages)).to.deep.equal([1, 1]);
    expect(renderer.health().restarts).to.equal(0);
    await renderer.stop();
  });
});
