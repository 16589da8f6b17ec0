import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("runs no more jobs of a partition at once than its limit on all nodes, and does not hold up other partitions", async () => {
    const running = new Map<string, number>();
    const max = new Map<string, number>();
    const done: string[] = [];
    const count = (partition: string, by: number) => {
      running.set(partition, (running.get(partition) ?? 0) + by);
      max.set(
        partition,
        Math.max(max.get(partition) ?? 0, running.get(partition) ?? 0),
      );
    };
    const queues = [await node(), await node()];
    for (const queue of queues)
      queue.work(
        "test",
        { concurrency: 4, maxPerPartition: 2 },
        async ({ rowId }) => {
          const [partition = ""] = rowId.split("-");
          count(partition, 1);
          await new Promise((resolve) => setTimeout(resolve, 5));
          count(partition, -1);
          done.push(rowId);
        },
        () => Promise.resolve(),
      );
    const ids = ["one", "two"].flatMap((partition) =>
      Array.from({ length: 20 }, (_, index) => `${partition}-${index}`),
    );
    await put(
      ...ids.map((rowId) => ({
        kind: "test",
        rowId,
        partitionKey: rowId.slice(0, 3),
      })),
    );
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(() => done.length === ids.length);
    expect(max.get("one")).to.be.within(1, 2);
    expect(max.get("two")).to.be.within(1, 2);
  });
});
