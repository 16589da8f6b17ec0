import { expect } from "chai";
import { until } from "../support/eventually.js";
import { eachQueue, QueueProcess } from "../support/queue.js";

const job = { kind: "test", rowId: "row" };
const hour = 3_600_000;
const waiting = { concurrency: 1, mode: "waits", leaseMs: 600 } as const;

eachQueue(({ place, start, put, stats, waitUntilEmpty }) => {
  describe("a job of the queue", function () {
    // Shorter than the lease of a queue that has no other.
    this.timeout(25_000);

    it("goes to another worker when its own was killed, and counts as poison when it ended too many", async () => {
      await put(job);
      const workers = new Set(
        await Promise.all([
          QueueProcess.start(place, waiting),
          QueueProcess.start(place, waiting),
        ]),
      );
      for (const attempt of [1, 2]) {
        const victim = await until(`attempt ${attempt}`, () =>
          [...workers].find(({ lines }) =>
            lines.includes(`start row ${attempt}`),
          ),
        );
        victim.signal("SIGKILL");
        workers.delete(victim);
        await victim.ended;
      }
      const started: string[] = [];
      const poison: unknown[] = [];
      await start(
        async ({ rowId }) => void started.push(rowId),
        { maxInterruptions: 2 },
        { onPoison: async (...call) => void poison.push(call) },
      );
      await waitUntilEmpty();
      expect(poison).to.deep.equal([["row", 2]]);
      expect(started).to.deep.equal([]);
    });

    it("is aborted in a worker that slept past its lease, whose result is discarded and which works on", async () => {
      await put(job);
      const stalled = await QueueProcess.start(place, waiting);
      await stalled.waitForLine("start row 1");
      stalled.freeze();
      let finish: (() => void) | undefined;
      const attempts: number[] = [];
      const aborted: number[] = [];
      const other = await start(({ attempt, signal }) => {
        attempts.push(attempt);
        signal.addEventListener("abort", () => aborted.push(attempt));
        return new Promise((resolve) => (finish = () => resolve(undefined)));
      });
      await until("the other has it", () => attempts.length === 1);
      stalled.signal("SIGCONT");
      await stalled.waitForLine("abort row");
      await put({ ...job, rowId: "next" });
      await stalled.waitForLine("start next 1");
      finish?.();
      // First, so that it cannot take what the stalled worker releases at its end.
      await other.stop(1000);
      await stalled.stop(0);
      expect({ attempts, aborted }).to.deep.equal({
        attempts: [2],
        aborted: [],
      });
    });

    it("is taken when it is due, by nodes whose clocks are an hour ahead or behind too", async () => {
      await start(
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("ended")));
          }),
      );
      await put({ ...job, rowId: "held" });
      await until("it is held", async () => (await stats())[0]?.running);
      for (const clockMs of [hour, -hour]) {
        const due = ["a", "b", "c", "d"];
        const later = { ...job, rowId: "later", delayMs: hour / 2 };
        await put(later, ...due.map((rowId) => ({ ...job, rowId })));
        const worker = await QueueProcess.start(place, { clockMs });
        await until("the jobs that are due have ended", async () => {
          const [test] = await stats();
          return test?.ready === 0 && test.running === 1;
        });
        expect((await stats())[0]).to.include({ delayed: 1, running: 1 });
        // At its end all of its lines have been read.
        await worker.stop(1000);
        expect(worker.started).to.have.members(due);
      }
    });
  });
});
