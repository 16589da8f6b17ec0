import { expect } from "chai";
import { it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { QueueProcess, eachQueue } from "../../support/queue.js";

eachQueue(({ place, node, put }) => {
  it("reports a job that ended its worker three times as poison, and deletes it", async () => {
    const work = { leaseMs: 1500, concurrency: 1, mode: "waits" } as const;
    const workers = new Set(
      await Promise.all(
        Array.from({ length: 4 }, () => QueueProcess.start(place, work)),
      ),
    );
    await put({ kind: "test", rowId: "row" });
    for (const attempt of [1, 2, 3]) {
      const victim = await findPrinting(`start row ${attempt}`, workers);
      victim.signal("SIGKILL");
      workers.delete(victim);
    }
    const last = await findPrinting("poison row 3", workers);
    const queue = await node();
    await eventually(async () => (await queue.stats()).length === 0);
    await last.stop(1000);
    expect(last.started).to.deep.equal([]);
  });
});

/** The first worker that prints this line. */
function findPrinting(
  line: string,
  workers: ReadonlySet<QueueProcess>,
): Promise<QueueProcess> {
  return eventually(() =>
    [...workers].find(({ lines }) => lines.includes(line)),
  );
}
