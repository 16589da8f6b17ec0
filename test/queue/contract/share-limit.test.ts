import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("no more jobs of a share run at once than its limit, over all nodes; others pass it", async () => {
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    const done: string[] = [];
    const count = (share: string, by: number) => {
      running.set(share, (running.get(share) ?? 0) + by);
      most.set(share, Math.max(most.get(share) ?? 0, running.get(share) ?? 0));
    };
    const queues = [await node(), await node()];
    for (const queue of queues)
      queue.work(
        "test",
        { concurrency: 4, perShare: 2 },
        async ({ rowId }) => {
          const [share = ""] = rowId.split("-");
          count(share, 1);
          await new Promise((resolve) => setTimeout(resolve, 5));
          count(share, -1);
          done.push(rowId);
        },
        () => Promise.resolve(),
      );
    const ids = ["one", "two"].flatMap((share) =>
      Array.from({ length: 20 }, (_, index) => `${share}-${index}`),
    );
    await put(
      ...ids.map((rowId) => ({
        kind: "test",
        rowId,
        share: rowId.slice(0, 3),
      })),
    );
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(() => done.length === ids.length);
    expect(most.get("one")).to.be.within(1, 2);
    expect(most.get("two")).to.be.within(1, 2);
  });
});
