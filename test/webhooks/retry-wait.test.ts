import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { WebhookDelivery } from "../../core/storage/database/index.js";
import { useClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import {
  TestBatch,
  useWebhooks,
  answers,
  useReceiver,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

const hourMs = 3_600_000;
const inTwoHours = () => new Date(Date.now() + 2 * hourMs).toUTCString();

anyDatabase((open) => {
  describe("the wait before the next attempt", () => {
    useClock({});
    const harness = useWebhooks(open, { schedule: [hourMs] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** In hours, after a 503 with these headers. */
    const waitAfter = async (headers: object) => {
      receiver.answer(answers(503, headers));
      const organizationId = await harness.newOrganization();
      const { id } = await harness.endpoint(organizationId, {
        url: receiver.url,
      });
      await harness.record(new TestBatch(organizationId).succeeded());
      const { nextAttemptAt, updatedAt } = await until("an attempt", () =>
        harness.store.read.findOneBy(WebhookDelivery, {
          endpointId: id,
          attempts: 1,
        }),
      );
      const wait = (nextAttemptAt?.getTime() ?? 0) - updatedAt.getTime();
      return wait / hourMs;
    };

    it("is the schedule's with a jitter of 20%", async () => {
      const waits = [await waitAfter({}), await waitAfter({})];
      for (const wait of waits) expect(wait).to.be.within(0.8, 1.2);
      expect(waits[0]).to.not.equal(waits[1]);
    });

    for (const [name, retryAfter, min, max] of [
      ["a date", inTwoHours, 1.9, 2],
      ["a number of seconds", () => "7200", 2, 2],
      ["less than the schedule's", () => "60", 0.8, 1.2],
      ["more than a day", () => "9999999", 24, 24],
      ["invalid", () => "soon", 0.8, 1.2],
    ] as const)
      it(`is ${min} to ${max} hours when Retry-After is ${name}`, async () => {
        const wait = await waitAfter({ "retry-after": retryAfter() });
        expect(wait).to.be.within(min, max);
      });
  });
});
