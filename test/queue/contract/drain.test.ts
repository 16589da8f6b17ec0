import { expect } from "chai";
import { it } from "mocha";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, node, put }) => {
  it("a stopping node releases the jobs it could not finish without counting the attempt, and its process exits by itself", async () => {
    const worker = await QueueProcess.start(place, {
      mode: "waits",
      concurrency: 2,
      leaseMs: 600_000,
    });
    const ids = ["a", "b", "c"];
    await put(...ids.map((rowId) => ({ kind: "test", rowId })));
    await worker.waitForLine("start a 1");
    await worker.waitForLine("start b 1");
    await worker.stop(50);
    expect(worker.lines).to.include.members(["abort a", "abort b"]);
    const [stats] = await (await node()).stats();
    expect(stats).to.include({ ready: 3, delayed: 0, running: 0 });
    await worker.ended;
    const successor = await QueueProcess.start(place);
    for (const id of ids) await successor.waitForLine(`start ${id} 1`);
    await successor.stop(1000);
  });

  it("a stopping node lets its running jobs finish first", async () => {
    const worker = await QueueProcess.start(place, { mode: "waits" });
    await put({ kind: "test", rowId: "row" });
    await worker.waitForLine("start row 1");
    const stopped = worker.stop(60_000);
    worker.go("row");
    await stopped;
    expect(worker.lines).to.include("end row").and.not.include("abort row");
    expect(await (await node()).stats()).to.deep.equal([]);
  });
});
