import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("runs a job again after the delay that its handler returns, counting attempts from 1", async () => {
    const attempts: number[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ attempt }) => {
        attempts.push(attempt);
        return attempts.length < 5 ? { again: 20 } : undefined;
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(async () => (await queue.stats()).length === 0);
    expect(attempts).to.deep.equal([1, 1, 1, 1, 1]);
  });

  it("retries a job whose handler throws later, and counts the attempt", async () => {
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      () => Promise.reject(new Error("broken")),
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(async () => (await queue.stats())[0]?.delayed === 1);
    await queue.stop(0);
    const attempts: number[] = [];
    const other = await node();
    other.work(
      "test",
      { concurrency: 1 },
      async ({ attempt }) => void attempts.push(attempt),
      () => Promise.resolve(),
    );
    await put({ kind: "test", rowId: "row" });
    await other.start();
    await eventually(() => attempts.length > 0);
    expect(attempts).to.deep.equal([2]);
  });
});
