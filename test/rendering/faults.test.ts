import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import type { Renderer } from "../../core/rendering/index.js";
import { pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import {
  endlessLayout,
  hungryLayout,
  longTable,
} from "../support/large-documents.js";
import { pdfText } from "../support/read-pdf.js";
import { page, startRenderer } from "../support/renderer.js";
import { failure, print as printBy } from "./jobs.js";

const LIMIT_MS = 1_000;

const signal = (pids: readonly number[], name: "SIGSTOP" | "SIGKILL") => {
  for (const pid of pids) process.kill(pid, name);
};

describe("a renderer of two pages", () => {
  let renderer: Renderer;
  const print = (html: string, more: object = {}) =>
    printBy(html, more, renderer);
  const browser = () => renderer.health().browser?.pid ?? 0;
  const untilBusy = () =>
    until("both pages are busy", () => renderer.health().busy === 2);
  const neighbours = () =>
    Promise.all(Array.from({ length: 20 }, () => print(page("n"))));
  /** Counts what was replaced since. */
  const startCounting = async () => {
    const { restarts, pagesReplaced } = renderer.health();
    const { died, hung } = (await renderer.stats()).restarts;
    return async () => {
      const now = renderer.health();
      const { restarts: reasons } = await renderer.stats();
      return {
        pages: now.pagesReplaced - pagesReplaced,
        browsers: now.restarts - restarts,
        died: reasons.died - died,
        hung: reasons.hung - hung,
      };
    };
  };
  before(async () => {
    renderer = await startRenderer({ pages: 2, pageMemoryMb: 512 });
  });

  afterEach("prints the next documents on both pages", async () => {
    const both = await Promise.all([print(page("x")), print(page("x"))]);
    expect(both.map(({ pages }) => pages)).to.deep.equal([1, 1]);
    expect(renderer.health().ready).to.equal(true);
  });

  it("fails a document whose layout never ends at its deadline, alone, and ends its process", async () => {
    const count = await startCounting();
    const processes = await pageProcesses(browser());
    const deadline = Deadline.after(LIMIT_MS);
    const endless = failure(print(endlessLayout(), { deadline }));
    await neighbours();
    const error = await endless;
    expect(error).to.have.property("code", "timeout");
    expect(error).to.have.property("message").that.includes("printing");
    await until("its process is gone", async () => {
      const left = await pageProcesses(browser());
      return processes.some((pid) => !left.includes(pid));
    });
    expect(await count()).to.include({ browsers: 0 });
  });

  it("fails a document that needs more memory than a page may take, alone, and says how to fix it", async () => {
    const count = await startCounting();
    const exhausting = failure(print(hungryLayout()));
    await neighbours();
    const error = await exhausting;
    expect(error).to.have.property("code", "crashed");
    expect(error).to.have.property("message").that.includes("smaller");
    expect(await count()).to.include({ browsers: 0 });
  });

  it("closes a page that hangs at its document's deadline", async () => {
    const count = await startCounting();
    const stopped = await pageProcesses(browser());
    signal(stopped, "SIGSTOP");
    const deadlines = [1, 2].map(() => Deadline.after(LIMIT_MS));
    const errors = await Promise.all(
      deadlines.map((deadline) => failure(print(page("x"), { deadline }))),
    );
    for (const error of errors)
      expect(error).to.have.property("code", "timeout");
    await print(page("x"));
    expect(await count()).to.include({ browsers: 0, pages: 2 });
  });

  it("kills and replaces a browser that hangs, and prints the other documents", async () => {
    const count = await startCounting();
    const neighbour = print(longTable());
    const deadline = Deadline.after(LIMIT_MS);
    const hung = failure(print(longTable(), { deadline }));
    await untilBusy();
    signal([browser()], "SIGSTOP");
    expect(await hung).to.have.property("code", "timeout");
    expect((await neighbour).pages).to.be.greaterThan(1);
    expect(await count()).to.include({ hung: 1, died: 0 });
  });

  it("replaces pages that are killed, and prints their documents again", async () => {
    const count = await startCounting();
    const pid = browser();
    // Found before they are busy: to look through all processes may take longer than to print.
    const processes = await pageProcesses(pid);
    const jobs = [1, 2].map(() => print(longTable(3000)));
    await untilBusy();
    signal(processes, "SIGKILL");
    for (const job of jobs) expect((await job).pages).to.be.greaterThan(20);
    expect(await count()).to.include({ pages: 2, browsers: 0 });
    expect(browser()).to.equal(pid);
  });

  it("replaces pages that are killed between two documents", async () => {
    const count = await startCounting();
    signal(await pageProcesses(browser()), "SIGKILL");
    const { bytes } = await print(page("<p>After</p>"));
    expect(await pdfText(bytes)).to.equal("After");
    expect(await count()).to.include({ browsers: 0 });
  });

  it("prints the documents of all other pages when one page is killed, whichever it was", async () => {
    const count = await startCounting();
    const processes = await pageProcesses(browser());
    expect(processes.length).to.be.at.least(2);
    for (const victim of processes) {
      const jobs = [longTable(), page("a"), longTable(), page("b")].map(
        (html) => print(html),
      );
      await untilBusy();
      signal([victim], "SIGKILL");
      const pages = (await Promise.all(jobs)).map((job) => job.pages);
      expect(pages).to.deep.equal([pages[0], 1, pages[0], 1]);
    }
    expect(await count()).to.include({ browsers: 0 });
  });

  it("replaces a browser that is killed while it prints, and its documents succeed", async () => {
    const count = await startCounting();
    const jobs = [longTable(), longTable(), page("a"), page("b")].map((html) =>
      print(html),
    );
    await untilBusy();
    signal([browser()], "SIGKILL");
    const printed = await Promise.all(jobs);
    expect(printed.map(({ pages }) => pages > 0)).to.not.include(false);
    await until("it is counted", async () => (await count()).died === 1);
  });

  it("replaces a browser that is killed between two documents", async () => {
    const pid = browser();
    signal([pid], "SIGKILL");
    await until("the death is noticed", () => browser() !== pid);
    expect((await print(page("x"))).pages).to.equal(1);
  });
});
