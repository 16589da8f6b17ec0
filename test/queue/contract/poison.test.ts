import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, node, put }) => {
  it("a job that ends its worker three times is told as poison, and forgotten", async () => {
    const work = { leaseMs: 1500, concurrency: 1, acts: "waits" } as const;
    const workers = new Set(
      await Promise.all(
        Array.from({ length: 4 }, () => QueueProcess.start(place, work)),
      ),
    );
    await put({ kind: "test", rowId: "row" });
    for (const attempt of [1, 2, 3]) {
      const victim = await whoSays(`start row ${attempt}`, workers);
      victim.signal("SIGKILL");
      workers.delete(victim);
    }
    const last = await whoSays("poison row 3", workers);
    const queue = await node();
    await eventually(async () => (await queue.stats()).length === 0);
    await last.stop(1000);
    expect(last.started).to.deep.equal([]);
  });
});

/** The one of the workers that comes to say this. */
function whoSays(
  line: string,
  workers: ReadonlySet<QueueProcess>,
): Promise<QueueProcess> {
  return eventually(() =>
    [...workers].find(({ lines }) => lines.includes(line)),
  );
}
