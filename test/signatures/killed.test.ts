import { expect } from "chai";
import { SECRET } from "../../core/lib/process-values.js";
import {
  EsignHarness,
  startEsignProcess,
  MemoryEsign,
} from "../support/esign.js";
import { eventually } from "../support/eventually.js";
import { useFakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { useService } from "../support/service.js";
import { emptyPdf } from "../support/signing-documents.js";
import { anyDatabase } from "../support/store.js";

const creation = /^POST .*submissions\/pdf$/;
const requests = 24;
const variables = {
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  PLATEN_WORKER_LEASE: "1s",
  PLATEN_QUEUE_POLL: "50ms",
  // In all longer than a start, which a busy provider may still be at when nobody waits for it any more.
  PLATEN_SIGNATURE_FIND_WAITS: "1ms,1ms,3s",
  PLATEN_SIGNATURE_POLL: "1h,1h",
  PLATEN_SIGNATURE_TIMEOUT: "2s",
};

anyDatabase((_open, database) => {
  describe("a process that is killed while it sends", () => {
    const service = useService({ config: { database }, role: "serve" });
    const fake = useFakeDocuseal();
    const harness = new EsignHarness(service, new MemoryEsign(), () => ({
      provider: "docuseal",
      credentials: fake.credentials,
    }));
    before(() => harness.open());
    const start = () =>
      startEsignProcess({
        database,
        dataFolder: service.dataFolder,
        secret: service.container.resolve(SECRET),
        variables,
      });

    it("has sent each request once after another process continued", async () => {
      const ids = await harness.sendMany(requests, { bytes: await emptyPdf() });
      // No answer comes, and then one process dies and the other waits no longer.
      fake.server.faults.next(creation, "silent", requests / 2);
      const [killed, other] = [start(), start()];
      await Promise.all([killed.ready, other.ready]);
      await eventually(() => fake.submissions.length >= requests / 3);
      await killed.kill();
      const external = new Set<string | null>();
      for (const id of ids)
        external.add((await harness.waitForStatus(id, "pending")).externalId);
      expect(external.size).to.equal(requests);
      expect(fake.submissions).to.have.length(requests);
    });
  });
});
