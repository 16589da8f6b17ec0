import { expect } from "chai";
import { z } from "zod";
import { IdempotencyKeys } from "../../../core/accounts/index.js";
import { IdempotencyKey } from "../../../core/storage/database/index.js";
import {
  batchWhen,
  newBatchCaller,
  sendBatch,
  records,
} from "../../support/batches.js";
import {
  newCaller,
  refusal,
  replies,
  type TestCaller,
} from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import {
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { useService } from "../../support/service.js";
import { anyDatabase, eachDatabase, newOwner } from "../../support/store.js";

const getConflict = (key: string) =>
  `409 The Idempotency-Key "${key}" was used for another request within the last 24 hours. Send a new key with a new request.`;

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const postBatch = (caller: TestCaller, key: string, body: object) =>
  caller.post("/api/export/batch", body, { "idempotency-key": key });

anyDatabase((_open, database) => {
  describe("a POST that creates something, with an Idempotency-Key", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });
    let caller: RecordCaller;
    let sent = 0;
    before(async () => {
      caller = await newRecordCaller(service);
    });

    const getSource = () => ({
      templateId: caller.templateId,
      platform: "memory",
      connectionId: caller.connectionId,
    });
    const newKey = () => `create-${(sent += 1)}`;
    const post = (
      path: string,
      key: string,
      body: string | Uint8Array<ArrayBuffer> | FormData,
      headers: Record<string, string> = { "content-type": "application/json" },
    ) =>
      fetch(service.url + path, {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "idempotency-key": key,
          ...headers,
        },
        body,
      });
    const getTotal = async (list: string) => {
      const reply: unknown = await (await caller.get(list)).json();
      const { data, pagination } = z
        .object({
          data: z.array(z.unknown()),
          pagination: z.object({ total: z.number() }).optional(),
        })
        .parse(reply);
      return pagination?.total ?? data.length;
    };

    const base64Data = pixel.toString("base64");
    const components = [{ type: "divider" }];
    const getAutomation = () => ({
      ...getSource(),
      records: { filter: "none" },
      when: { cron: "0 8 * * 1" },
    });
    /** Each with the field by which another request differs, if it has any. */
    const creations: [string, () => object, other: object | null][] = [
      ["templates", () => ({ name: "A", blueprint: "invoice" }), { name: "B" }],
      ["templates/ID/duplicate", () => ({}), null],
      ["folders", () => ({ name: "A", kind: "asset" }), { kind: "template" }],
      ["partials", () => ({ name: "payment", components }), { name: "footer" }],
      [
        "connections",
        () => ({ platform: "memory", name: "Orders", credentials: {} }),
        { name: "Shop" },
      ],
      ["links", getSource, { name: "Other" }],
      ["automations", getAutomation, { when: { cron: "0 9 * * 1" } }],
      ["assets", () => ({ name: "a.png", base64Data }), { name: "b.png" }],
    ];

    for (const [name, getBody, change] of creations)
      it(`creates one of the ${name} and returns the same response`, async () => {
        const path = `/api/${name.replace("ID", caller.templateId)}`;
        const list = `/api/${name.split("/")[0]}`;
        const body = getBody();
        const key = newKey();
        const earlier = await getTotal(list);
        const first = await post(path, key, JSON.stringify(body));
        const second = await post(path, key, JSON.stringify(body));
        const answer = await first.text();
        expect(first.status, answer).to.equal(201);
        expect(second.status).to.equal(201);
        expect(await second.text()).to.equal(answer);
        expect(first.headers.get("idempotency-replayed")).to.equal(null);
        expect(second.headers.get("idempotency-replayed")).to.equal("true");
        expect(second.headers.get("content-type")).to.equal(
          first.headers.get("content-type"),
        );
        const other = JSON.stringify({ ...body, ...change });
        if (change !== null)
          expect(await refusal(post(path, key, other))).to.equal(
            getConflict(key),
          );
        expect(await getTotal(list)).to.equal(earlier + 1);
      });

    it("leaves the key free after a refusal", async () => {
      const key = newKey();
      const bad = { name: "", kind: "asset" };
      const rejected = await post("/api/folders", key, JSON.stringify(bad));
      expect(rejected.status).to.equal(400);
      const good = { name: "Fine", kind: "asset" };
      const made = await post("/api/folders", key, JSON.stringify(good));
      expect(made.status).to.equal(201);
    });

    it("is rejected with a key that is empty or too long, as no repetition would be recognized", async () => {
      const folder = JSON.stringify({ name: "Empty", kind: "asset" });
      const earlier = await getTotal("/api/folders");
      for (const key of ["", "k".repeat(256)])
        expect(await refusal(post("/api/folders", key, folder))).to.equal(
          "400 The header Idempotency-Key must contain 1 to 255 visible ASCII characters, such as a UUID.",
        );
      expect(await getTotal("/api/folders")).to.equal(earlier);
    });

    it("rejects a key that was used for another endpoint", async () => {
      const key = newKey();
      const folder = { name: "F", kind: "asset" };
      await post("/api/folders", key, JSON.stringify(folder));
      const reply = post("/api/templates", key, '{"name":"F"}');
      expect(await refusal(reply)).to.equal(getConflict(key));
    });

    it("stores a file once that is the body, and one in a form whose boundary is new", async () => {
      const bytes = new Uint8Array(pixel);
      const bodies = {
        raw: () =>
          post("/api/assets?name=raw.png", "raw", bytes, {
            "content-type": "image/png",
          }),
        form: () => {
          const form = new FormData();
          form.set("name", "form.png");
          form.set("file", new Blob([bytes]), "x.png");
          return post("/api/assets", "form", form, {});
        },
      };
      for (const send of Object.values(bodies)) {
        const first = await send();
        const second = await send();
        expect([first.status, second.status]).to.deep.equal([201, 201]);
        expect(second.headers.get("idempotency-replayed")).to.equal("true");
        expect(await second.json()).to.deep.equal(await first.json());
      }
      const named = await post("/api/assets?name=2.png", "raw", bytes, {
        "content-type": "image/png",
      });
      expect(named.status).to.equal(409);
      const changed = await post(
        "/api/assets?name=raw.png",
        "raw",
        new Uint8Array([...bytes, 0]),
        { "content-type": "image/png" },
      );
      expect(changed.status).to.equal(409);
    });

    it("retries a batch once", async () => {
      const batchCaller = await newBatchCaller(service);
      const template: unknown = await (
        await batchCaller.post("/api/templates", { name: "Letter" })
      ).json();
      const { id: templateId } = z.object({ id: z.string() }).parse(template);
      const items = [{ data: { prototype: 1 } }];
      const body = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(batchCaller, body);
      await batchWhen(batchCaller, batchId);
      const retry = () =>
        batchCaller.post(
          `/api/batches/${batchId}/retry`,
          {},
          { "idempotency-key": "again" },
        );
      const first = await retry();
      const second = await retry();
      expect([first.status, second.status]).to.deep.equal([202, 202]);
      expect(await second.json()).to.deep.equal(await first.json());
    });

    it("stores a link's token only encrypted", async () => {
      const key = newKey();
      const reply: unknown = await (
        await post("/api/links", key, JSON.stringify(getSource()))
      ).json();
      const { token } = z.object({ token: z.string() }).parse(reply);
      const { organizationId } = caller;
      const row = await service.store.read.findOneByOrFail(IdempotencyKey, {
        organizationId,
        key,
      });
      expect(row.answer).to.be.a("string").and.not.contain(token);
    });
  });
});

