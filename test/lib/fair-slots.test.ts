import { expect } from "chai";
import { describe, it } from "mocha";
import { FairSlots } from "../../core/lib/fair-slots.js";

interface Job {
  owner: string;
  end(): void;
}

/** Jobs that run until the test ends them. */
function startJobs(slots: FairSlots, owners: readonly string[]) {
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
    const slots = new FairSlots(1, { what: "an image to be decoded" });
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
    const slots = new FairSlots(2, { what: "an image to be decoded" });
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
