import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { type Events, recordEvents } from "../../core/webhooks/index.js";
import {
  type Store,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import { eventsOn, TestBatch } from "../support/webhooks.js";
import { newOrganization } from "../support/store.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("processes that relay concurrently", () => {
    let stores: Store[];
    let harnesses: Events[];
    before(async () => {
      stores = [await open(), await open(), await open()];
      harnesses = stores.map((store) => eventsOn(store).events);
    });

    it("create exactly one delivery for each event and endpoint", async () => {
      const [store] = stores;
      const [harness] = harnesses;
      if (!store || !harness) throw new Error("no store");
      const organizationId = await newOrganization(store);
      for (const name of ["a", "b"]) {
        const url = `https://shop.example.com/${name}`;
        await harness.endpoints.create(organizationId, { url }, operator);
      }
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: 600 }, () => batch.succeeded());
      await store.unitOfWork.run((tx) => recordEvents(tx, events));
      for (const { dispatch } of harnesses) {
        dispatch.start();
        dispatch.nudge();
      }
      for (const { dispatch } of harnesses) await dispatch.stop();
      const rows = await store.read.find(WebhookDelivery, {
        select: { id: true, eventId: true, endpointId: true },
      });
      const pairs = rows.map((row) => `${row.eventId} ${row.endpointId}`);
      expect(new Set(pairs).size).to.equal(1200);
      expect(pairs).to.have.length(1200);
      const { unrelayed, pending } = await harness.dispatch.stats();
      expect({ unrelayed, pending }).to.deep.equal({
        unrelayed: 0,
        pending: 1200,
      });
    });
  });
});
