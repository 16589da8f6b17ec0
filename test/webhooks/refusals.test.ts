import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import {
  type EndpointView,
  type EndpointWithSecret,
} from "../../core/webhooks/index.js";
import { WebhookDelivery } from "../../core/storage/database/index.js";
import { until } from "../support/eventually.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("a receiver that", () => {
    const harness = useWebhooks(open, { schedule: [1, 1] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async (url = receiver.url) => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, { url });
      await harness.record(new TestBatch(organizationId).succeeded());
      return endpoint;
    };
    const view = ({ organizationId, id }: EndpointWithSecret) =>
      harness.events.endpoints.get(organizationId, id);

    it("redirects is not followed", async () => {
      receiver.answer(answers(307, { location: `${receiver.url}/elsewhere` }));
      const [delivery] = await harness.waitUntilSettled(await begin());
      expect(delivery?.status).to.equal("exhausted");
      expect(delivery?.lastError).to.contain("redirect");
      expect(receiver.received.map(({ path }) => path)).to.deep.equal([
        "/hook",
        "/hook",
        "/hook",
      ]);
    });

    it("answers 410 is disabled, and later events are not sent", async () => {
      receiver.answer(answers(410));
      const endpoint = await begin();
      await harness.waitUntilSettled(endpoint);
      const disabled: EndpointView = await view(endpoint);
      expect(disabled.isEnabled).to.equal(false);
      expect(disabled.disabledReason).to.contain("410");
      await harness.record(new TestBatch(endpoint.organizationId).succeeded());
      await until("the second event's delivery", () =>
        harness.store.read
          .countBy(WebhookDelivery, { endpointId: endpoint.id })
          .then((count) => count === 2),
      );
      const [, second] = await harness.waitUntilSettled(endpoint);
      expect(second).to.include({ status: "exhausted", attempts: 0 });
      expect(second?.lastError).to.contain("disabled");
      expect(receiver.received).to.have.length(1);
    });

    it("does not answer is recorded as unreachable", async () => {
      receiver.answer((_arrived, response) => void response.destroy());
      const [delivery] = await harness.waitUntilSettled(await begin());
      expect(delivery).to.include({ status: "exhausted", lastStatus: null });
      expect(delivery?.lastError).to.contain("the connection was closed");
    });

    it("answers 200 and never ends its response counts as delivered", async () => {
      receiver.answer((_arrived, response) => {
        response.writeHead(200).write("thank");
        setImmediate(() => response.destroy());
      });
      const [delivery] = await harness.waitUntilSettled(await begin());
      expect(delivery).to.include({ status: "delivered", lastStatus: 200 });
    });

    it("resolves to a private address is not called", async () => {
      const endpoint = await begin("https://localhost.localdomain/");
      const [delivery] = await harness.waitUntilSettled(endpoint);
      expect(delivery).to.include({ status: "exhausted", lastStatus: null });
    });
  });
});
