import { expect } from "chai";
import {
  Job,
  openStore,
  type Store,
} from "../../core/storage/database/index.js";
import { eventually, until } from "../support/eventually.js";
import { eachTransport, QueueProcess, queueOn } from "../support/queue.js";
import { silentLog } from "../support/recording-log.js";
import { suiteFolder } from "../support/store-folder.js";

const listJobs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: "test", rowId: `${at}` }));

eachTransport((harness) => {
  const { place, node, start, put, stats, store, waitUntilEmpty } = harness;
  const { logged } = harness;
  describe("a node of the queue", () => {
    it("finds a job for which no node received a wake-up", async () => {
      const done: string[] = [];
      await start(async ({ rowId }) => void done.push(rowId));
      await put(...listJobs(1));
      await waitUntilEmpty();
      expect(done).to.deep.equal(["0"]);
    });

    it("holds only the jobs that it runs, and fills a slot as soon as it is free", async () => {
      const ends: (() => void)[] = [];
      await put(...listJobs(20));
      await start(
        () => new Promise((resolve) => ends.push(() => resolve(undefined))),
        { concurrency: 2 },
        { pollMs: 10_000 },
      );
      for (let done = 0; done < 20; done += 1) {
        const expected = Math.min(20, done + 2);
        await eventually(() => ends.length === expected);
        const [test] = await stats();
        expect(test?.running).to.be.at.most(2);
        ends[done]?.();
      }
      await waitUntilEmpty();
    });

    it("runs as many jobs of a kind at once as that kind may, whatever runs of another kind", async () => {
      const running = new Map<string, number>();
      let release: (() => void) | undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const queue = await node();
      const kinds = { few: 1, many: 30 };
      for (const [kind, concurrency] of Object.entries(kinds))
        queue.work(
          kind,
          { concurrency },
          async () => {
            running.set(kind, (running.get(kind) ?? 0) + 1);
            await released;
          },
          () => Promise.resolve(),
        );
      await queue.start();
      for (const [kind, count] of Object.entries(kinds)) {
        await put(...listJobs(31).map(({ rowId }) => ({ kind, rowId })));
        await eventually(() => running.get(kind) === count);
      }
      const held = await stats();
      expect(held.map((one) => [one.kind, one.running])).to.deep.equal(
        Object.entries(kinds),
      );
      expect(Object.fromEntries(running)).to.deep.equal(kinds);
      release?.();
      await waitUntilEmpty();
    });

    it("runs each job once although another process competes for it", async () => {
      const other = await QueueProcess.start(place);
      const done: string[] = [];
      await start(async ({ rowId }) => void done.push(rowId), {
        concurrency: 4,
      });
      const jobs = listJobs(200);
      await put(...jobs);
      await waitUntilEmpty();
      await other.stop(1000);
      expect([...done, ...other.started]).to.have.members(
        jobs.map(({ rowId }) => rowId),
      );
      // Its process ends by itself.
      await other.ended;
    });

    it("lets its running jobs finish when it stops", async () => {
      let finish: (() => void) | undefined;
      const aborted: string[] = [];
      const queue = await start(({ rowId, signal }) => {
        signal.addEventListener("abort", () => aborted.push(rowId));
        return new Promise((resolve) => (finish = () => resolve(undefined)));
      });
      await put(...listJobs(1));
      const end = await until("it runs", () => finish);
      const stopped = queue.stop(60_000);
      // A stop that did not wait would abort it meanwhile.
      await stats();
      await stats();
      expect(aborted).to.deep.equal([]);
      end();
      await stopped;
      expect(await stats()).to.deep.equal([]);
    });

    it("releases the jobs that it could not finish when it stops, without counting the attempt", async () => {
      const started: string[] = [];
      const aborted: string[] = [];
      const stopping = await start(
        ({ rowId, signal }) => {
          started.push(rowId);
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted.push(rowId);
              reject(new Error("aborted"));
            });
          });
        },
        { concurrency: 2, leaseMs: 600_000 },
      );
      await put(...listJobs(3));
      await eventually(() => started.length === 2);
      await stopping.stop(10);
      expect(aborted).to.have.members(started);
      const [test] = await stats();
      expect(test).to.include({ ready: 3, delayed: 0, running: 0 });
      const attempts: number[] = [];
      await start(async ({ attempt }) => void attempts.push(attempt));
      await waitUntilEmpty();
      expect(attempts).to.deep.equal([1, 1, 1]);
    });

    it("renews the lease of a running job in time", async () => {
      const leaseMs = 6000;
      let release: (() => void) | undefined;
      await put(...listJobs(1));
      await start(
        () => new Promise((resolve) => (release = () => resolve(undefined))),
        { leaseMs },
      );
      await until("it runs", () => release);
      const { read } = await store();
      const readLease = async () => {
        const { readyAt } = await read.findOneByOrFail(Job, { kind: "test" });
        return readyAt.getTime();
      };
      const first = await readLease();
      const startedAt = performance.now();
      await until("it is renewed", async () => (await readLease()) > first);
      expect(performance.now() - startedAt).to.be.below(leaseMs);
      release?.();
      await waitUntilEmpty();
    });

    it("aborts a job whose lease another node has", async () => {
      const reasons: unknown[] = [];
      await put(...listJobs(1));
      await start(
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              reasons.push(signal.reason);
              reject(new Error("aborted"));
            });
          }),
        { leaseMs: 6000 },
      );
      await until("it runs", async () => (await stats())[0]?.running === 1);
      const { unitOfWork } = await store();
      await unitOfWork.run((tx) =>
        tx.update(
          Job,
          { kind: "test" },
          { lockToken: "another", readyAt: new Date(Date.UTC(2099, 0)) },
        ),
      );
      await until("it is aborted", () => reasons.length === 1);
      expect(reasons[0]).to.include({
        code: "conflict",
        message:
          "The lease of this job was lost: another node may be running it. Discard the results of this run.",
      });
      expect(logged).to.eql([["lease lost", { kind: "test", rowId: "0" }]]);
      expect((await stats())[0]?.running).to.equal(1);
    });

    it("refuses a second worker for the same kind of jobs", async () => {
      const queue = await node();
      const work = () =>
        queue.work(
          "test",
          { concurrency: 1 },
          () => Promise.resolve(),
          () => Promise.resolve(),
        );
      work();
      expect(work).to.throw('kind "test" is already registered');
    });
  });
});

