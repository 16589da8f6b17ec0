import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, node, put }) => {
  it("runs each job once although several workers compete for it", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `row-${index}`);
    const workers = await Promise.all([
      QueueProcess.start(place),
      QueueProcess.start(place),
    ]);
    await put(...ids.map((rowId) => ({ kind: "test", rowId })));
    const queue = await node();
    await eventually(async () => (await queue.stats()).length === 0);
    await Promise.all(workers.map((worker) => worker.stop(1000)));
    const started = workers.flatMap((worker) => worker.started);
    expect(started).to.have.members(ids);
  });
});
