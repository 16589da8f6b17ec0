import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import { newBatchCaller, records, startBatch } from "../support/batches.js";
import {
  readError,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("a batch that is accepted", () => {
    const service = useService({ config: { database }, role: "serve" });

    it("answers 202 with every document queued, and the fields that the specification lists", async () => {
      const sentAt = Date.now();
      const { batchId, documents, caller } = await startBatch(service, {
        items: [
          { data: { name: "A" }, metadata: { order: 7, totalCount: "mine" } },
          { data: { name: "B" }, expiresAt: "2040-01-31" },
        ],
        expiresAt: "2039-05-01T10:00:00Z",
      });
      const [first, second] = documents;
      expect(batchId).to.match(/^batch_[0-9a-f-]{36}$/);
      expect(first?.id).to.match(/^doc_/);
      expect(first?.createdById).to.equal(caller.userId);
      expect(Date.parse(first?.createdAt ?? "")).to.be.at.least(sentAt);
      expect(first?.metadata).to.deep.equal({
        order: 7,
        batchId,
        batchIndex: 0,
        totalCount: 2,
      });
      expect(first?.expiresAt).to.equal("2039-05-01T10:00:00.000Z");
      expect(second?.expiresAt).to.equal("2040-01-31T23:59:59.999Z");
    });

    it("may be larger than what databases accept as one statement", async () => {
      const data = { name: "x".repeat(200_000) };
      const items = Array.from({ length: 100 }, () => ({ data }));
      const { totalCount } = await startBatch(service, { items });
      expect(totalCount).to.equal(100);
    });

    it("keeps thousands of records in their order", async () => {
      const items = records(3000);
      const { documents } = await startBatch(service, { items });
      const numbers = documents.map(({ metadata }) => metadata.number);
      expect(numbers).to.deep.equal(items.map((_, index) => index));
    });
  });
});

const { batch, maxBodyBytes } = parseConfig({
  PLATEN_MAX_BATCH_ITEMS: "5",
  PLATEN_MAX_BATCH_BODY_BYTES: "400000",
  PLATEN_MAX_BODY_BYTES: "100000",
});

const large = (length: number) => "x".repeat(length);

describe("a request for a batch", () => {
  const service = useService({
    role: "serve",
    config: { batch, maxBodyBytes },
  });
  let caller: TestCaller;
  let templateId = "";
  before(async () => {
    caller = await newBatchCaller(service);
    templateId = await publish(service.store, caller);
  });
  const complete = (change: object) => ({
    ...("documents" in change ? {} : { items: [{}] }),
    formats: ["pdf"],
    templateId,
    ...change,
  });
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: object = {}) =>
    fetch(`${service.url}/api/export/batch`, {
      method: "POST",
      headers: {
        "x-api-key": caller.key,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });

  const deep = `${"[".repeat(301)}${"]".repeat(301)}`;
  const rejections: [what: string, change: object, says: string][] = [
    ["isTest", { isTest: true }, "$.isTest: must not be true"],
    [
      "a missing e-signature connection",
      { sendForSignature: true },
      "$.sendForSignature: the organization has no connection",
    ],
    ["no items", { items: [] }, "$.items: must contain at least one item"],
    [
      "items and their alias",
      { items: [{}], documents: [{}] },
      "$.documents: is an alias",
    ],
    ["items that are not an array", { items: {} }, "$.items: must be an array"],
    [
      "no formats",
      { formats: [] },
      "$.formats: must contain at least one item",
    ],
    [
      "an unknown property",
      { items: [{}], dokuments: [] },
      "Did you mean documents?",
    ],
    [
      "an item's format",
      { items: [{}, {}, {}, { formats: ["doc"] }] },
      "$.items[3].formats[0]: must be one of",
    ],
    ["an item's data", { items: [{ data: [] }] }, "$.items[0].data: must be"],
    [
      "an item's data, by the alias that was used",
      { documents: [{ data: 5 }] },
      "$.documents[0].data",
    ],
    [
      "an item's expiry",
      { items: [{}, { expiresAt: "2001-01-01" }] },
      "$.items[1].expiresAt: is in the past",
    ],
  ];
  for (const [description, change, message] of rejections)
    it(`is rejected for ${description}, with 400 and the JSON path`, async () => {
      const response = await send(JSON.stringify(complete(change)));
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(message);
    });

  for (const [what, text, message] of [
    ["invalid JSON", '{ "items": [ {} {} ] }', "not valid JSON"],
    [
      "JSON that is nested too deeply in an item",
      `{"items":[{"data":{"a":${deep}}}]}`,
      "deeper than 300 levels",
    ],
    [
      "JSON that is nested too deeply beside the items",
      `{"items":[{}],"renderOptions":${deep}}`,
      "deeper than 300 levels",
    ],
    [
      "an array that is nested too deeply and not closed",
      "[".repeat(90_000),
      "deeper than 300 levels",
    ],
  ] as const)
    it(`is rejected for ${what}, with 400 and the reason`, async () => {
      const response = await send(text);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(message);
    });

  for (const [what, change, variable] of [
    ["one item too many", { items: records(6) }, "PLATEN_MAX_BATCH_ITEMS"],
    [
      "a body that is too large",
      {
        items: Array.from({ length: 5 }, () => ({
          data: { text: large(90_000) },
        })),
      },
      "PLATEN_MAX_BATCH_BODY_BYTES",
    ],
    [
      "an item larger than a single request may be",
      { items: [{}, { data: { text: large(200_000) } }] },
      "PLATEN_MAX_BODY_BYTES",
    ],
    [
      "a property beside the items larger than a single request may be",
      { templateId: large(200_000) },
      "PLATEN_MAX_BODY_BYTES",
    ],
  ] as const)
    it(`is rejected for ${what}, with 413 and how to raise the limit`, async () => {
      const response = await send(JSON.stringify(complete(change)));
      expect(response.status).to.equal(413);
      expect(await readError(response)).to.contain(variable);
    });

  it("is rejected for a template of another organization, with 404", async () => {
    const stranger = await newBatchCaller(service);
    const response = await stranger.post("/api/export/batch", complete({}));
    expect(response.status).to.equal(404);
  });

  for (const plan of ["free", "pro"] as const)
    it(`is rejected for the plan ${plan}, with 400 and the reason`, async () => {
      const limited = await newBatchCaller(service, plan);
      const own = await publish(service.store, limited);
      const body = complete({ templateId: own });
      const response = await limited.post("/api/export/batch", body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain("premium or enterprise");
    });

  it("stores nothing when it is rejected", async () => {
    const list = await caller.get("/api/documents");
    expect((await replies.documents(list)).data).to.deep.equal([]);
  });

  it("is accepted with as many items as are allowed, with documents as an alias of items, and with a compressed body", async () => {
    const body = JSON.stringify(complete({ documents: records(5) }));
    const gzip = { "content-encoding": "gzip" };
    const response = await send(gzipSync(body), gzip);
    const accepted = await reader(acceptedBatchSchema)(response, 202);
    expect(accepted.totalCount).to.equal(5);
    expect(accepted.documents).to.have.length(5);
  });
});