const folder = suiteFolder();
const openSqlite = () =>
  openStore({
    database: { kind: "sqlite", file: `${folder}/queue.sqlite` },
    migrate: true,
    log: silentLog,
  });

it("a node of the queue reports a server of wake-ups that cannot be reached at the start", async () => {
  const store = await openSqlite();
  const queue = queueOn(store, { serverUrl: "postgres://127.0.0.1:1/queue" });
  const failure: unknown = await queue.start().catch((error: unknown) => error);
  await queue.stop(0);
  await store.close();
  expect(failure).to.include({ code: "unavailable" });
  expect(failure).property("message").to.include("PLATEN_QUEUE_URL");
});

it("a node of the queue aborts its jobs when it could not renew their leases for as long as they last, and logs what it could not write", async () => {
  const reasons: unknown[] = [];
  const texts: string[] = [];
  const opened = await openSqlite();
  const { unitOfWork } = opened;
  let isDown = false;
  let running = 0;
  const failing: Store["unitOfWork"] = {
    run: (work) =>
      isDown ? Promise.reject(new Error("down")) : unitOfWork.run(work),
  };
  const say = (_fields: object, text?: string) => void texts.push(text ?? "");
  const log = { ...silentLog, warn: say, error: say };
  const queue = queueOn(
    { ...opened, unitOfWork: failing },
    { serverUrl: null },
    { log },
  );
  queue.work(
    "test",
    { concurrency: 2, leaseMs: 900 },
    ({ signal }) =>
      new Promise((resolve) => {
        running += 1;
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          resolve();
        });
      }),
    () => Promise.resolve(),
  );
  await unitOfWork.run((tx) => queue.enqueue(tx, listJobs(2)));
  await queue.start();
  await until("they run", () => running === 2);
  isDown = true;
  await until("they are aborted", () => reasons.length === 2);
  await queue.stop(0);
  await opened.close();
  expect(reasons[0]).to.include({ code: "conflict" });
  expect(texts).to.include.members(["could not renew leases", "lease lost"]);
});
