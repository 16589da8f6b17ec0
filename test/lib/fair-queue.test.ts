import { expect } from "chai";
import { runAsOwner, startWatchdog } from "../../core/lib/event-loop.js";
import { FairQueue } from "../../core/lib/fair-queue.js";
import { PrometheusMetrics } from "../../core/lib/metrics.js";
import { silentLog } from "../support/recording-log.js";

interface Job {
  owner: string;
  end(): void;
}

/** Jobs that run until the test ends them. */
function startJobs(slots: FairQueue, owners: readonly string[]) {
  const running: Job[] = [];
  const all = owners.map((owner) =>
    slots.run({ owner }, async () => {
      await new Promise<void>((end) => {
        running.push({ owner, end });
      });
    }),
  );
  return { running, all: Promise.all(all) };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe("slots that several organizations share", () => {
  it("run jobs of one owner after the other, and never behind all of another's", async () => {
    const slots = new FairQueue(1, { what: "an image to be decoded" });
    const owners = ["a", "a", "a", "b", "b", "c"];
    const { running, all } = startJobs(slots, owners);
    const order: string[] = [];
    for (const _ of owners) {
      await settle();
      expect(running.length).to.be.within(1, 2);
      expect(new Set(running.map(({ owner }) => owner)).size).to.equal(
        running.length,
      );
      const job = running.shift();
      order.push(job?.owner ?? "");
      job?.end();
    }
    await all;
    expect(order.indexOf("c")).to.be.below(4);
    expect(order.toSorted()).to.eql(owners);
    expect(slots).to.include({ busy: 0, queued: 0 });
  });

  it("are all used by one owner while no other waits", async () => {
    const slots = new FairQueue(2, { what: "an image to be decoded" });
    const { running, all } = startJobs(slots, ["a", "a", "a"]);
    await settle();
    expect(running).to.have.length(2);
    expect(slots).to.include({ busy: 2, queued: 1 });
    for (let ended = 0; ended < 3; ended += 1) {
      running.shift()?.end();
      await settle();
    }
    await all;
  });
});

function createTurns() {
  return new FairQueue(1, { what: "its turn", areTurns: true });
}

describe("turns on the thread that answers", () => {
  it("are taken one in a turn of the event loop, by organizations alternately", async () => {
    const turns = createTurns();
    const taken: string[] = [];
    const take = async (organization: string) => {
      await turns.take(organization);
      taken.push(organization);
    };
    // What the event loop does between two turns.
    let isDone = false;
    const turn = () => {
      if (isDone) return;
      taken.push("-");
      setImmediate(turn);
    };
    const all = ["a", "a", "a", "b", "b"].map(take);
    setImmediate(turn);
    await Promise.all(all);
    isDone = true;

    const order = taken.filter((one) => one !== "-").join("");
    expect(order).to.equal("ababa");
    expect(taken.join("")).not.to.match(/[ab]{2}/);
  });

  it("leave time to others who are served: their work does not wait for the next turn of the same organization", async () => {
    const watchdog = startWatchdog(silentLog, new PrometheusMetrics(silentLog));
    try {
      await runAsOwner({ route: "invoice", organizationId: "b" }, async () => {
        const turns = createTurns();
        const done: string[] = [];
        const long = turns.run({ owner: "a" }, async () => compute(50));
        const next = turns.run({ owner: "a" }, async () => done.push("a"));
        await long;
        await turns.run({ owner: "b" }, async () => done.push("b"));
        await next;
        expect(done).to.deep.equal(["b", "a"]);
      });
    } finally {
      watchdog.stop();
    }
  });
});

function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
