import { expect } from "chai";
import type { ServerResponse } from "node:http";
import { describe, it } from "mocha";
import { TestBatch, useWebhooks, useReceiver } from "../support/webhooks.js";
import { eachDatabase } from "../support/store.js";

eachDatabase((open) => {
  describe("a slow receiver", () => {
    const bench = useWebhooks(open, { concurrency: 6, perEndpoint: 2 });
    const slow = useReceiver();
    const quick = useReceiver();

    it("does not delay others, and gets few deliveries at once", async () => {
      const waiting: ServerResponse[] = [];
      slow.answer((_arrived, response) => void waiting.push(response));
      const stuck = await begin(slow.url, 8);
      await slow.waitFor(2);
      const prompt = await begin(quick.url, 8);
      const rows = await bench.settled(prompt);
      expect(rows.map(({ status }) => status)).to.deep.equal(
        rows.map(() => "delivered"),
      );
      expect(slow.arrived).to.have.length(2);
      slow.forget();
      for (const response of waiting) response.writeHead(200).end();
      expect(await bench.settled(stuck)).to.have.length(8);
    });

    const begin = async (url: string, count: number) => {
      const organizationId = await bench.newOrganization();
      const endpoint = await bench.endpoint(organizationId, { url });
      const batch = new TestBatch(organizationId);
      const events = Array.from({ length: count }, () => batch.succeeded());
      await bench.record(...events);
      return endpoint;
    };
  });

  describe("a receiver that never answers", () => {
    const bench = useWebhooks(open, { schedule: [], timeoutMs: 200 });
    const receiver = useReceiver();

    it("is timed out", async () => {
      receiver.answer(() => undefined);
      const organizationId = await bench.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await bench.endpoint(organizationId, input);
      await bench.record(new TestBatch(organizationId).succeeded());
      const [delivery] = await bench.settled(endpoint);
      expect(delivery?.status).to.equal("exhausted");
      expect(delivery?.lastError).to.contain("0.2 s");
    });
  });
});
