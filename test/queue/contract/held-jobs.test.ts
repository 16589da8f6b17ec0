import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put }) => {
  it("a node holds only the jobs it runs, and fills a slot as soon as it is free", async () => {
    const ends: (() => void)[] = [];
    const queue = await node({ pollMs: 60_000 });
    queue.work(
      "test",
      { concurrency: 2 },
      () => new Promise((resolve) => ends.push(resolve)),
      () => Promise.resolve(),
    );
    const ids = Array.from({ length: 20 }, (_, index) => `row-${index}`);
    await put(...ids.map((rowId) => ({ kind: "test", rowId })));
    await queue.start();
    for (const done of ids.keys()) {
      const expected = Math.min(ids.length, done + 2);
      await eventually(() => ends.length === expected);
      const [stats] = await queue.stats();
      expect(stats?.running).to.be.at.most(2);
      ends[done]?.();
    }
    await eventually(async () => (await queue.stats()).length === 0);
  });
});
