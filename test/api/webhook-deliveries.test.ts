import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { recordEvents } from "../../core/webhooks/index.js";
import { paginationSchema } from "../../core/api/schemas.js";
import {
  deliverySchema,
  deliveryDetailSchema,
  replayCountSchema,
  webhookWithSecretSchema,
} from "../../core/api/routes/webhooks.js";
import * as tokens from "../../core/app/tokens.js";
import { until } from "../support/eventually.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { TestBatch, answers, useReceiver } from "../support/webhooks.js";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";

const created = reader(webhookWithSecretSchema);
const detail = reader(deliveryDetailSchema);
const one = reader(deliverySchema);
const counted = reader(replayCountSchema);
const listed = reader(
  z.strictObject({
    data: z.array(deliverySchema),
    pagination: paginationSchema,
  }),
);
const { webhooks, outbound } = parseConfig({
  PLATEN_WEBHOOK_SCHEDULE: "none",
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
});

anyDatabase((_open, database) => {
  describe("/api/webhooks/:webhookId/deliveries", () => {
    const service = useService({ config: { database, webhooks, outbound } });
    const receiver = useReceiver();
    let caller: TestCaller;
    let path: string;
    let batch: TestBatch;
    const list = async (query = "") =>
      listed(await caller.get(`${path}/deliveries${query}`));

    const sendTest = () => caller.post(`${path}/test`, {});

    before(async () => {
      caller = await newCaller(service);
      const { url } = receiver;
      const made = await created(
        await caller.post("/api/webhooks", { url }),
        201,
      );
      path = `/api/webhooks/${made.id}`;
      batch = new TestBatch(caller.organizationId);
      receiver.answer((_arrived, response) => {
        response
          .writeHead(receiver.received.length === 1 ? 500 : 200)
          .end("ok");
      });
      const events = [batch.succeeded(), batch.succeeded(), batch.completed(2)];
      await service.store.unitOfWork.run((tx) => recordEvents(tx, events));
      service.container.resolve(tokens.EVENTS).dispatch.nudge();
      await until("all have ended", async () => {
        const { data } = await list();
        return (
          data.length === 3 && data.every(({ completedAt }) => completedAt)
        );
      });
    });

    it("lists all deliveries or those of a status or batch, one page at a time", async () => {
      const { data } = await list("?status=exhausted");
      expect(data.map(({ lastStatus }) => lastStatus)).to.deep.equal([500]);
      expect((await list("?pageSize=2&page=2")).data).to.have.length(1);
      const ofBatch = await list(`?batchId=${batch.batchId}`);
      expect(ofBatch.pagination.total).to.equal(3);
      expect((await list("?batchId=batch_none")).data).to.deep.equal([]);
      const bad = await caller.get(`${path}/deliveries?status=lost`);
      expect(bad.status).to.equal(400);
    });

    it("returns one delivery with its message and attempts", async () => {
      const [failed] = (await list("?status=exhausted")).data;
      const address = `${path}/deliveries/${failed?.id}`;
      const { message, attempts } = await detail(await caller.get(address));
      expect(message).to.deep.equal(receiver.received[0]?.message);
      expect(attempts).to.have.length(1);
      expect(attempts[0]).to.deep.include({
        number: 1,
        url: receiver.url,
        outcome: "refused",
        responseStatus: 500,
        // The receiver is in a private network.
        responseBody: null,
      });
    });

    it("resends one delivery and those of a time range", async () => {
      const [failed] = (await list("?status=exhausted")).data;
      const address = `${path}/deliveries/${failed?.id}/replay`;
      const again = await one(await caller.post(address, {}), 202);
      expect(again.id).to.equal(failed?.id);
      await receiver.waitFor(4);
      await until("it has ended", async () => {
        const { data } = await list("?status=delivered");
        return data.length === 3;
      });
      const range = { since: "2026-01-01T00:00:00+01:00" };
      const answer = await caller.post(`${path}/replay`, range);
      expect(await counted(answer, 202)).to.deep.equal({ count: 3 });
      await receiver.waitFor(7);
    });

    it("sends a test and returns its outcome", async () => {
      expect(await detail(await sendTest())).to.include({
        type: "webhook.test",
        status: "delivered",
        attemptCount: 1,
      });
      receiver.answer(answers(500, {}, "broken"));
      const { status, attempts } = await detail(await sendTest());
      expect(status).to.equal("exhausted");
      expect(attempts[0]?.responseStatus).to.equal(500);
      expect(JSON.stringify(attempts)).to.not.contain("broken");
    });

    it("returns 404 for unknown ids and 409 while the endpoint is disabled", async () => {
      const none = await caller.get(`${path}/deliveries/none`);
      expect(none.status).to.equal(404);
      await caller.patch(path, { isEnabled: false });
      const since = { since: "2026-01-01T00:00:00Z" };
      const rejected = await caller.post(`${path}/replay`, since);
      expect(rejected.status).to.equal(409);
      expect(await readError(rejected)).to.contain("Enable it first");
    });
  });
});
