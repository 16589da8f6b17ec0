import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node }) => {
  it("runs a sweep periodically, also after a failure, on one node at a time", async () => {
    let runs = 0;
    let running = 0;
    let max = 0;
    const sweep = async () => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      runs += 1;
      if (runs === 2) throw new Error("broken");
    };
    const queues = [await node(), await node()];
    for (const queue of queues) queue.every("tidy", 10, sweep);
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(() => runs >= 5);
    expect(max).to.equal(1);
  });
});
