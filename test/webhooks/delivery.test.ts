import { expect } from "chai";
import { describe, it } from "mocha";
import { TestBatch, useEventRoom } from "../support/event-room.js";
import { eachDatabase } from "../support/store.js";
import { useReceiver, verified } from "../support/webhook-receiver.js";

eachDatabase((open) => {
  describe("an event", () => {
    const room = useEventRoom(open);
    const receiver = useReceiver();

    it("arrives once at each subscribed endpoint, signed, with exactly its payload", async () => {
      const organizationId = await room.newOrganization();
      const url = `${receiver.url}/all`;
      const all = await room.endpoint(organizationId, { url });
      await room.endpoint(organizationId, {
        url: receiver.url,
        events: ["document.failed"],
      });
      await room.endpoint(await room.newOrganization(), { url: receiver.url });
      const event = new TestBatch(organizationId).succeeded({ order: 7 });
      await room.record(event);
      const [delivery] = await room.settled(all);
      expect(receiver.arrived).to.have.length(1);
      const [arrived] = receiver.arrived;
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
