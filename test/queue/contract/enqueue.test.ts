import { expect } from "chai";
import { it } from "mocha";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put, store }) => {
  it("enqueues a job twice without an error and keeps the earlier time", async () => {
    const job = { kind: "test", rowId: "row" };
    await put({ ...job, delayMs: 60_000 });
    await put(job, job);
    await put({ ...job, delayMs: 60_000 });
    const [stats] = await (await node()).stats();
    expect(stats).to.include({ ready: 1, delayed: 0 });
  });

  it("adds no jobs when the transaction is rolled back", async () => {
    const queue = await node();
    const { unitOfWork } = await store();
    const rolledBack = unitOfWork.run(async (tx) => {
      await queue.enqueue(tx, [{ kind: "test", rowId: "row" }]);
      throw new Error("rolled back");
    });
    await rolledBack.catch(() => undefined);
    expect(await queue.stats()).to.deep.equal([]);
  });

  it("counts ready and delayed jobs by kind", async () => {
    const runAt = new Date(Date.now() + 60_000);
    await put(
      ...Array.from({ length: 1200 }, (_, n) => ({
        kind: "many",
        rowId: `${n}`,
      })),
      { kind: "test", rowId: "later", runAt },
      { kind: "test", rowId: "past", runAt: new Date(Date.now() - 60_000) },
    );
    const [many, test] = await (await node()).stats();
    expect(many).to.include({ kind: "many", ready: 1200, running: 0 });
    expect(test).to.include({ kind: "test", ready: 1, delayed: 1 });
    expect(test?.oldestReadySeconds).to.be.within(59, 600);
  });
});
