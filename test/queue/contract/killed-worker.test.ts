import { expect } from "chai";
import { it } from "mocha";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, put }) => {
  it("gives the job of a killed worker to another one when its lease ends", async () => {
    await put({ kind: "test", rowId: "row" });
    const first = await QueueProcess.start(place, {
      leaseMs: 600,
      concurrency: 1,
      mode: "waits",
    });
    await first.waitForLine("start row 1");
    first.signal("SIGKILL");
    await first.ended;
    const second = await QueueProcess.start(place, { concurrency: 1 });
    await second.waitForLine("start row 2");
    await second.waitForLine("end row");
    await second.stop(1000);
    expect(second.started).to.deep.equal(["row"]);
  });
});
