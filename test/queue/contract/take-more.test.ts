import { expect } from "chai";
import { it } from "mocha";
import type { JobHandler, Queue } from "../../../core/queue/index.js";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

const noPoison = () => Promise.resolve();

const listJobs = (count: number, partitionKey = "one") =>
  Array.from({ length: count }, (_, at) => ({
    kind: "test",
    rowId: `${partitionKey}-${at}`,
    partitionKey,
  }));

/** Takes more jobs along for each that starts, and runs them. */
const takeAlong =
  (queue: Queue, limit: number, handle: JobHandler): JobHandler =>
  async (job) => {
    const others = await queue.takeMore(job, limit);
    await Promise.all([
      handle(job),
      ...others.map((one) => one.run((taken) => handle(taken))),
    ]);
  };

eachQueue(({ node, put, store }) => {
  const countLeft = async () =>
    (
      await (
        await store()
      ).read.query("SELECT row_id FROM job WHERE kind = 'test'")
    ).length;

  it("gives no job to two workers that take more at once, and each job to one", async () => {
    const done: string[] = [];
    const taking: number[] = [];
    const queues = [await node(), await node()];
    for (const queue of queues)
      queue.work(
        "test",
        { concurrency: 2 },
        async (job) => {
          const others = await queue.takeMore(job, 7);
          taking.push(others.length);
          done.push(job.rowId);
          for (const one of others)
            await one.run(async ({ rowId }) => void done.push(rowId));
        },
        noPoison,
      );
    const jobs = listJobs(60);
    await put(...jobs);
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(async () => (await countLeft()) === 0);
    expect(done.toSorted()).to.deep.equal(
      jobs.map(({ rowId }) => rowId).toSorted(),
    );
    expect(Math.max(...taking)).to.be.within(1, 7);
  });

  it("takes jobs of the same partition only", async () => {
    const groups: string[][] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async (job) => {
        const others = await queue.takeMore(job, 9);
        groups.push(
          [job, ...others.map((one) => one.job)].map(({ rowId }) =>
            rowId.slice(0, 3),
          ),
        );
        for (const one of others) await one.run(noPoison);
      },
      noPoison,
    );
    await put(...listJobs(3, "one"), ...listJobs(3, "two"));
    await queue.start();
    await eventually(() => groups.length === 2);
    expect(groups.map((group) => group.join(" ")).toSorted()).to.deep.equal([
      "one one one",
      "two two two",
    ]);
  });

  it("counts the taken jobs for the limit of their partition, on all nodes", async () => {
    let running = 0;
    let max = 0;
    let done = 0;
    const queues = [await node(), await node()];
    for (const queue of queues)
      queue.work(
        "test",
        { concurrency: 4, maxPerPartition: 3 },
        takeAlong(queue, 8, async () => {
          running += 1;
          max = Math.max(max, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          done += 1;
        }),
        noPoison,
      );
    await put(...listJobs(30));
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(() => done === 30);
    expect(max).to.be.within(2, 3);
  });

  it("counts jobs that are taken in turn as one for the limit of their partition, on all nodes", async () => {
    let running = 0;
    let max = 0;
    const taken: number[] = [];
    const done: string[] = [];
    const work = async (rowId: string) => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      done.push(rowId);
    };
    const queues = [await node(), await node()];
    for (const queue of queues)
      queue.work(
        "test",
        { concurrency: 4, maxPerPartition: 3 },
        async (job) => {
          await work(job.rowId);
          const others = await queue.takeMore(job, 8, { inTurn: true });
          taken.push(others.length);
          for (const one of others) await one.run(({ rowId }) => work(rowId));
        },
        noPoison,
      );
    const jobs = listJobs(60);
    await put(...jobs);
    await Promise.all(queues.map((queue) => queue.start()));
    await eventually(async () => (await countLeft()) === 0);
    expect(done.toSorted()).to.deep.equal(
      jobs.map(({ rowId }) => rowId).toSorted(),
    );
    expect(max).to.be.within(2, 3);
    expect(Math.max(...taken)).to.equal(8);
  });

  it("gives back what the handler has neither run nor completed", async () => {
    const started: string[] = [];
    let isFirst = true;
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async (job) => {
        started.push(job.rowId);
        if (!isFirst) return;
        isFirst = false;
        expect(await queue.takeMore(job, 9)).to.have.length(3);
      },
      noPoison,
    );
    const jobs = listJobs(4);
    await put(...jobs);
    await queue.start();
    await eventually(() => started.length === 4);
    expect(started.toSorted()).to.deep.equal(jobs.map(({ rowId }) => rowId));
  });
});
