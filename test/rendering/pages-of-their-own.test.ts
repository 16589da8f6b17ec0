import { expect } from "chai";
import type { Isolation, Renderer } from "../../core/rendering/index.js";
import { living, pageProcesses } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { ample, page, startRenderer } from "../support/renderer.js";

async function open(isolation: Isolation): Promise<{
  renderer: Renderer;
  print: (owner?: string) => Promise<unknown>;
  first: number[];
}> {
  const renderer = await startRenderer({ pages: 1, isolation });
  const print = (owner?: string) =>
    renderer.pdf({
      html: page("x"),
      ...(owner !== undefined && { owner }),
      deadline: ample(),
    });
  const browser = renderer.health().browser?.pid ?? 0;
  return { renderer, print, first: await pageProcesses(browser) };
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  return (await living(pids)).length === 0;
}

describe("the process of a page", () => {
  it("prints the documents of all owners one after the other when shared", async () => {
    const { renderer, print, first } = await open("shared");
    for (const owner of ["one", "two", undefined]) await print(owner);
    expect(await allGone(first)).to.equal(false);
    await renderer.stop();
  });

  it("prints the documents of one organization only", async () => {
    const { renderer, print, first } = await open("organization");
    for (const owner of ["one", "one", "one"]) await print(owner);
    expect(await allGone(first)).to.equal(false);
    await print("two");
    await until("its process is gone", () => allGone(first));
    await renderer.stop();
  });

  it("prints nothing more after a document without an owner", async () => {
    const { renderer, print, first } = await open("organization");
    await print();
    await until("its process is gone", () => allGone(first));
    await renderer.stop();
  });

  it("prints one document only", async () => {
    const { renderer, print, first } = await open("document");
    await print("one");
    await until("its process is gone", () => allGone(first));
    await print("one");
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
    await renderer.stop();
  });
});
