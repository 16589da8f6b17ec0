import { expect } from "chai";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { WebhookEndpoint } from "../../core/storage/database/index.js";
import {
  webhookDeliverySchema,
  webhookSchema,
  webhookWithSecretSchema,
  EVENT_TYPES,
  recordEvents,
  EVENTS,
} from "../../core/webhooks/index.js";
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
import { TestBatch, useReceiver } from "../support/webhooks.js";
import { paginationSchema } from "../../core/lib/schemas.js";

const readWebhook = reader(webhookSchema);
const withSecret = reader(webhookWithSecretSchema);
const deliveries = reader(
  z.strictObject({
    data: z.array(webhookDeliverySchema),
    pagination: paginationSchema,
  }),
);
const url = "https://shop.example.com/platen";

function listEndpoints(by: TestCaller, query = "") {
  return json<{ data: { id: string }[]; pagination: { total: number } }>(
    by.get(`/api/webhooks${query}`),
  );
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

    it("changes and deletes one", async () => {
      const path = `/api/webhooks/${(await create()).id}`;
      const events = ["document.failed"];
      const patch = { isEnabled: false, description: "Shop", events };
      expect(
        await readWebhook(await caller.patch(path, patch)),
      ).to.deep.include({ ...patch, disabledReason: "Disabled by its owner." });
      await json(caller.delete(path));
      expect(await refusal(caller.get(path))).to.equal(
        "404 There is no such webhook endpoint.",
      );
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

    const invalid = "Invalid request body.";
    for (const [body, message] of [
      [
        { url: "http://93.184.216.34/" },
        "93.184.216.34 requires https. The URL must start with https://; plain http is only allowed for networks in PLATEN_ALLOW_PRIVATE_NETWORKS.",
      ],
      [
        { url, events: [] },
        `${invalid} $.events: must contain at least one item.`,
      ],
      [
        { url, events: ["document.created"] },
        `${invalid} $.events[0]: must be one of ${EVENT_TYPES.map((type) => `"${type}"`).join(", ")}, not "document.created".`,
      ],
      [
        { url, events: "document.failed" },
        `${invalid} $.events: must be an array, not a string. Write it as a list of one: ["document.failed"].`,
      ],
    ] as const)
      it(`rejects ${JSON.stringify(body).slice(0, 60)} with the reason`, async () => {
        expect(await refusal(caller.post("/api/webhooks", body))).to.equal(
          `400 ${message}`,
        );
      });

    it("lists the endpoints of the organization alone, the newest first, of which it can have 50", async () => {
      const owner = await newCaller(service);
      const stranger = await newCaller(service);
      const ids: string[] = [];
      for (let count = 0; count < 50; count += 1) {
        const answer = await owner.post("/api/webhooks", { url });
        ids.unshift((await withSecret(answer, 201)).id);
      }
      expect(await refusal(owner.post("/api/webhooks", { url }))).to.equal(
        "409 An organization can have at most 50 webhook endpoints. Delete one that is not used.",
      );
      const { data, pagination } = await listEndpoints(
        owner,
        "?pageSize=20&page=2",
      );
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(20, 40));
      expect(pagination.total).to.equal(50);
      const unknown = owner.get("/api/webhooks/unknown");
      expect(await refusal(unknown)).to.equal(
        "404 There is no such webhook endpoint.",
      );
      expect((await listEndpoints(stranger)).data).to.deep.equal([]);
      await json(owner.delete(`/api/webhooks/${ids[0]}`));
      expect((await listEndpoints(owner)).pagination.total).to.equal(49);
      await create();
    });
  });

  describe("/api/webhooks/:webhookId/deliveries", () => {
    const { webhooks, outbound } = parseConfig({
      PLATEN_WEBHOOK_SCHEDULE: "none",
      PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    });
    const metrics = { host: "127.0.0.1", port: 0 };
    const service = useService({
      config: { database, webhooks, outbound, metrics },
    });
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
      service.container.resolve(EVENTS).dispatch.nudge();
      await until("all have ended", async () => {
        const { data } = await list();
        const isOver = data.every(({ completedAt }) => completedAt);
        return data.length === 3 && isOver;
      });
    });

    it("counts them in the metrics", async () => {
      const exposed = await (await fetch(service.metricsUrl)).text();
      expect(
        exposed.match(/^.*platen_event_(?:attempts|deliveries|oldest).*$/gm),
      ).to.deep.equal([
        "# HELP platen_event_attempts_total Attempts of webhook deliveries by this process, by outcome.",
        "# TYPE platen_event_attempts_total counter",
        'platen_event_attempts_total{outcome="delivered"} 2',
        'platen_event_attempts_total{outcome="refused"} 1',
        'platen_event_attempts_total{outcome="unreachable"} 0',
        "# HELP platen_event_deliveries Webhook deliveries in progress in all processes: events not yet relayed, pending, held.",
        "# TYPE platen_event_deliveries gauge",
        'platen_event_deliveries{state="unrelayed"} 0',
        'platen_event_deliveries{state="pending"} 0',
        'platen_event_deliveries{state="held"} 0',
        "# HELP platen_event_oldest_due_seconds How long the oldest due webhook delivery has waited.",
        "# TYPE platen_event_oldest_due_seconds gauge",
        "platen_event_oldest_due_seconds 0",
      ]);
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
      const unknown = caller.get(`${path}/deliveries/unknown`);
      expect(await refusal(unknown)).to.equal("404 There is no such delivery.");
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
  });
});
