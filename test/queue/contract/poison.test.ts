import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { QueueProcess } from "../../support/queue-process.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ place, node, put }) => {
  it("a job that ends its worker three times is told as poison, and forgotten", async () => {
    await put({ kind: "test", rowId: "row" });
    const work = { leaseMs: 300, concurrency: 1 };
    for (const attempt of [1, 2, 3]) {
      const victim = await QueueProcess.start(place, {
        ...work,
        acts: "waits",
      });
      await victim.says(`start row ${attempt}`);
      victim.signal("SIGKILL");
      await victim.ended;
    }
    const last = await QueueProcess.start(place, work);
    await last.says("poison row 3");
    const queue = await node();
    await eventually(async () => (await queue.stats()).length === 0);
    await last.stop(1000);
    expect(last.started).to.deep.equal([]);
  });
});
