import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { EsignHarness, fastSettings, MemoryEsign } from "../support/esign.js";
import { FakeDocuseal } from "../support/fakes/fake-docuseal.js";
import { useService } from "../support/service.js";
import { emptyPdf } from "../support/signing-documents.js";
import { anyDatabase } from "../support/store.js";

const creation = /^POST .*submissions\/pdf$/;

anyDatabase((_open, database) => {
  describe("documents sent to DocuSeal", () => {
    const service = useService({
      config: {
        database,
        outbound: { allowPrivateNetworks: ["127.0.0.0/8"] },
        queue: { serverUrl: null, pollMs: 20, leaseMs: 30_000 },
        signatures: {
          ...fastSettings,
          timeoutMs: 1500,
          // In all longer than a start, which a busy provider may still be at when nobody waits for it any more.
          findWaitsMs: [1, 1, 2000],
          pollMs: [60_000, 60_000],
        },
      },
    });
    let fake: FakeDocuseal;
    const harness = new EsignHarness(service, new MemoryEsign(), () => ({
      provider: "docuseal",
      credentials: fake.credentials,
    }));
    before(async () => {
      fake = await FakeDocuseal.start();
      await harness.open();
      fake.webhook.url = `${service.url}/api/esign/notices/${harness.connectionId}`;
    });
    after(() => fake.server.close());
    /** A request that is to be signed, and was not looked at for a while. */
    const pending = async () => {
      const id = await harness.send({ bytes: await emptyPdf() });
      const { externalId } = await harness.waitForStatus(id, "pending");
      await harness.idle();
      await harness.ageBy(id, 60_000);
      return { id, submission: Number(externalId) };
    };

    it("are submitted once each although a hundred starts had no response", async () => {
      fake.server.faults.next(creation, "lost", 34);
      fake.server.faults.next(creation, "bad-gateway", 33);
      fake.server.faults.next(creation, "silent", 33);
      const ids = await harness.sendMany(100, { bytes: await emptyPdf() });
      const external = new Set<string | null>();
      for (const id of ids)
        external.add((await harness.waitForStatus(id, "pending")).externalId);
      expect(external.size).to.equal(100);
      expect(fake.submissions).to.have.length(100);
      expect(fake.violations).to.deep.equal([]);
    });

    it("are fetched with their audit trail as soon as its webhook arrives", async () => {
      const { id, submission } = await pending();
      await fake.complete(submission, "Buyer");
      const { outputs } = await harness.waitForStatus(id, "completed");
      const labels = outputs.map(({ label }) => label);
      expect(labels).to.deep.equal(["signed", "audit"]);
      expect(fake.webhook.sent.at(-1)?.status).to.equal(202);
    });

    it("are declined with the signer's reason", async () => {
      const { id, submission } = await pending();
      await fake.decline(submission, "Buyer", "Too dear.");
      const { submitters } = await harness.waitForStatus(id, "declined");
      expect(submitters[0]?.reason).to.equal("Too dear.");
    });

    it("ignore forged and outdated webhooks", async () => {
      const { id, submission } = await pending();
      const { webhook, server } = fake;
      const body = JSON.stringify({
        event_type: "form.completed",
        data: { submission_id: submission },
      });
      const notify = async (settings: { secret?: string; at?: Date } = {}) => {
        const headers = webhook.createHeaders(body, settings);
        const url = webhook.url ?? "";
        return (await fetch(url, { method: "POST", body, headers })).status;
      };
      expect(await notify({ secret: "whsec_of somebody else" })).to.equal(401);
      const old = new Date(server.clock.now.getTime() - 6 * 60_000);
      expect(await notify({ at: old })).to.equal(401);
      expect((await harness.get(id)).status).to.equal("pending");
    });

    it("fail with a clear message on an edition without support for them", async () => {
      fake.edition = "free";
      const id = await harness.send({ bytes: await emptyPdf() });
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.include("Pro");
      fake.edition = "pro";
    });
  });
});
