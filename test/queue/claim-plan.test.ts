import { expect } from "chai";
import type { EntityManager } from "typeorm";
import { createQueue, type Queue } from "../../core/queue/index.js";
import type { Store } from "../../core/storage/database/index.js";
import { eventually } from "../support/eventually.js";
import { queueOn } from "../support/queue.js";
import { silentLog } from "../support/recording-log.js";
import { eachDatabase } from "../support/store.js";

interface Statement {
  text: string;
  values: unknown[];
}

/** A way to write that notes the statements sent by `EntityManager.query`. */
function recordingWrites({ unitOfWork }: Store) {
  const sent: Statement[] = [];
  const recordingManager = (tx: EntityManager) =>
    new Proxy(tx, {
      get(target, key): unknown {
        if (key !== "query") return Reflect.get(target, key, target);
        return (text: string, values: unknown[] = []) => {
          sent.push({ text, values });
          return target.query(text, values);
        };
      },
    });
  const write = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
    unitOfWork.run((tx) => work(recordingManager(tx)));
  return { sent, write };
}

/** The statements of a node that runs at least so many of these jobs. */
async function recordRun(
  store: Store,
  jobs: Parameters<Queue["enqueue"]>[1],
  count = jobs.length,
): Promise<Statement[]> {
  const { sent, write } = recordingWrites(store);
  const { dialect, read, unitOfWork } = store;
  const queue = createQueue(
    { dialect, read, unitOfWork: { run: write }, log: silentLog },
    { node: "test" },
  );
  await unitOfWork.run((tx) => queue.enqueue(tx, jobs));
  let done = 0;
  queue.work(
    "test",
    { concurrency: 8 },
    async () => void (done += 1),
    () => Promise.resolve(),
  );
  await queue.start();
  await eventually(() => done >= count);
  await queue.stop(1000);
  return sent;
}

/** The database's query plan of a statement. */
async function explain(store: Store, { text, values }: Statement) {
  const keyword = store.dialect === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
  const plan = await store.unitOfWork.run((tx) =>
    tx.query<object[]>(`${keyword} ${text}`, values),
  );
  return JSON.stringify(plan);
}

/** Counts the statements that a queue sends without a transaction. */
function countReads({ read }: Store) {
  const reads = { count: 0 };
  const counting = new Proxy(read, {
    get(target, key): unknown {
      if (key === "query") reads.count += 1;
      return Reflect.get(target, key, target);
    },
  });
  return { reads, counting };
}

eachDatabase((open) => {
  it("a node for which nothing is ready reads at each poll, and begins no transaction", async () => {
    const store = await open();
    const { dialect, unitOfWork } = store;
    const { sent, write } = recordingWrites(store);
    const { reads, counting } = countReads(store);
    const queue = queueOn(
      { dialect, read: counting, unitOfWork: { run: write } },
      { serverUrl: null },
      { pollMs: 10 },
    );
    const later = { kind: "test", rowId: "later", delayMs: 3_600_000 };
    await unitOfWork.run((tx) => queue.enqueue(tx, [later]));
    queue.work(
      "test",
      { concurrency: 8 },
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    await queue.start();
    await eventually(() => reads.count > 0);
    const writes = sent.length;
    await eventually(() => reads.count >= 20);
    await queue.stop(1000);
    expect(sent).to.have.length(writes);
    await unitOfWork.run((tx) => tx.query("DELETE FROM job"));
  });

  it("slots that become free within a short time are filled in one transaction", async () => {
    const store = await open();
    const jobs = Array.from({ length: 240 }, (_, index) => ({
      kind: "test",
      rowId: `row-${index}`,
    }));
    const sent = await recordRun(store, jobs);
    const claims = sent.filter(({ text }) => text.includes("attempts + 1"));
    // Four slots or more each time, or what has become free after 25 ms.
    expect(claims.length).to.be.within(30, 60);
  });

  it("claiming reads ranges of the index, jumps from partition to partition, and sorts nothing", async () => {
    const store = await open();
    // Every second one is delayed.
    const jobs = Array.from({ length: 3000 }, (_, index) => ({
      kind: "test",
      rowId: `row-${index}`,
      partitionKey: `partition-${index % 3}`,
      delayMs: (index % 2) * 3_600_000,
    }));
    const statements = await recordRun(store, jobs, 8);
    const plans = await Promise.all(
      [
        /share > .*AS waitMs|AS waitMs.*share > /s,
        /ready_at <= .* ORDER BY ready_at LIMIT \d/s,
      ].map((form) => {
        const statement = statements.find(({ text }) => form.test(text));
        if (!statement) throw new Error(`No statement like ${form}.`);
        return explain(store, statement);
      }),
    );
    for (const plan of plans) {
      expect(plan).to.include("ix_job_ready");
      expect(plan).not.to.match(/TEMP B-TREE|filesort|temporary|SCAN job/i);
    }
    expect(plans[0]).to.match(/share>\?|"range"/);
    expect(plans[1]).to.match(/share=\? AND ready_at<\?|"range"/);
  });
});
