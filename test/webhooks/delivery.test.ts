import { expect } from "chai";
import { describe, it } from "mocha";
import {
  TestBatch,
  useWebhooks,
  useReceiver,
  verified,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("an event", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();

    it("arrives once at each subscribed endpoint, signed, with exactly its payload", async () => {
      const organizationId = await harness.newOrganization();
      const url = `${receiver.url}/all`;
      const all = await harness.endpoint(organizationId, { url });
      await harness.endpoint(organizationId, {
        url: receiver.url,
        events: ["document.failed"],
      });
      await harness.endpoint(await harness.newOrganization(), {
        url: receiver.url,
      });
      const event = new TestBatch(organizationId).succeeded({ order: 7 });
      await harness.record(event);
      const [delivery] = await harness.waitUntilSettled(all);
      expect(receiver.received).to.have.length(1);
      const [arrived] = receiver.received;
      if (!arrived || !delivery) throw new Error("nothing arrived");
      expect(arrived.path).to.equal("/hook/all");
      expect(arrived.message).to.have.all.keys("type", "timestamp", "data");
      expect(arrived.type).to.equal("document.succeeded");
      expect(arrived.data).to.deep.equal(event.data);
      expect(arrived.headers["content-type"]).to.equal("application/json");
      expect(arrived.id).to.equal(delivery.id);
      expect(verified(all.secret, arrived)).to.deep.equal(arrived.message);
      expect(() => verified(`whsec_${btoa("x".repeat(32))}`, arrived)).to.throw(
        "No matching signature",
      );
    });
  });
});
