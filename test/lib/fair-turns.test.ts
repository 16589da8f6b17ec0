import { expect } from "chai";
import { runAsOwner, startWatchdog } from "../../core/lib/event-loop.js";
import { FairTurns } from "../../core/lib/fair-turns.js";
import { PrometheusMetrics } from "../../core/lib/metrics.js";
import { silentLog } from "../support/recording-log.js";

describe("turns on the thread that answers", () => {
  it("are taken one in a turn of the event loop, by organizations alternately", async () => {
    const turns = new FairTurns();
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
    expect(order).to.equal("aabab");
    expect(taken.join("")).not.to.match(/[ab]{2}/);
  });

  it("leave time to others who are served: their work does not wait for the next turn of the same organization", async () => {
    const watchdog = startWatchdog(silentLog, new PrometheusMetrics(silentLog));
    try {
      await runAsOwner({ route: "invoice", organizationId: "b" }, async () => {
        const turns = new FairTurns();
        const done: string[] = [];
        const long = turns.run(async () => compute(50), "a");
        const next = turns.run(async () => done.push("a"), "a");
        await long;
        await turns.run(async () => done.push("b"), "b");
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
