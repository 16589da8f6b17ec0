import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import * as tokens from "../../core/app/tokens.js";
import {
  deliveryDetailSchema,
  deliverySchema,
  webhookSchema,
  webhookWithSecretSchema,
} from "../../core/api/routes/webhooks.js";
import { paginationSchema } from "../../core/api/schemas.js";
import { WebhookEndpoint } from "../../core/storage/database/index.js";
import { recordEvents } from "../../core/webhooks/index.js";
import {
  json,
  newCaller,
  reader,
  refusal,
  type TestCaller,
} from "../support/caller.js";
import { until } from "../support/eventually.js";
import { useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";
import { answers, TestBatch, useReceiver } from "../support/webhooks.js";

const readWebhook = reader(webhookSchema);
const withSecret = reader(webhookWithSecretSchema);
const detail = reader(deliveryDetailSchema);
const deliveries = reader(
  z.strictObject({
    data: z.array(deliverySchema),
    pagination: paginationSchema,
  }),
);
const url = "https://shop.example.com/platen";

async function listEndpoints(by: TestCaller): Promise<{ id: string }[]> {
  return (await json<{ data: { id: string }[] }>(by.get("/api/webhooks"))).data;
}

anyDatabase((_open, database) => {
  describe("/api/webhooks", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    before(async () => {
      caller = await newCaller(service);
    });
    const create = async (body: object = {}) =>
      withSecret(await caller.post("/api/webhooks", { url, ...body }), 201);

    it("creates an endpoint and returns its secret once", async () => {
      const events = ["documents.completed"];
      const { secret, ...made } = await create({ events });
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(made).to.deep.include({
        organizationId: caller.organizationId,
        url,
        events,
        isEnabled: true,
        disabledReason: null,
      });
      const path = `/api/webhooks/${made.id}`;
      expect(await json(caller.get(path))).to.deep.equal(made);
      const id = made.id;
      const row = await service.store.read.findOneBy(WebhookEndpoint, { id });
      expect(row?.secret).to.be.a("string").and.not.include(secret.slice(6));
    });

    it("subscribes to all events by default", async () => {
      expect((await create()).events).to.deep.equal([
        "document.succeeded",
        "document.failed",
        "document.expired",
        "documents.completed",
        "signature.completed",
        "signature.declined",
        "signature.expired",
      ]);
    });

    it("changes, disables, enables and deletes one", async () => {
      const path = `/api/webhooks/${(await create()).id}`;
      const change = async (body: object) =>
        readWebhook(await caller.patch(path, body));
      const disabled = await change({ isEnabled: false, description: "Shop" });
      expect(disabled).to.include({ isEnabled: false, description: "Shop" });
      expect(disabled.disabledReason).to.contain("owner");
      const events = ["document.failed"];
      expect(await change({ isEnabled: true, events })).to.deep.include({
        isEnabled: true,
        disabledReason: null,
        disabledAt: null,
        description: "Shop",
        events,
      });
      await json(caller.delete(path));
      expect((await caller.get(path)).status).to.equal(404);
    });

    it("rotates the secret, with the old one valid for a day or not at all", async () => {
      const { id, secret } = await create();
      const path = `/api/webhooks/${id}/rotate-secret`;
      const rotated = await withSecret(await caller.post(path, {}));
      expect(rotated.secret).to.not.equal(secret);
      const overlap =
        Date.parse(rotated.previousSecretUntil ?? "") - Date.now();
      expect(overlap).to.be.within(23.9 * 3_600_000, 24 * 3_600_000);
      expect(await json(caller.post(path, { revokeNow: true }))).to.include({
        previousSecretUntil: null,
      });
    });

    for (const [body, message] of [
      [{ url: "http://93.184.216.34/" }, "requires https"],
      [{ url: "https://10.0.0.8/hook" }, "not on the public internet"],
      [{ url: "https://127.0.0.1/hook" }, "not on the public internet"],
      [{ url: "https://[::1]/hook" }, "not on the public internet"],
      [{ url: "https://user:word@shop.example.com/" }, "password"],
      [{ url: "https://shop.example.com/#part" }, "fragment"],
      [{ url: "file:///etc/passwd" }, "https://"],
      [{ url: "shop" }, "https://"],
      [{ url, events: [] }, "$.events"],
      [{ url, events: ["document.created"] }, "$.events"],
      [{ url, events: "document.failed" }, "$.events"],
    ] as const)
      it(`rejects ${JSON.stringify(body)} with the reason`, async () => {
        expect(await refusal(caller.post("/api/webhooks", body)))
          .to.match(/^400 /)
          .and.contain(message);
      });

    it("lists the endpoints of the organization alone", async () => {
      const { id } = await create();
      const stranger = await newCaller(service);
      expect((await listEndpoints(caller)).map((one) => one.id)).to.include(id);
      expect(await listEndpoints(stranger)).to.deep.equal([]);
    });
  });

  describe("/api/webhooks/:webhookId/deliveries", () => {
    const { webhooks, outbound } = parseConfig({
      PLATEN_WEBHOOK_SCHEDULE: "none",
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    });
    const service = useService({ config: { database, webhooks, outbound } });
    const receiver = useReceiver();
    let caller: TestCaller;
    let path: string;
    let batchId: string;
    const list = async (query = "") =>
      deliveries(await caller.get(`${path}/deliveries${query}`));
    /** The path of the delivery that failed. */
    const findFailed = async () => {
      const [failed] = (await list("?status=exhausted")).data;
      return `${path}/deliveries/${failed?.id}`;
    };

    before(async () => {
      caller = await newCaller(service);
      const body = { url: receiver.url };
      const made = await withSecret(
        await caller.post("/api/webhooks", body),
        201,
      );
      path = `/api/webhooks/${made.id}`;
      receiver.answer((_arrived, response) => {
        const status = receiver.received.length === 1 ? 500 : 200;
        response.writeHead(status).end("ok");
      });
      const batch = new TestBatch(caller.organizationId);
      ({ batchId } = batch);
      const events = [batch.succeeded(), batch.succeeded(), batch.completed(2)];
      await service.store.unitOfWork.run((tx) => recordEvents(tx, events));
      service.container.resolve(tokens.EVENTS).dispatch.nudge();
      await until("all have ended", async () => {
        const { data } = await list();
        const isOver = data.every(({ completedAt }) => completedAt);
        return data.length === 3 && isOver;
      });
    });

    it("lists all deliveries or those of a status or batch, one page at a time", async () => {
      const { data } = await list("?status=exhausted");
      expect(data.map(({ lastStatus }) => lastStatus)).to.deep.equal([500]);
      expect((await list("?pageSize=2&page=2")).data).to.have.length(1);
      const ofBatch = await list(`?batchId=${batchId}`);
      expect(ofBatch.pagination.total).to.equal(3);
      expect((await list("?batchId=batch_none")).data).to.deep.equal([]);
      const bad = caller.get(`${path}/deliveries?status=lost`);
      expect(await refusal(bad)).to.match(/^400 .*status/);
    });

    it("returns one delivery with its message and attempts", async () => {
      const answer = await caller.get(await findFailed());
      const { message, attempts } = await detail(answer);
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
      const failed = await findFailed();
      const { id } = await json(caller.post(`${failed}/replay`, {}), 202);
      expect(failed).to.contain(id);
      await receiver.waitFor(4);
      await until("it has ended", async () => {
        const { data } = await list("?status=delivered");
        return data.length === 3;
      });
      const range = { since: "2026-01-01T00:00:00+01:00" };
      const answer = caller.post(`${path}/replay`, range);
      expect(await json(answer, 202)).to.deep.equal({ count: 3 });
      await receiver.waitFor(7);
    });

    const sendTest = async () => detail(await caller.post(`${path}/test`, {}));

    it("sends a test and returns its outcome", async () => {
      expect(await sendTest()).to.include({
        type: "webhook.test",
        status: "delivered",
        attemptCount: 1,
      });
      receiver.answer(answers(500, {}, "broken"));
      const { status, attempts } = await sendTest();
      expect(status).to.equal("exhausted");
      expect(attempts[0]?.responseStatus).to.equal(500);
      expect(JSON.stringify(attempts)).to.not.contain("broken");
    });

    it("returns 409 for a replay while the endpoint is disabled", async () => {
      await json(caller.patch(path, { isEnabled: false }));
      const since = { since: "2026-01-01T00:00:00Z" };
      expect(await refusal(caller.post(`${path}/replay`, since))).to.match(
        /^409 .*Enable it first/,
      );
    });
  });
});
