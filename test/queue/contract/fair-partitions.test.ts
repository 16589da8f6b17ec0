import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

const jobs = (partitionKey: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: "test",
    rowId: `${partitionKey}-${index}`,
    partitionKey,
  }));

eachQueue(({ node, put }) => {
  it("three jobs do not wait for the thousand jobs of another partition", async () => {
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

  it("starts the jobs of a partition in the order of their time", async () => {
    const order: string[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ rowId }) => void order.push(rowId),
      () => Promise.resolve(),
    );
    for (const job of jobs("one", 5)) await put(job);
    await queue.start();
    await eventually(() => order.length === 5);
    expect(order).to.deep.equal(jobs("one", 5).map(({ rowId }) => rowId));
  });
});
