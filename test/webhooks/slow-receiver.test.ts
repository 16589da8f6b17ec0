import { expect } from "chai";
import type { ServerResponse } from "node:http";
import { describe, it } from "mocha";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("a slow receiver", () => {
    const harness = useWebhooks(open, { concurrency: 6, perEndpoint: 2 });
    const slow = useReceiver();
    const quick = useReceiver();

    it("does not delay others, and gets few deliveries at once", async () => {
      const waiting: ServerResponse[] = [];
      slow.answer((_arrived, response) => void waiting.push(response));
      const stuck = await begin(slow.url, 8);
      await slow.waitFor(2);
      const prompt = await begin(quick.url, 8);
      const rows = await harness.waitUntilSettled(prompt);
      expect(rows.map(({ status }) => status)).to.deep.equal(
        rows.map(() => "delivered"),
      );
      expect(slow.received).to.have.length(2);
      slow.forget();
      for (const response of waiting) response.writeHead(200).end();
      expect(await harness.waitUntilSettled(stuck)).to.have.length(8);
    });

    const begin = async (url: string, count: number) => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, { url });
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: count }, () => batch.succeeded());
      await harness.record(...events);
      return endpoint;
    };
  });

  describe("a receiver that never answers", () => {
    const harness = useWebhooks(open, { schedule: [], timeoutMs: 200 });
    const receiver = useReceiver();

    it("is timed out", async () => {
      receiver.answer(() => undefined);
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(new TestBatch(organizationId).succeeded());
      const [delivery] = await harness.waitUntilSettled(endpoint);
      expect(delivery?.status).to.equal("exhausted");
      expect(delivery?.lastError).to.contain("0.2 s");
    });
  });
});