describe("POST /api/export with an Idempotency-Key", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  const ask = (key: string, body: object = {}, who = caller) =>
    who.post(
      "/api/export",
      { templateId, formats: ["html"], ...body },
      { "idempotency-key": key },
    );
  const total = async () =>
    (await replies.documents(await caller.get("/api/documents"))).pagination
      .total;

  before(async () => {
    caller = await newCaller(service);
    templateId = await caller.publish({ name: "Letter" });
  });

  it("renders once for two concurrent requests", async () => {
    const earlier = await total();
    const both = await Promise.all([ask("race"), ask("race")]);
    const statuses = both.map(({ status }) => status);
    expect(statuses).to.include(200);
    expect([200, 409]).to.include.members(statuses);
    const late = both.find(({ status }) => status === 409);
    if (late) expect(late.headers.get("retry-after")).to.match(/^\d+$/);
    expect(await total()).to.equal(earlier + 1);
  });

  it("keeps the keys of organizations apart", async () => {
    const other = await newCaller(service);
    await ask("shared");
    const reply = await ask("shared", {}, other);
    expect(reply.status).to.equal(404);
  });
});

anyDatabase((_open, database) => {
  describe("POST /api/export/batch with an Idempotency-Key", () => {
    const time = useFixedTime();
    const service = useService({ config: { database }, role: "serve" });
    const setUp = async () => {
      const caller = await newBatchCaller(service);
      const templateId = await caller.publish();
      const ask = (key: string, items: object[]) =>
        postBatch(caller, key, { templateId, formats: ["html"], items });
      const total = async () => {
        const list: unknown = await (await caller.get("/api/batches")).json();
        return list;
      };
      return { ask, total };
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
      const expiresAt = new Date(time.now() + 1000).toISOString();
      const item = { data: {}, expiresAt };
      const first = await ask("late", [item]);
      expect(first.status).to.equal(202);
      time.advance(1001);
      const second = await ask("late", [item]);
      expect(second.status).to.equal(202);
      expect(await second.json()).to.deep.equal(await first.json());
    });
  });
});

