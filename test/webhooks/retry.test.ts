import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { useClock } from "../support/clock.js";
import { fastClock } from "../support/fast-clock.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
  verified,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("a delivery that fails", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    // Timestamps count in seconds.
    const now = () => Date.now() + 1000 * receiver.received.length;
    useClock({ ...fastClock, now });
    afterEach(() => receiver.forget());

    const begin = async () => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(new TestBatch(organizationId).succeeded());
      return endpoint;
    };
    const detail = async (endpoint: Awaited<ReturnType<typeof begin>>) => {
      const [row] = await harness.waitUntilSettled(endpoint);
      const { organizationId, id } = endpoint;
      const { deliveries } = harness.events;
      return deliveries.get(organizationId, id, row?.id ?? "");
    };

    it("is retried with the same id and a new signature until it is delivered", async () => {
      receiver.answer((_arrived, response) => {
        const status = receiver.received.length < 3 ? 500 : 200;
        response.writeHead(status).end(`answer ${receiver.received.length}`);
      });
      const endpoint = await begin();
      const { status, attempts } = await detail(endpoint);
      expect(status).to.equal("delivered");
      expect(
        attempts.map(({ number, outcome, responseStatus, responseBody }) => [
          number,
          outcome,
          responseStatus,
          responseBody,
        ]),
      ).to.deep.equal([
        [1, "refused", 500, "answer 1"],
        [2, "refused", 500, "answer 2"],
        [3, "delivered", 200, "answer 3"],
      ]);
      const { received } = receiver;
      expect(new Set(received.map(({ id }) => id)).size).to.equal(1);
      expect(new Set(received.map(({ text }) => text)).size).to.equal(1);
      for (const one of received) verified(endpoint.secret, one);
      const times = received.map(({ headers }) => headers["webhook-timestamp"]);
      expect(new Set(times).size).to.be.greaterThan(1);
    });

    it("is exhausted at the end of the schedule", async () => {
      receiver.answer(answers(503, {}, "not today"));
      const { status, attempts, lastError, nextAttemptAt } = await detail(
        await begin(),
      );
      expect(status).to.equal("exhausted");
      expect(attempts).to.have.length(4);
      expect(lastError).to.contain("503");
      expect(nextAttemptAt).to.equal(null);
    });

    it("stores at most 16 kB of each response", async () => {
      receiver.answer(answers(200, {}, "x".repeat(100_000)));
      const { attempts } = await detail(await begin());
      expect(attempts[0]?.responseBody).to.have.length(16 * 1024);
    });
  });
});
