import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { recordEvents } from "../../core/webhooks/index.js";
import {
  type Store,
  WebhookDelivery,
} from "../../core/storage/database/index.js";
import { until } from "../support/eventually.js";
import {
  eventsOn,
  TestBatch,
  startEventProcess,
  useReceiver,
} from "../support/webhooks.js";
import { newOrganization } from "../support/store.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open, location) => {
  describe("a process that is killed", () => {
    const receiver = useReceiver();
    const kills: (() => Promise<void>)[] = [];
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(async () => {
      for (const kill of kills) await kill();
    });
    const work = async () => {
      const kill = await startEventProcess(location);
      kills.push(kill);
      return kill;
    };

    it("after the commit and during a delivery loses nothing, and repeats a delivery only with the same id", async () => {
      const organizationId = await newOrganization(store);
      const { events } = eventsOn(store);
      const { id: endpointId } = await events.endpoints.create(
        organizationId,
        { url: receiver.url },
        operator,
      );
      const batch = new TestBatch(organizationId);
      const documents = [1, 2, 3].map(() => batch.succeeded());
      // Nobody is nudged: as if this process had died right after its commit.
      await store.unitOfWork.run((tx) =>
        recordEvents(tx, [...documents, batch.completed(3)]),
      );
      receiver.answer(() => undefined);
      const kill = await work();
      await receiver.waitFor(3);
      await kill();
      const cutOff = receiver.received.map(({ id }) => id);
      receiver.forget();
      await work();
      await until("every delivery has arrived", () =>
        store.read
          .countBy(WebhookDelivery, { endpointId, status: "delivered" })
          .then((count) => count === 4),
      );
      // A process that is slower than its lease repeats a delivery too.
      const types = new Map(
        receiver.received.map(({ id, type }) => [id, type]),
      );
      expect([...types.keys()])
        .to.have.length(4)
        .and.include.members(cutOff);
      expect([...types.values()].at(-1)).to.equal("documents.completed");
      const rows = await store.read.findBy(WebhookDelivery, { endpointId });
      expect(rows.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1, 1]);
    });
  });
});
