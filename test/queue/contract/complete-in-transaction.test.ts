import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

eachQueue(({ node, put, store }) => {
  it("deletes a job completed in the handler's transaction with its commit, and keeps it with its rollback", async () => {
    const { unitOfWork } = await store();
    const queue = await node();
    const attempts: number[] = [];
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ attempt, complete }) => {
        attempts.push(attempt);
        await unitOfWork.run(async (tx) => {
          await complete(tx);
          if (attempts.length === 1) throw new Error("rolled back");
        });
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(async () => (await queue.stats()).length === 0);
    expect(attempts).to.deep.equal([1, 2]);
  });

  it("a worker that lost the lease cannot complete the job", async () => {
    const { unitOfWork } = await store();
    const queue = await node();
    let rejection: unknown;
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ complete }) => {
        await unitOfWork.run((tx) =>
          tx.query("UPDATE job SET lock_token = 'another' WHERE kind = 'test'"),
        );
        await unitOfWork.run(complete).catch((error: unknown) => {
          rejection = error;
        });
      },
      () => Promise.resolve(),
    );
    await queue.start();
    await put({ kind: "test", rowId: "row" });
    await eventually(() => rejection !== undefined);
    expect(rejection).to.include({ code: "conflict" });
    expect((await queue.stats())[0]?.running).to.equal(1);
  });
});
