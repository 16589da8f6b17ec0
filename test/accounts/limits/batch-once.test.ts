import { expect } from "chai";
import { describe, it } from "mocha";
import { readError, type TestCaller } from "../../support/caller.js";
import { newBatchCaller, records } from "../../support/batches.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { publish, anyDatabase } from "../../support/store.js";

type SendRequest = (key: string, items: object[]) => Promise<Response>;

interface ShortLivedReply {
  item: { expiresAt: string };
  first: Response;
}

anyDatabase((_open, database) => {
  describe("POST /api/export/batch with an Idempotency-Key", () => {
    const service = useService({ config: { database }, role: "serve" });
    const setUp = async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const ask = (key: string, items: object[]) =>
        send(caller, key, { templateId, formats: ["html"], items });
      const total = async () => {
        const list: unknown = await (await caller.get("/api/batches")).json();
        return list;
      };
      return { ask, total };
    };
    const send = (caller: TestCaller, key: string, body: object) =>
      fetch(`${service.url}/api/export/batch`, {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify(body),
      });

    /** Of what expires soon after it was accepted; where the machine was too busy for that, with more time. */
    const askWithShortExpiry = async (
      ask: SendRequest,
      ms = 1000,
    ): Promise<ShortLivedReply> => {
      const expiresAt = new Date(Date.now() + ms).toISOString();
      const item = { data: {}, expiresAt };
      const first = await ask("late", [item]);
      return first.status === 202
        ? { item, first }
        : askWithShortExpiry(ask, ms * 2);
    };

    for (const items of [2, 700])
      it(`accepts ${items} items once and returns the same response`, async () => {
        const { ask, total } = await setUp();
        const first = await ask("once", records(items));
        const second = await ask("once", records(items));
        expect([first.status, second.status]).to.deep.equal([202, 202]);
        expect(second.headers.get("idempotency-replayed")).to.equal("true");
        expect(await second.json()).to.deep.equal(await first.json());
        expect(await total()).to.have.nested.property("pagination.total", 1);
      });

    it("returns the same response when the request has become invalid since", async () => {
      const { ask } = await setUp();
      const { item, first } = await askWithShortExpiry(ask);
      await eventually(() => Date.now() > Date.parse(item.expiresAt));
      const second = await ask("late", [item]);
      expect(second.status).to.equal(202);
      expect(await second.json()).to.deep.equal(await first.json());
    });

    it("rejects another body for the same key", async () => {
      const { ask, total } = await setUp();
      await ask("other", records(2));
      const reply = await ask("other", records(3));
      expect(reply.status).to.equal(409);
      expect(await readError(reply)).to.contain("used for another request");
      expect(await total()).to.have.nested.property("pagination.total", 1);
    });

    it("accepts the key again after a rejected request", async () => {
      const { ask } = await setUp();
      expect((await ask("again", [])).status).to.equal(400);
      expect((await ask("again", records(1))).status).to.equal(202);
    });
  });
});
