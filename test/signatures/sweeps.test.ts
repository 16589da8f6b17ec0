import { expect } from "chai";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { SignatureWorker } from "../../core/signatures/index.js";
import { fastSettings, useEsign } from "../support/esign.js";
import { eachDatabase } from "../support/store.js";

const day = 24 * 60 * 60_000;
const inDays = (days: number) => new Date(Date.now() + days * day);

eachDatabase((_open, database) => {
  describe("the sweeps of requests", () => {
    const signatures = {
      ...fastSettings,
      pollMs: [3_600_000, 3_600_000] as const,
    };
    const harness = useEsign({ config: { database, signatures } });
    const { memory, service } = harness;
    const getWorker = () => service.container.resolve(SignatureWorker);

    const isThere = (id: string) =>
      service.store.read.existsBy(SignatureRequest, { id });

    it("wake a request that has lost its job", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      await service.store.unitOfWork.run((tx) =>
        tx.query("DELETE FROM job WHERE kind = 'signature'"),
      );
      memory.end(id, "completed");
      await getWorker().requeueLost(inDays(1));
      await harness.waitForStatus(id, "completed");
    });

    it("delete requests that ended a year ago, and none in progress", async () => {
      const [ended, pending] = [await harness.send(), await harness.send()];
      await harness.waitForStatus(pending, "pending");
      await harness.waitForStatus(ended, "pending");
      await harness.cancelWhenPossible(ended);
      const { signal } = new AbortController();
      await getWorker().deleteEnded(signal, inDays(364));
      expect(await isThere(ended)).to.equal(true);
      await getWorker().deleteEnded(signal, inDays(366));
      expect(await isThere(ended)).to.equal(false);
      expect(await isThere(pending)).to.equal(true);
    });
  });
});
