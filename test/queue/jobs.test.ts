import { expect } from "chai";
import { useClock } from "../support/clock.js";
import { eventually, until } from "../support/eventually.js";
import { eachQueue } from "../support/queue.js";

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const job = { kind: "test", rowId: "row" };

eachQueue((harness) => {
  const { node, start, put, stats, waitUntilEmpty, store, logged } = harness;
  describe("a job", () => {
    it("is stored once when it is enqueued twice, with the earlier time", async () => {
      await put({ ...job, delayMs: 60_000 });
      await put(job, job);
      await put({ ...job, delayMs: 60_000 });
      const [test] = await stats();
      expect(test).to.include({ ready: 1, delayed: 0 });
    });

    it("is not stored when its transaction is rolled back", async () => {
      const queue = await node();
      const { unitOfWork } = await store();
      const rolledBack = unitOfWork.run(async (tx) => {
        await queue.enqueue(tx, [job]);
        throw new Error("rolled back");
      });
      await rolledBack.catch(() => undefined);
      expect(await stats()).to.deep.equal([]);
    });

    it("is counted by kind, and as ready or delayed", async () => {
      const many = Array.from({ length: 1200 }, (_, n) => ({
        kind: "many",
        rowId: `${n}`,
      }));
      await put(
        ...many,
        { ...job, rowId: "later", runAt: inMinutes(1) },
        { ...job, rowId: "past", runAt: inMinutes(-1) },
      );
      const [ofMany, ofTest, ...others] = await stats();
      expect(others).to.deep.equal([]);
      const { oldestReadySeconds } = ofTest ?? { oldestReadySeconds: 0 };
      expect(ofMany).to.include({ kind: "many", ready: 1200, delayed: 0 });
      expect(ofMany?.oldestReadySeconds).to.be.below(60);
      expect(ofTest).to.deep.equal({
        kind: "test",
        ready: 1,
        delayed: 1,
        running: 0,
        oldestReadySeconds,
      });
      expect(oldestReadySeconds).to.be.within(59, 600);
    });

    it("runs when it is due, however rarely its node polls", async () => {
      const done: string[] = [];
      const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`);
      await put(
        ...rows.map((rowId, index) => ({
          ...job,
          rowId,
          delayMs: 300 + 13 * index,
        })),
      );
      await start(
        async ({ rowId }) => void done.push(rowId),
        {},
        { pollMs: 30_000 },
      );
      await eventually(() => done.length === rows.length);
      expect(done).to.have.members(rows);
    });

    it("runs again after the delay that its handler returns, counting attempts from 1", async () => {
      const attempts: number[] = [];
      await start(async ({ attempt }) => {
        attempts.push(attempt);
        return attempts.length < 5 ? { again: 20 } : undefined;
      });
      await put(job);
      await waitUntilEmpty();
      expect(attempts).to.deep.equal([1, 1, 1, 1, 1]);
    });

    describe("whose handler throws", () => {
      const pauses: number[] = [];
      useClock({
        pause: (ms) => {
          // Shorter ones are between attempts to write.
          if (ms >= 1000) pauses.push(ms);
          return 1;
        },
      });

      for (const [options, expected] of [
        [{}, [2000, 4000, 8000]],
        [
          { maxInterruptions: 7 },
          [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000],
        ],
      ] as const)
        it(`runs again after pauses that double up to a minute, and counts as poison after ${expected.length} times`, async () => {
          pauses.length = 0;
          const attempts: number[] = [];
          const poison: unknown[] = [];
          await start(
            async ({ attempt }) => {
              attempts.push(attempt);
              throw new Error("broken");
            },
            options,
            { onPoison: async (...call) => void poison.push(call), pollMs: 20 },
          );
          await put(job);
          await until("it is given up", () => poison.length > 0);
          await waitUntilEmpty();
          expect(pauses).to.deep.equal(expected);
          expect(attempts).to.deep.equal(expected.map((_, at) => at + 1));
          expect(poison).to.deep.equal([["row", expected.length]]);
          expect(logged).to.deep.equal(
            attempts.map((attempt) => ["job failed", { ...job, attempt }]),
          );
        });
    });

    it("runs once more after it was enqueued while it ran, however often", async () => {
      let runs = 0;
      await start(async () => {
        runs += 1;
        if (runs === 1) for (const _ of "ask") await put(job);
      });
      await put(job);
      await until("it ran twice", () => runs > 1);
      await waitUntilEmpty();
      expect(runs).to.equal(2);
    });

    it("is deleted with the commit of the handler's transaction that completes it, and kept with its rollback", async () => {
      const { unitOfWork } = await store();
      const attempts: number[] = [];
      await start(async ({ attempt, complete }) => {
        attempts.push(attempt);
        await unitOfWork.run(async (tx) => {
          await complete(tx);
          if (attempts.length === 1) throw new Error("rolled back");
        });
      });
      await put(job);
      await waitUntilEmpty();
      expect(attempts).to.deep.equal([1, 2]);
    });

    it("cannot be completed by a worker that lost its lease", async () => {
      const { unitOfWork } = await store();
      let rejection: unknown;
      await start(async ({ complete }) => {
        await unitOfWork.run((tx) =>
          tx.query("UPDATE job SET lock_token = 'another' WHERE kind = 'test'"),
        );
        await unitOfWork.run(complete).catch((error: unknown) => {
          rejection = error;
        });
      });
      await put(job);
      await eventually(() => rejection !== undefined);
      expect(rejection).to.include({
        code: "conflict",
        message:
          "The lease of the test job row was lost: another node has taken it, and this run's result is discarded.",
      });
      expect((await stats())[0]?.running).to.equal(1);
    });
  });

  it("a sweep runs periodically, also after a failure, on one node at a time", async () => {
    let runs = 0;
    let running = 0;
    let max = 0;
    const sweep = async () => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      runs += 1;
      if (runs === 2) throw new Error("broken");
    };
    const queues = [await node(), await node()];
    for (const queue of queues) queue.every("tidy", 10, sweep);
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(() => runs >= 5);
    expect(max).to.equal(1);
    expect(logged).to.deep.equal([["sweep failed", { sweep: "tidy" }]]);
  });
});
