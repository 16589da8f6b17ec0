import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  webhookSchema,
  webhookWithSecretSchema,
} from "../../core/api/routes/webhooks.js";
import { WebhookEndpoint } from "../../core/storage/database/index.js";
import {
  readError,
  newCaller,
  type TestCaller,
  reader,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";

const readWebhook = reader(webhookSchema);
const withSecret = reader(webhookWithSecretSchema);

const url = "https://shop.example.com/platen";

anyDatabase((_open, database) => {
  describe("/api/webhooks", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    before(async () => {
      caller = await newCaller(service);
    });
    const create = async (body: object) =>
      withSecret(await caller.post("/api/webhooks", body), 201);

    it("creates an endpoint and returns its secret once", async () => {
      const { secret, ...made } = await create({
        url,
        events: ["documents.completed"],
      });
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(made).to.deep.include({
        organizationId: caller.organizationId,
        url,
        events: ["documents.completed"],
        isEnabled: true,
        disabledReason: null,
      });
      const read = await caller.get(`/api/webhooks/${made.id}`);
      expect(await read.json()).to.deep.equal(made);
      const row = await service.store.read.findOneByOrFail(WebhookEndpoint, {
        id: made.id,
      });
      expect(row.secret).to.not.include(secret.slice(6));
    });

    it("subscribes to all events by default", async () => {
      const { events } = await create({ url });
      expect(events).to.deep.equal([
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
      const { id } = await create({ url });
      const path = `/api/webhooks/${id}`;
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
      expect((await caller.delete(path)).status).to.equal(200);
      expect((await caller.get(path)).status).to.equal(404);
    });

    it("rotates the secret, with the old one valid for a day or not at all", async () => {
      const made = await create({ url });
      const path = `/api/webhooks/${made.id}/rotate-secret`;
      const rotated = await withSecret(await caller.post(path, {}));
      expect(rotated.secret).to.not.equal(made.secret);
      const overlap =
        Date.parse(rotated.previousSecretUntil ?? "") - Date.now();
      expect(overlap).to.be.within(23.9 * 3_600_000, 24 * 3_600_000);
      const revoked = await caller.post(path, { revokeNow: true });
      expect((await withSecret(revoked)).previousSecretUntil).to.equal(null);
    });

    for (const [bad, message] of [
      ["http://93.184.216.34/", "requires https"],
      ["https://10.0.0.8/hook", "not on the public internet"],
      ["https://127.0.0.1/hook", "not on the public internet"],
      ["https://[::1]/hook", "not on the public internet"],
      ["https://user:word@shop.example.com/", "password"],
      ["https://shop.example.com/#part", "fragment"],
      ["file:///etc/passwd", "https://"],
      ["shop", "https://"],
    ] as const)
      it(`rejects ${bad} with the reason`, async () => {
        const response = await caller.post("/api/webhooks", { url: bad });
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain(message);
      });

    for (const events of [[], ["document.created"], "document.failed"])
      it(`rejects the events ${JSON.stringify(events)}`, async () => {
        const response = await caller.post("/api/webhooks", { url, events });
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain("$.events");
      });

    it("returns no endpoint of another organization", async () => {
      const { id } = await create({ url });
      const stranger = await newCaller(service);
      const path = `/api/webhooks/${id}`;
      const answers = await Promise.all([
        stranger.get(path),
        stranger.patch(path, { isEnabled: false }),
        stranger.delete(path),
        stranger.post(`${path}/test`, {}),
        stranger.post(`${path}/rotate-secret`, {}),
        stranger.get(`${path}/deliveries`),
        stranger.post(`${path}/replay`, { since: "2026-01-01T00:00:00Z" }),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal(
        answers.map(() => 404),
      );
      const list: unknown = await (await stranger.get("/api/webhooks")).json();
      expect(list).to.have.property("data").that.deep.equals([]);
    });
  });
});
