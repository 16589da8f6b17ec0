import { expect } from "chai";
import { it } from "mocha";
import {
  createPartitionKey,
  type WorkOptions,
} from "../../../core/queue/index.js";
import { eventually } from "../../support/eventually.js";
import { eachQueue } from "../../support/queue.js";

/** @param part null for the jobs of an organization without parts */
const jobs = (
  organization: string,
  part: string | null,
  count: number,
  isUrgent = false,
) =>
  Array.from({ length: count }, (_, index) => ({
    kind: "test",
    rowId: `${organization}-${part ?? "all"}-${index}`,
    partitionKey:
      part === null ? organization : createPartitionKey(organization, part),
    isUrgent,
  }));

/** A handler whose matching jobs hang until they are released. */
function createHangingHandler(isHanging: (rowId: string) => boolean) {
  const started: string[] = [];
  const ended: string[] = [];
  let resolveAll: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (resolveAll = resolve));
  const release = () => resolveAll?.();
  const handler = async ({ rowId }: { rowId: string }) => {
    started.push(rowId);
    if (isHanging(rowId)) await released;
    ended.push(rowId);
  };
  return { started, ended, handler, release };
}

const noPoison = () => Promise.resolve();

eachQueue(({ node, put }) => {
  /** A queue that is not started yet, whose matching jobs hang until they are released. */
  const withHangingJobs = async (
    options: WorkOptions,
    isHanging: (rowId: string) => boolean,
  ) => {
    const { handler, ...progress } = createHangingHandler(isHanging);
    const queue = await node();
    queue.work("test", options, handler, noPoison);
    return { queue, ...progress };
  };

  /** A queue that is not started yet, and the order in which it runs its jobs. */
  const withRecordedOrder = async (options: WorkOptions) => {
    const order: string[] = [];
    const queue = await node();
    const handler = async ({ rowId }: { rowId: string }) =>
      void order.push(rowId);
    queue.work("test", options, handler, noPoison);
    return { queue, order };
  };

  it("an organization whose jobs all hang holds half of the slots, and others run meanwhile", async () => {
    const { queue, started, ended, release } = await withHangingJobs(
      { concurrency: 8, leavesSlotsFree: true },
      (rowId) => rowId.startsWith("slow"),
    );
    for (let part = 0; part < 10; part += 1)
      await put(...jobs("slow", `${part}`, 10));
    await queue.start();
    await eventually(() => started.length === 4);
    await put(...jobs("quick", "one", 30));
    await eventually(() => ended.length === 30);
    expect(started.filter((id) => id.startsWith("slow"))).to.have.length(4);
    release();
    await eventually(() => ended.length === 130);
  });

  it("five organizations whose jobs all hang leave a slot for a sixth", async () => {
    const { queue, started, ended, release } = await withHangingJobs(
      { concurrency: 16, leavesSlotsFree: true },
      (rowId) => rowId.startsWith("slow"),
    );
    for (let at = 0; at < 5; at += 1) await put(...jobs(`slow${at}`, "a", 20));
    await queue.start();
    await eventually(() => started.length >= 10);
    await put(...jobs("quick", "one", 5));
    await eventually(() => ended.length === 5);
    release();
    await eventually(() => ended.length === 105);
  });

  it("a part of an organization whose jobs hang leaves slots for its other parts", async () => {
    const { queue, started, ended, release } = await withHangingJobs(
      { concurrency: 16, leavesSlotsFree: true },
      (rowId) => rowId.startsWith("org-slow"),
    );
    await put(...jobs("org", "slow", 40));
    await queue.start();
    await eventually(() => started.length === 4);
    await put(...jobs("org", "quick", 12));
    await eventually(() => ended.length === 12);
    release();
    await eventually(() => ended.length === 52);
  });

  it("an organization with many parts gets no larger share than one with a single part", async () => {
    const { queue, order } = await withRecordedOrder({ concurrency: 1 });
    for (let part = 0; part < 20; part += 1)
      await put(...jobs("many", `${part}`, 10));
    await put(...jobs("single", "one", 10));
    await queue.start();
    await eventually(() => order.includes("single-one-9"));
    const { length } = order.slice(0, order.indexOf("single-one-9") + 1);
    expect(length).to.be.at.most(22);
  });

  it("the urgent job of an organization goes before its others, also when it waited as another job before", async () => {
    const { queue, order } = await withRecordedOrder({ concurrency: 1 });
    await put(...jobs("org", "one", 50));
    await put(...jobs("org", "two", 1, true));
    await put({ ...jobs("org", "one", 50)[49]!, isUrgent: true });
    await queue.start();
    await eventually(() => order.length === 51);
    expect(order.slice(0, 2)).to.have.members(["org-two-0", "org-one-49"]);
  });

  it("the urgent jobs of an organization do not delay those of another", async () => {
    const { queue, order } = await withRecordedOrder({ concurrency: 1 });
    await put(...jobs("pressing", "one", 50, true));
    await put(...jobs("patient", "one", 3));
    await queue.start();
    await eventually(() => order.includes("patient-one-2"));
    expect(order.indexOf("patient-one-2")).to.be.below(7);
  });

  it("counts urgent and other jobs together against the limit of a partition", async () => {
    const { queue, started, ended, release } = await withHangingJobs(
      { concurrency: 8, maxPerPartition: 2 },
      () => true,
    );
    await put(...jobs("org", "one", 5));
    await queue.start();
    await eventually(() => started.length === 2);
    await put(
      ...jobs("org", "one", 3, true).map((job) => ({
        ...job,
        rowId: `${job.rowId}-urgent`,
      })),
      ...jobs("other", "one", 1),
    );
    await eventually(() => started.includes("other-one-0"));
    expect(started).to.have.length(3);
    release();
    await eventually(() => ended.length === 9);
    expect(
      started.slice(3, 6).filter((id) => id.endsWith("urgent")),
    ).to.have.length.at.least(2);
  });

  it("starts no job of a partition that must wait, and starts it when the wait is over", async () => {
    const waiting = createPartitionKey("org", "paused");
    let waitMs = 50;
    const { queue, order } = await withRecordedOrder({
      concurrency: 4,
      getLimit: ({ key }) =>
        key === waiting ? { key: "paused", maxRunning: 4, waitMs } : undefined,
    });
    await put(...jobs("org", "paused", 20));
    await queue.start();
    await put(...jobs("org", "quick", 5));
    await eventually(() => order.length === 5);
    expect(order.every((id) => id.startsWith("org-quick"))).to.equal(true);
    waitMs = 0;
    await eventually(() => order.length === 25);
  });

  it("counts the jobs of all partitions under the same limit together", async () => {
    const limited = new Set([
      createPartitionKey("org", "account 1"),
      createPartitionKey("other", "account 2"),
    ]);
    const { queue, started, ended, release } = await withHangingJobs(
      {
        concurrency: 8,
        getLimit: ({ key }) =>
          limited.has(key)
            ? { key: "account", maxRunning: 3, waitMs: 0 }
            : undefined,
      },
      (rowId) => rowId.includes("account"),
    );
    await put(...jobs("org", "account 1", 9), ...jobs("other", "account 2", 9));
    await queue.start();
    await eventually(() => started.length === 3);
    await put(...jobs("org", "free", 5));
    await eventually(() => ended.length === 5);
    expect(started).to.have.length(8);
    release();
    await eventually(() => ended.length === 23);
  });

  it("three jobs do not wait for the thousand jobs of another partition", async () => {
    const order: string[] = [];
    const queue = await node();
    queue.work(
      "test",
      { concurrency: 1 },
      async ({ rowId }) => {
        order.push(rowId);
        if (order.length === 10) await put(...jobs("small", null, 3));
      },
      noPoison,
    );
    await put(...jobs("large", null, 1000));
    await queue.start();
    await eventually(() => order.includes("small-all-2"));
    expect(order.indexOf("small-all-2")).to.be.below(20);
  });

  it("starts the jobs of a partition in the order of their time", async () => {
    const { queue, order } = await withRecordedOrder({ concurrency: 1 });
    for (const job of jobs("org", null, 5)) await put(job);
    await queue.start();
    await eventually(() => order.length === 5);
    expect(order).to.deep.equal(jobs("org", null, 5).map(({ rowId }) => rowId));
  });
});