const past = new Date(0);

async function getCode(work: Promise<unknown>): Promise<unknown> {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof Error && "code" in error ? error.code : "it worked";
}

eachDatabase((open) => {
  const setUp = async () => {
    const store = await open();
    const { organizationId } = await newOwner(store);
    const request = { organizationId, key: "k" };
    return {
      store,
      keys: new IdempotencyKeys(store, "a secret of the tests"),
      request,
    };
  };

  describe("a claim on an idempotency key", () => {
    it("excludes others until the response is stored", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      expect(await getCode(keys.find(request))).to.equal("conflict");
      await store.unitOfWork.run(async (tx) => claim?.keep(tx, "f", "answer"));
      await claim?.letGo();
      const { savedAnswer: kept } = await keys.find(request);
      expect(kept).to.deep.equal({ fingerprint: "f", answer: "answer" });
    });

    it("stores no response when the work is rolled back", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      const rolledBack = store.unitOfWork.run(async (tx) => {
        await claim?.keep(tx, "f", "answer");
        throw new Error("undone");
      });
      await rolledBack.catch(() => undefined);
      await claim?.letGo();
      const second = await keys.find(request);
      expect(second.savedAnswer).to.equal(null);
      await second.claim?.letGo();
    });

    it("can be taken over when its process has died, and the old one is then invalid", async () => {
      const { store, keys, request } = await setUp();
      const dead = await keys.find(request);
      await store.unitOfWork.run((tx) =>
        tx.update(IdempotencyKey, request, { claimedUntil: past }),
      );
      const nextClaim = await keys.find(request);
      expect(nextClaim.claim).not.to.equal(null);
      const late = store.unitOfWork.run(async (tx) =>
        dead.claim?.keep(tx, "f", "late"),
      );
      expect(await getCode(late)).to.equal("conflict");
      await dead.claim?.letGo();
      await nextClaim.claim?.letGo();
    });

    it("can be taken again when the stored response is too old", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      await store.unitOfWork.run(async (tx) => claim?.keep(tx, "f", "old"));
      await claim?.letGo();
      await store.unitOfWork.run((tx) =>
        tx.update(IdempotencyKey, request, { forgetAt: past }),
      );
      const next = await keys.find(request);
      expect(next.savedAnswer).to.equal(null);
      await next.claim?.letGo();
    });
  });
});
