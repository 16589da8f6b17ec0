import { expect } from "chai";
import type { Renderer } from "../../core/render/index.js";
import { pageProcesses, until } from "../support/browser-processes.js";
import { longTable } from "../support/hard-documents.js";
import { pdfText } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";

async function killPages(renderer: Renderer): Promise<void> {
  const { browser } = renderer.health();
  for (const pid of await pageProcesses(browser?.pid ?? 0))
    process.kill(pid, "SIGKILL");
}

describe("a page that is killed", () => {
  it("is replaced, and its document printed again", async () => {
    const renderer = await startRenderer({ pages: 2 });
    const pid = renderer.health().browser?.pid;
    const jobs = [1, 2].map(() =>
      renderer.pdf({ html: longTable(), deadline: ample() }),
    );
    await until("both pages are busy", () => renderer.health().busy === 2);
    await killPages(renderer);
    for (const job of jobs) expect((await job).pages).to.be.greaterThan(20);
    expect(renderer.health().pagesReplaced).to.equal(2);
    expect(renderer.health().browser?.pid).to.equal(pid);
    await renderer.stop();
  });

  it("while it rests is replaced for the next document", async () => {
    const renderer = await startRenderer({ pages: 1 });
    await killPages(renderer);
    const html = page("<p>After</p>");
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(await pdfText(bytes)).to.equal("After");
    expect(renderer.health().restarts).to.equal(0);
    await renderer.stop();
  });
});
