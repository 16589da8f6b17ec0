import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import type { FinishedRender, Renderer } from "../../core/rendering/index.js";
import { limitJobs } from "../../core/rendering/renderer.js";
import { until } from "../support/eventually.js";
import { endlessLayout, longTable } from "../support/large-documents.js";
import { fontNames, readPdf } from "../support/read-pdf.js";
import { page, startRenderer } from "../support/renderer.js";
import { failure, print as printBy } from "./jobs.js";

const LIMIT = 8;

/** Makes a document a long one, which prints on a page for long documents. */
const PADDING = `<!--${"x".repeat(300_000)}-->`;

/** Starts prints that never end. @returns ends them */
function startEndless(
  renderer: Renderer,
  owner: string,
  count: number,
  html = endlessLayout(),
) {
  const client = new AbortController();
  const deadline = Deadline.after(300_000, client.signal);
  const prints = Array.from({ length: count }, () =>
    failure(renderer.pdf({ html, owner, deadline })),
  );
  return async () => {
    client.abort();
    await Promise.all(prints);
  };
}

describe("a renderer of one page", () => {
  let renderer: Renderer;
  const print = (html: string, more: object = {}) =>
    printBy(html, more, renderer);

  before(async () => {
    renderer = await startRenderer({ pages: 1, queueLimit: LIMIT });
  });

  it("prints a document like the first after it was loaded anew, and still runs no scripts and no frames", async () => {
    const probe = page(
      "<p>Sans</p><p class='screen'>never</p><iframe src='data:text/html,FRAME'></iframe><script>document.body.append('SCRIPT')</script>",
      "p { font-family: sans-serif } @page { size: A5 } @media print { .screen { display: none } }",
    );
    const read = async () => {
      const { bytes } = await print(probe);
      return { pages: await readPdf(bytes), fonts: fontNames(bytes) };
    };
    const first = await read();
    expect(first.fonts).to.deep.equal(["Inter-Regular"]);
    expect(first.pages.map(({ text }) => text)).to.deep.equal(["Sans"]);
    const html = page("<p>another</p>", "p { font-family: serif }");
    // A page is loaded anew after 50.
    for (let count = 0; count < 60; count += 1) await print(html);
    expect(await read()).to.deep.equal(first);
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
  });

  it("prints documents in order of arrival", async () => {
    const done: number[] = [];
    const jobs = [0, 1, 2, 3, 4].map(async (turn) => {
      await print(page(`${turn}`));
      done.push(turn);
    });
    await Promise.all(jobs);
    expect(done).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it("does not let a long document delay short ones", async () => {
    const done: string[] = [];
    const long = print(longTable() + PADDING).then(() => done.push("long"));
    await print(page("short"));
    done.push("short");
    await long;
    expect(done).to.deep.equal(["short", "long"]);
  });

  it("serves organizations in turn, however many documents each has waiting", async () => {
    const order: string[] = [];
    // A page takes longer to open than to print, so both are opened before.
    await Promise.all(["d", "e"].map((owner) => print(page("x"), { owner })));
    const owners = ["a", "a", "a", "a", "a", "a", "b", "b", "c"];
    await Promise.all(
      owners.map(async (owner) => {
        await print(page("x"), { owner });
        order.push(owner);
      }),
    );
    // In the order of the calls, both would come after six of "a".
    expect(order.slice(0, 6)).to.include.members(["b", "c"]);
    expect(order.slice(-2)).to.eql(["a", "a"]);
  });

  it("rejects documents past the limit of its queue as busy, with the time to retry after", async () => {
    const jobs = Array.from({ length: LIMIT + 4 }, () =>
      failure(print(longTable(300))),
    );
    const rejected = (await Promise.all(jobs)).slice(LIMIT + 1);
    expect(rejected).to.have.lengthOf(3);
    for (const error of rejected) {
      expect(error).to.have.property("code", "busy");
      expect(error).to.have.property("retryAfterSeconds").that.is.at.least(1);
    }
    expect(await print(page("x"))).to.have.property("pages", 1);
  });

  it("frees its page when a client hangs up while it prints, and a place in its queue while it waits", async () => {
    const [printing, waiting] = [new AbortController(), new AbortController()];
    const jobs = [printing, waiting].map(({ signal }) =>
      failure(
        print(endlessLayout(), { deadline: Deadline.after(50_000, signal) }),
      ),
    );
    await until("one waits", () => renderer.health().queued === 1);
    waiting.abort();
    expect(await jobs[1]).to.have.property("code", "timeout");
    expect(renderer.health()).to.include({ queued: 0, busy: 1 });
    printing.abort();
    expect(await jobs[0]).to.have.property("code", "timeout");
    expect(await print(page("x"))).to.have.property("pages", 1);
  });

  it("counts each document with its outcome, and tells the length of each queue", async () => {
    const earlier = (await renderer.stats()).renders.pdf;
    const finished: FinishedRender[] = [];
    const unsubscribe = renderer.observe((render) => finished.push(render));
    const client = new AbortController();
    const short = Deadline.after(500);
    const jobs = [
      print(endlessLayout(), { deadline: Deadline.after(1_000) }),
      print(page("x"), { deadline: Deadline.after(40_000, client.signal) }),
      print(page("x"), { deadline: short }),
      ...Array.from({ length: LIMIT - 1 }, () => print(page("x"))),
    ].map((job) => failure(job));
    const { lanes } = await renderer.stats();
    expect(lanes).to.deep.equal({
      short: { queued: LIMIT, busy: 1 },
      long: { queued: 0, busy: 0 },
      draw: { queued: 0, busy: 0 },
      screen: { queued: 0, busy: 0 },
    });
    client.abort();
    const late: unknown = await jobs[2];
    expect(late).to.have.property("code", "timeout");
    expect(late).to.have.property("message").that.includes("free page");
    await Promise.all(jobs);
    unsubscribe();
    const outcomes = finished.map(({ kind, outcome }) => `${kind} ${outcome}`);
    expect(outcomes).to.have.members([
      "pdf busy",
      "pdf cancelled",
      "pdf timeout",
      "pdf timeout",
      ...Array.from({ length: LIMIT - 2 }, () => "pdf success"),
    ]);
    expect(finished.at(-1)?.durationMs).to.be.greaterThan(0);
    const { renders, lanes: after } = await renderer.stats();
    expect(renders.pdf).to.deep.equal({
      ...earlier,
      success: earlier.success + LIMIT - 2,
      timeout: earlier.timeout + 2,
      cancelled: earlier.cancelled + 1,
      busy: earlier.busy + 1,
    });
    expect(after.short).to.deep.equal({ queued: 0, busy: 0 });
  });
});

describe("organizations that render at the same time", () => {
  let renderer: Renderer;
  let end: (() => Promise<void>) | undefined;
  const print = (owner: string, html = page("x")) =>
    printBy(html, { owner }, renderer);

  before(async () => {
    renderer = await startRenderer({ pages: 2, queueLimit: LIMIT });
  });

  afterEach(() => end?.());

  it("get a page while the endless documents of another hold all others", async () => {
    end = startEndless(renderer, "slow", 6);
    for (let count = 0; count < 3; count += 1)
      expect(await print("quick")).to.have.property("pages", 1);
    expect(renderer.health()).to.include({ busy: 2, queued: 4 });
  });

  it("get a page for long documents as well", async () => {
    end = startEndless(renderer, "slow", 2, endlessLayout() + PADDING);
    const printed = await print("quick", longTable(300) + PADDING);
    expect(printed.pages).to.be.above(4);
    expect((await renderer.stats()).lanes.long).to.eql({ busy: 1, queued: 1 });
  });

  it("get a place in the queue that the documents of another have filled", async () => {
    end = startEndless(renderer, "slow", 10);
    const endOther = startEndless(renderer, "other", 1);
    const third = print("third");
    const rejected = await failure(print("slow"));
    expect(rejected).to.have.property("code", "busy");
    await endOther();
    expect(await third).to.have.property("pages", 1);
  });

  it("share the pages that batches may use in the same way", async () => {
    const batches = limitJobs(renderer, 3);
    end = startEndless(batches, "slow", 6);
    expect(
      await printBy(page("x"), { owner: "quick" }, batches),
    ).to.have.property("pages", 1);
    expect(await print("quick")).to.have.property("pages", 1);
  });

  it("use all pages while no other waits", async () => {
    end = startEndless(renderer, "slow", 3);
    expect(renderer.health()).to.include({ busy: 2, queued: 1 });
  });
});
