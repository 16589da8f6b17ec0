import { expect } from "chai";
import { FairTurns } from "../../core/lib/fair-turns.js";

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
});
