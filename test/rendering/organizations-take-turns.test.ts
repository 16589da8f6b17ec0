import { expect } from "chai";
import { afterEach, before, describe, it } from "mocha";
import { Deadline } from "../../core/plugin-api/index.js";
import type { Renderer } from "../../core/rendering/index.js";
import { limitJobs } from "../../core/rendering/renderer.js";
import { endlessLayout, longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

/** Starts prints that never end. @returns ends them */
function startEndless(renderer: Renderer, owner: string, count: number) {
  const client = new AbortController();
  const prints = Array.from({ length: count }, () =>
    renderer
      .pdf({
        html: endlessLayout(),
        owner,
        deadline: Deadline.after(300_000, client.signal),
      })
      .catch((error: unknown) => error),
  );
  return async () => {
    client.abort();
    await Promise.all(prints);
  };
}

function print(renderer: Renderer, owner: string, html = page("x")) {
  return renderer.pdf({ html, owner, deadline: ample() });
}

describe("organizations that render at the same time", () => {
  let renderer: Renderer;
  let end: (() => Promise<void>) | undefined;

  before(async () => {
    renderer = await startRenderer({ pages: 2, queueLimit: 8 });
  });

  afterEach(() => end?.());

  it("get a page while the endless documents of another hold all others", async () => {
    end = startEndless(renderer, "slow", 6);
    for (let count = 0; count < 3; count += 1)
      expect(await print(renderer, "quick")).to.have.property("pages", 1);
    expect(renderer.health()).to.include({ busy: 2, queued: 4 });
  });

  it("get a page for long documents as well", async () => {
    const html = longTable(3000);
    const client = new AbortController();
    const deadline = Deadline.after(300_000, client.signal);
    const padding = `<!--${"x".repeat(300_000)}-->`;
    const slow = [1, 2].map(() =>
      renderer
        .pdf({ html: endlessLayout() + padding, owner: "slow", deadline })
        .catch((error: unknown) => error),
    );
    end = async () => {
      client.abort();
      await Promise.all(slow);
    };
    const printed = await print(renderer, "quick", html);
    expect(printed.pages).to.be.above(40);
    expect((await renderer.stats()).lanes.long).to.eql({ busy: 1, queued: 1 });
  });

  it("get a place in the queue that the documents of another have filled", async () => {
    end = startEndless(renderer, "slow", 10);
    const more = startEndless(renderer, "other", 1);
    const third = print(renderer, "third");
    const rejected: unknown = await renderer
      .pdf({ html: page("x"), owner: "slow", deadline: ample() })
      .catch((error: unknown) => error);
    expect(rejected).to.have.property("code", "busy");
    await more();
    expect(await third).to.have.property("pages", 1);
  });

  it("are served in turn, however many documents each has waiting", async () => {
    const order: string[] = [];
    const one = await startRenderer({ pages: 1, queueLimit: 20 });
    // A page takes longer to open than to print, so both are opened before.
    await Promise.all(["d", "e"].map((owner) => print(one, owner)));
    const owners = ["a", "a", "a", "a", "a", "a", "b", "b", "c"];
    await Promise.all(
      owners.map(async (owner) => {
        await print(one, owner);
        order.push(owner);
      }),
    );
    expect(order.slice(0, 5)).to.include.members(["b", "c"]);
    expect(order.slice(-2)).to.eql(["a", "a"]);
  });

  it("share the pages that batches may use in the same way", async () => {
    const batches = limitJobs(renderer, 3);
    end = startEndless(batches, "slow", 6);
    expect(await print(batches, "quick")).to.have.property("pages", 1);
    expect(await print(renderer, "quick")).to.have.property("pages", 1);
  });

  it("use all pages while no other waits", async () => {
    end = startEndless(renderer, "slow", 3);
    expect(renderer.health()).to.include({ busy: 2, queued: 1 });
  });
});
