import { expect } from "chai";
import { it } from "mocha";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, put }) => {
  it("aborts the run of a worker that slept past its lease, discards its result, and lets it work on", async () => {
    const work = { leaseMs: 2000, concurrency: 1, mode: "waits" } as const;
    const stalled = await QueueProcess.start(place, work);
    await put({ kind: "test", rowId: "row" });
    await stalled.waitForLine("start row 1");
    stalled.freeze();
    const other = await QueueProcess.start(place, work);
    await other.waitForLine("start row 2");
    stalled.signal("SIGCONT");
    await stalled.waitForLine("abort row");
    await put({ kind: "test", rowId: "next" });
    await stalled.waitForLine("start next 1");
    expect(other.lines).not.to.include("abort row");
    other.go("row");
    await other.waitForLine("end row");
    // First, so that it cannot take what the stalled worker releases at its end.
    await other.stop(1000);
    await stalled.stop(0);
    expect(other.started).to.deep.equal(["row"]);
  });
});
