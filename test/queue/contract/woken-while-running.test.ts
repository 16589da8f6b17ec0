import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("runs a job once more after it was enqueued while it ran, however often", async () => {
    const job = { kind: "test", rowId: "row" };
    let runs = 0;
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 2 },
      async () => {
        runs += 1;
        if (runs === 1) for (const _ of "ask") await put(job);
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put(job);
    await eventually(
      async () => runs > 1 && (await queue.stats()).length === 0,
    );
    expect(runs).to.equal(2);
  });
});
