import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Renderer } from "../../core/rendering/index.js";
import { pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { longTable } from "../support/large-documents.js";
import { pdfText } from "../support/read-pdf.js";
import { ample, page, startRenderer } from "../support/renderer.js";

function getPages(renderer: Renderer): Promise<number[]> {
  return pageProcesses(renderer.health().browser?.pid ?? 0);
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

describe("a page that is killed", () => {
  let renderer: Renderer;

  before(async () => {
    renderer = await startRenderer({ pages: 2 });
  });

  it("is replaced, and its document printed again", async () => {
    const pid = renderer.health().browser?.pid;
    // Found before they are busy: to look through all processes may take longer than to print.
    const pages = await getPages(renderer);
    const html = longTable(3000);
    const jobs = [1, 2].map(() => renderer.pdf({ html, deadline: ample() }));
    await until("both pages are busy", () => renderer.health().busy === 2);
    kill(pages);
    for (const job of jobs) expect((await job).pages).to.be.greaterThan(20);
    expect(renderer.health().pagesReplaced).to.equal(2);
    expect(renderer.health().browser?.pid).to.equal(pid);
  });

  it("between two documents is replaced for the next one", async () => {
    kill(await getPages(renderer));
    const html = page("<p>After</p>");
    const { bytes } = await renderer.pdf({ html, deadline: ample() });
    expect(await pdfText(bytes)).to.equal("After");
    expect(renderer.health().restarts).to.equal(0);
  });
});
