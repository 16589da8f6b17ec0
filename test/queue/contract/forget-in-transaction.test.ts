import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put, store }) => {
  it("a job forgotten in the handler's transaction is gone with its commit, and stays with its rollback", async () => {
    const { unitOfWork } = await store();
    const queue = await node();
    const attempts: number[] = [];
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ attempt, forget }) => {
        attempts.push(attempt);
        await unitOfWork.run(async (tx) => {
          await forget(tx);
          if (attempts.length === 1) throw new Error("undone");
        });
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(async () => (await queue.stats()).length === 0);
    expect(attempts).to.deep.equal([1, 2]);
  });

  it("who lost the lease cannot end the row", async () => {
    const { unitOfWork } = await store();
    const queue = await node();
    let refusal: unknown;
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ forget }) => {
        await unitOfWork.run((tx) =>
          tx.query("UPDATE job SET lock_token = 'another' WHERE kind = 'test'"),
        );
        await unitOfWork.run(forget).catch((error: unknown) => {
          refusal = error;
        });
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(() => refusal !== undefined);
    expect(refusal).to.include({ code: "conflict" });
    expect((await queue.stats())[0]?.running).to.equal(1);
  });
});
