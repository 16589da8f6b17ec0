import { expect } from "chai";
import type { Queue, RunningJob } from "../../core/queue/index.js";
import { until } from "../support/eventually.js";
import { eachQueue } from "../support/queue.js";

type Handler = (job: RunningJob, queue: Queue) => Promise<void>;

const listJobs = (count: number, partitionKey = "one") =>
  Array.from({ length: count }, (_, at) => ({
    kind: "test",
    rowId: `${partitionKey}-${at}`,
    partitionKey,
  }));

/** The most of the jobs that run `work` at once. */
function countRunning(work: (rowId: string) => void) {
  let running = 0;
  const most = { count: 0 };
  const run = async ({ rowId }: { rowId: string }) => {
    running += 1;
    most.count = Math.max(most.count, running);
    await new Promise((resolve) => setTimeout(resolve, 3));
    running -= 1;
    work(rowId);
  };
  return { most, run };
}

eachQueue(({ start, put, store, waitUntilEmpty }) => {
  describe("a job of the queue that takes more jobs for its slot", () => {
    it("gets none that another worker takes at the same time, and each job is run once", async () => {
      const done: string[] = [];
      const taking: number[] = [];
      const jobs = listJobs(60);
      await put(...jobs);
      const handler: Handler = async (job, queue) => {
        const others = await queue.takeMore(job, 7);
        taking.push(others.length);
        done.push(job.rowId);
        for (const one of others)
          await one.run(async ({ rowId }) => void done.push(rowId));
      };
      const two = { concurrency: 2 };
      await Promise.all([start(handler, two), start(handler, two)]);
      await waitUntilEmpty();
      expect(done).to.have.members(jobs.map(({ rowId }) => rowId));
      expect(Math.max(...taking)).to.be.within(1, 7);
    });

    it("gets jobs of its own partition only", async () => {
      const groups: string[] = [];
      await put(...listJobs(3, "one"), ...listJobs(3, "two"));
      await start(async (job, queue) => {
        const others = await queue.takeMore(job, 9);
        const group = [job, ...others.map((one) => one.job)];
        groups.push(group.map(({ rowId }) => rowId.slice(0, 3)).join(" "));
        for (const one of others) await one.run(() => Promise.resolve());
      });
      await waitUntilEmpty();
      expect(groups).to.have.members(["one one one", "two two two"]);
    });

    it("leaves the other slot to another partition", async () => {
      const started: string[] = [];
      let taken = 0;
      const jobs = listJobs(5);
      await put(...jobs.slice(0, 2));
      const handler: Handler = async (job, queue) => {
        started.push(job.rowId);
        if (job.rowId === "one-1")
          await until("the first has taken more", () => taken > 0);
        if (job.rowId !== "one-0") return;
        await until("both slots are taken", () => started.length === 2);
        await put(...jobs.slice(2), ...listJobs(1, "two"));
        taken = (await queue.takeMore(job, 9)).length;
        await until("the other starts", () => started.includes("two-0"));
      };
      await start(handler, { concurrency: 2 });
      await until("all have started", () => started.length === 6);
      expect(taken).to.equal(3);
    });

    for (const inTurn of [false, true])
      it(`counts ${inTurn ? "as one with those that it takes in turn" : "beside those that it takes"} for the limit of its partition, on all nodes`, async () => {
        const done: string[] = [];
        const taken: number[] = [];
        const { most, run } = countRunning((rowId) => void done.push(rowId));
        const jobs = listJobs(inTurn ? 60 : 30);
        await put(...jobs);
        const handler: Handler = async (job, queue) => {
          if (inTurn) await run(job);
          const others = await queue.takeMore(job, 8, { inTurn });
          taken.push(others.length);
          if (!inTurn)
            await Promise.all([run(job), ...others.map((one) => one.run(run))]);
          else for (const one of others) await one.run(run);
        };
        const options = { concurrency: 4, maxPerPartition: 3 };
        await Promise.all([start(handler, options), start(handler, options)]);
        await waitUntilEmpty();
        expect(done).to.have.members(jobs.map(({ rowId }) => rowId));
        expect(most.count).to.be.within(2, 3);
        expect(Math.max(...taken)).to.be.at.least(inTurn ? 8 : 0);
      });

    it("gets none whose earlier run was interrupted, and gives back those that its handler has neither run nor completed", async () => {
      const started: string[] = [];
      const taken: string[] = [];
      const [first, ...others] = listJobs(5);
      await put({ ...first!, runAt: new Date(0) }, ...others);
      const { unitOfWork } = await store();
      await unitOfWork.run((tx) =>
        tx.query("UPDATE job SET attempts = 1 WHERE row_id = ?", ["one-2"]),
      );
      await start(async (job, queue) => {
        started.push(job.rowId);
        if (started.length > 1) return;
        const more = await queue.takeMore(job, 9);
        taken.push(...more.map((one) => one.job.rowId));
      });
      await waitUntilEmpty();
      expect(taken).to.have.members(["one-1", "one-3", "one-4"]);
      expect(started).to.have.members([
        "one-0",
        ...others.map(({ rowId }) => rowId),
      ]);
    });
  });
});
