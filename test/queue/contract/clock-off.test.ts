import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { QueueProcess, eachQueue } from "../../support/queue.js";

const hour = 3_600_000;

eachQueue(({ place, node, put }) => {
  for (const [name, clockMs] of [
    ["ahead", hour],
    ["behind", -hour],
  ] as const)
    it(`a node whose clock is an hour ${name} takes only jobs that are due`, async () => {
      const holder = await QueueProcess.start(place, {
        mode: "waits",
        concurrency: 1,
      });
      await put({ kind: "test", rowId: "held" });
      await holder.waitForLine("start held 1");
      const off = await QueueProcess.start(place, { clockMs });
      const due = ["a", "b", "c", "d"];
      await put(
        { kind: "test", rowId: "later", delayMs: hour / 2 },
        ...due.map((rowId) => ({ kind: "test", rowId })),
      );
      for (const rowId of due) await off.waitForLine(`end ${rowId}`);
      const queue = await node();
      // A job reports its end just before its row is deleted.
      await eventually(async () => {
        const [stats] = await queue.stats();
        return stats?.ready === 0 && stats.delayed === 1 && stats.running === 1;
      });
      expect(off.started).to.have.members(due);
      holder.signal("SIGKILL");
      await off.stop(1000);
    });
});
