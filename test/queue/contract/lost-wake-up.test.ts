import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("finds a job for which no node received a wake-up", async () => {
    const done: string[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ rowId }) => void done.push(rowId),
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(() => done.length > 0);
    expect(done).to.deep.equal(["row"]);
  });
});
