import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

const jobs = (share: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: "test",
    rowId: `${share}-${index}`,
    share,
  }));

eachQueue(({ node, put }) => {
  it("three jobs do not wait for the thousand of another share", async () => {
    const order: string[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ rowId }) => {
        order.push(rowId);
        if (order.length === 10) await put(...jobs("small", 3));
      },
      () => Promise.resolve(),
    );
    await put(...jobs("large", 1000));
    await queue.start();
    await eventually(() => order.includes("small-2"));
    expect(order.indexOf("small-2")).to.be.below(20);
  });

  it("each share's jobs start in the order of their time", async () => {
    const order: string[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ rowId }) => void order.push(rowId),
      () => Promise.resolve(),
    );
    for (const job of jobs("share", 5)) await put(job);
    await queue.start();
    await eventually(() => order.length === 5);
    expect(order).to.deep.equal(jobs("share", 5).map(({ rowId }) => rowId));
  });
});
