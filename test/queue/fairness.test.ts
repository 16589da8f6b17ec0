import { expect } from "chai";
import {
  createPartitionKey,
  type WorkOptions,
} from "../../core/queue/index.js";
import { eventually } from "../support/eventually.js";
import { eachQueue } from "../support/queue.js";

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

it("the partition of a part of an organization's jobs has a name of its own that never changes", () => {
  expect([
    createPartitionKey("org", "a", null),
    createPartitionKey("org", "a", "null"),
    createPartitionKey("org"),
  ]).to.eql([
    "org/rrsEdMV2lbhUpw2K_KCk3s0_",
    "org/4ueTdfQRxsq65u9z4veM_hag",
    "org/T1PNoYwrqgwDVLtfmj7L5e0S",
  ]);
});

eachQueue(({ start, put }) => {
  /** Starts a queue whose matching jobs hang until they are released. */
  const startHanging = async (
    options: WorkOptions,
    isHanging: (rowId: string) => boolean,
  ) => {
    const { handler, ...progress } = createHangingHandler(isHanging);
    await start(handler, options);
    return progress;
  };

  /** Starts a queue. @returns the order in which it runs its jobs, once so many have run. */
  const startRecording = async (
    count: number,
    options: Partial<WorkOptions> = {},
  ) => {
    const order: string[] = [];
    await start(async ({ rowId }) => void order.push(rowId), options);
    await eventually(() => order.length >= count);
    return order;
  };

  describe("the queue", () => {
    it("lets an organization whose jobs all hang hold half of the slots, and runs others meanwhile", async () => {
      for (let part = 0; part < 10; part += 1)
        await put(...jobs("slow", `${part}`, 10));
      const { started, ended, release } = await startHanging(
        { concurrency: 8, leavesSlotsFree: true },
        (rowId) => rowId.startsWith("slow"),
      );
      await eventually(() => started.length === 4);
      await put(...jobs("quick", "one", 30));
      await eventually(() => ended.length === 30);
      expect(started.filter((id) => id.startsWith("slow"))).to.have.length(4);
      release();
      await eventually(() => ended.length === 130);
    });

    it("leaves a slot for a sixth organization beside five whose jobs all hang", async () => {
      for (let at = 0; at < 5; at += 1)
        await put(...jobs(`slow${at}`, "a", 20));
      const { started, ended, release } = await startHanging(
        { concurrency: 16, leavesSlotsFree: true },
        (rowId) => rowId.startsWith("slow"),
      );
      await eventually(() => started.length >= 10);
      await put(...jobs("quick", "one", 5));
      await eventually(() => ended.length === 5);
      release();
      await eventually(() => ended.length === 105);
    });

    it("leaves slots for the other parts of an organization with a part whose jobs hang", async () => {
      await put(...jobs("org", "slow", 40));
      const { started, ended, release } = await startHanging(
        { concurrency: 16, leavesSlotsFree: true },
        (rowId) => rowId.startsWith("org-slow"),
      );
      await eventually(() => started.length === 4);
      await put(...jobs("org", "quick", 12));
      await eventually(() => ended.length === 12);
      release();
      await eventually(() => ended.length === 52);
    });

    it("starts an urgent job of a part that holds as many slots as it may", async () => {
      await put(...jobs("org", "slow", 40));
      const { started, ended, release } = await startHanging(
        { concurrency: 16, leavesSlotsFree: true },
        () => true,
      );
      await eventually(() => started.length === 4);
      const [urgent] = jobs("org", "slow", 1, true);
      await put({ ...urgent!, rowId: "urgent" }, ...jobs("other", null, 1));
      await eventually(() => started.length === 6);
      expect(started.slice(4)).to.have.members(["urgent", "other-all-0"]);
      release();
      await eventually(() => ended.length === 42);
    });

    it("takes turns between organizations, and between the parts of each, however many", async () => {
      for (const part of ["one", "two", "three"])
        await put(...jobs("many", part, 3));
      await put(...jobs("single", "one", 9));
      const order = await startRecording(18);
      const names = order.map((rowId) => rowId.split("-"));
      const pairs = Array.from({ length: 9 }, (_, at) =>
        names.slice(2 * at, 2 * at + 2).map(([name]) => name),
      );
      for (const pair of pairs)
        expect(pair).to.have.members(["many", "single"]);
      const parts = names.filter(([name]) => name === "many");
      for (const at of [0, 3, 6])
        expect(parts.slice(at, at + 3).map(([, part]) => part)).to.have.members(
          ["one", "two", "three"],
        );
    });

    it("begins with the organization that has waited longest", async () => {
      const early = jobs("zulu", null, 2).map((job) => ({
        ...job,
        runAt: new Date(0),
      }));
      await put(...jobs("alpha", null, 2), ...early);
      const order = await startRecording(4);
      expect(order[0]).to.equal("zulu-all-0");
    });

    it("starts a job behind 1,500 partitions whose jobs are delayed", async () => {
      const delayed = Array.from({ length: 1500 }, (_, at) => ({
        ...jobs(`a${at}`, null, 1)[0]!,
        delayMs: 3_600_000,
      }));
      await put(...delayed, ...jobs("zulu", null, 1));
      const order = await startRecording(1);
      expect(order).to.deep.equal(["zulu-all-0"]);
    });

    it("gives an organization that was idle no more turns than one that was served meanwhile", async () => {
      await put(...jobs("busy", null, 9));
      const order = await startRecording(9);
      await put(...jobs("busy", null, 9), ...jobs("idle", null, 9));
      await eventually(() => order.length === 27);
      expect(order[9]).to.match(/^idle/);
      for (let at = 10; at < 26; at += 2)
        expect(
          order.slice(at, at + 2).map((rowId) => rowId.split("-")[0]),
        ).to.have.members(["busy", "idle"]);
    });

    it("runs the urgent job of an organization before its others, also when it waited as another job before", async () => {
      await put(...jobs("org", "one", 50), ...jobs("org", "two", 1, true));
      await put({ ...jobs("org", "one", 50)[49]!, isUrgent: true });
      const order = await startRecording(51);
      expect(order.slice(0, 2)).to.have.members(["org-two-0", "org-one-49"]);
    });

    it("does not delay an organization by the urgent jobs of another", async () => {
      await put(...jobs("pressing", "one", 50, true));
      await put(...jobs("patient", "one", 3));
      const order = await startRecording(53);
      expect(order.indexOf("patient-one-2")).to.be.below(7);
    });

    it("does not delay three jobs by the thousand jobs of another partition", async () => {
      const order: string[] = [];
      await put(...jobs("large", null, 1000));
      await start(async ({ rowId }) => {
        order.push(rowId);
        if (order.length === 10) await put(...jobs("small", null, 3));
      });
      await eventually(() => order.includes("small-all-2"));
      expect(order.indexOf("small-all-2")).to.be.below(20);
    });

    it("starts the jobs of a partition in the order of their time", async () => {
      const ordered = jobs("org", null, 5);
      for (const job of ordered) await put(job);
      const order = await startRecording(5);
      expect(order).to.deep.equal(ordered.map(({ rowId }) => rowId));
    });

    it("runs no more jobs of a partition at once than its limit on all nodes, and does not hold up other partitions", async () => {
      const running = new Map<string, number>();
      const max = new Map<string, number>();
      let done = 0;
      await put(...jobs("one", null, 20), ...jobs("two", null, 20));
      const handler = async ({ rowId }: { rowId: string }) => {
        const [partition = ""] = rowId.split("-");
        const now = (running.get(partition) ?? 0) + 1;
        running.set(partition, now);
        max.set(partition, Math.max(max.get(partition) ?? 0, now));
        await new Promise((resolve) => setTimeout(resolve, 5));
        running.set(partition, (running.get(partition) ?? 0) - 1);
        done += 1;
      };
      const options = { concurrency: 4, maxPerPartition: 2 };
      await Promise.all([start(handler, options), start(handler, options)]);
      await eventually(() => done === 40);
      expect([...max.keys()]).to.have.members(["one", "two"]);
      for (const most of max.values()) expect(most).to.be.within(1, 2);
    });

    it("counts urgent and other jobs together against the limit of a partition", async () => {
      await put(...jobs("org", "one", 5));
      const { started, ended, release } = await startHanging(
        { concurrency: 8, maxPerPartition: 2 },
        () => true,
      );
      await eventually(() => started.length === 2);
      const urgent = jobs("org", "one", 3, true).map((job) => ({
        ...job,
        rowId: `${job.rowId}-urgent`,
      }));
      await put(...urgent, ...jobs("other", "one", 1));
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
      await put(...jobs("org", "paused", 20), ...jobs("org", "quick", 5));
      const order = await startRecording(5, {
        concurrency: 4,
        getLimit: ({ key }) =>
          key === waiting
            ? { key: "paused", maxRunning: 4, waitMs }
            : undefined,
      });
      expect(order.every((id) => id.startsWith("org-quick"))).to.equal(true);
      waitMs = 0;
      await eventually(() => order.length === 25);
    });

    it("counts the jobs of all partitions under the same limit together", async () => {
      const limited = new Set([
        createPartitionKey("org", "account 1"),
        createPartitionKey("other", "account 2"),
      ]);
      await put(
        ...jobs("org", "account 1", 9),
        ...jobs("other", "account 2", 9),
      );
      const { started, ended, release } = await startHanging(
        {
          concurrency: 8,
          getLimit: ({ key }) =>
            limited.has(key)
              ? { key: "account", maxRunning: 3, waitMs: 0 }
              : undefined,
        },
        (rowId) => rowId.includes("account"),
      );
      await eventually(() => started.length === 3);
      await put(...jobs("org", "free", 5));
      await eventually(() => ended.length === 5);
      expect(started).to.have.length(8);
      release();
      await eventually(() => ended.length === 23);
    });
  });
});
