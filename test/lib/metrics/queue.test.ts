import { expect } from "chai";
import { describe, it } from "mocha";
import { QUEUE } from "../../../core/queue/index.js";
import { scrape } from "../../support/scrape.js";
import { useService } from "../../support/service.js";

describe("metrics of the queue", () => {
  const metrics = { host: "127.0.0.1", port: 0 };
  const service = useService({ config: { metrics } });

  it("count the jobs of each kind by state and measure the age of the oldest", async () => {
    const queue = service.container.resolve(QUEUE);
    const past = new Date(Date.now() - 60_000);
    const later = new Date(Date.now() + 3_600_000);
    await service.store.unitOfWork.run((tx) =>
      queue.enqueue(tx, [
        { kind: "of-nobody", rowId: "a", runAt: past },
        { kind: "of-nobody", rowId: "b", runAt: later },
      ]),
    );
    const seen = await scrape(service.metricsUrl);
    const of = (state: string) =>
      seen.get(`platen_queue_jobs{kind="of-nobody",state="${state}"}`);
    expect([of("ready"), of("delayed"), of("running")]).to.eql([1, 1, 0]);
    expect(
      seen.get('platen_queue_oldest_ready_seconds{kind="of-nobody"}'),
    ).to.be.within(59, 120);
  });
});
