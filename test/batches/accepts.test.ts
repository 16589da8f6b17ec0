import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { In } from "typeorm";
import { parseConfig } from "../../config/index.js";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import {
  Batch,
  Document,
  DocumentRecord,
} from "../../core/storage/database/index.js";
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

    it("stores each item with its own formats, language and expiry or those of the batch, and keeps its records as long as its last file", async () => {
      for (const [day, last] of [
        ["2040-01-31", "2040-01-31T23:59:59.999Z"],
        ["2038-01-31", "2039-05-01T10:00:00.000Z"],
      ] as const) {
        const { batchId } = await startBatch(service, {
          items: [
            { data: { name: "A" } },
            { locale: "fr", formats: ["mjml"], expiresAt: day },
            { expiresAt: "2037-06-30T10:00:00Z" },
          ],
          formats: ["html", "pdf"],
          locale: "de",
          imageType: "jpg",
          strict: true,
          unknownFields: "warn",
          renderOptions: { pdf: { conformance: ["pdf/a-2u"] } },
          expiresAt: "2039-05-01T10:00:00Z",
        });
        const { read } = service.store;
        const rows = await read.find(Document, {
          where: { batchId },
          order: { batchIndex: "ASC" },
        });
        expect(
          rows.map(({ locale, formats, imageType, expiresAt, status }) => [
            locale,
            formats,
            imageType,
            expiresAt.toISOString(),
            status,
          ]),
        ).to.deep.equal([
          ["de", ["html", "pdf"], "jpg", "2039-05-01T10:00:00.000Z", "queued"],
          ["fr", ["mjml"], "jpg", `${day}T23:59:59.999Z`, "queued"],
          ["de", ["html", "pdf"], "jpg", "2037-06-30T10:00:00.000Z", "queued"],
        ]);
        const batch = await read.findOneByOrFail(Batch, { id: batchId });
        expect(batch.recordsPurgeAt?.toISOString()).to.equal(last);
        expect(batch).to.deep.include({
          status: "queued",
          remaining: 3,
          strict: true,
          unknownFields: "warn",
          renderOptions: { pdf: { conformance: ["pdf/a-2u"] } },
        });
      }
    });

    it("may be larger than what fits into memory and into one statement", async () => {
      const data = Array.from({ length: 100 }, (_, at) => ({
        name: `${at}\u2028\n\t`.repeat(30_000),
      }));
      const items = data.map((one) => ({ data: one }));
      const { documents } = await startBatch(service, { items });
      const rows = await service.store.read.find(DocumentRecord, {
        where: { documentId: In(documents.map(({ id }) => id)) },
        order: { documentId: "ASC" },
      });
      const stored = rows.map((one): unknown => JSON.parse(one.data));
      expect(stored).to.deep.equal(data);
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
    [
      "isTest",
      { isTest: true },
      "Invalid request body. $.isTest: must not be true: a batch cannot be a test.",
    ],
    [
      "a missing e-signature connection",
      { sendForSignature: true },
      "The document cannot be sent for signature. $.sendForSignature: the organization has no connection to an e-signature provider. Save one with POST /api/connections or platen connection add, and set it as esignConnection.",
    ],
    [
      "no items",
      { items: [] },
      "Invalid request body. $.items: must contain at least one item.",
    ],
    [
      "items and their alias",
      { items: [{}], documents: [{}] },
      "Invalid request body. $.documents: is an alias of items: give one list.",
    ],
    [
      "items that are not an array",
      { items: {} },
      "Invalid request body. $.items: must be an array.",
    ],
    [
      "no formats",
      { formats: [] },
      "Invalid request body. $.formats: must contain at least one item.",
    ],
    [
      "an unknown property",
      { items: [{}], dokuments: [] },
      "Invalid request body. $.dokuments: unknown field. Did you mean documents?",
    ],
    [
      "an item's format",
      { items: [{}, {}, {}, { formats: ["doc"] }] },
      'Invalid request body. $.items[3].formats[0]: must be one of "pdf", "html", "image", "mjml", "xml", not "doc".',
    ],
    [
      "an item's data",
      { items: [{ data: [] }] },
      "Invalid request body. $.items[0].data: must be an object.",
    ],
    [
      "an item's data, by the alias that was used",
      { documents: [{ data: 5 }] },
      "Invalid request body. $.documents[0].data: must be an object.",
    ],
    [
      "an item's expiry",
      { items: [{}, { expiresAt: "2001-01-01" }] },
      'Invalid request body. $.items[1].expiresAt: is in the past (2001-01-01T23:59:59.999Z). Use a future day such as "2030-01-31", or a timestamp such as "2030-01-31T12:00:00Z".',
    ],
  ];
  for (const [description, change, message] of rejections)
    it(`is rejected for ${description}, with 400 and the JSON path`, async () => {
      const response = await send(JSON.stringify(complete(change)));
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.equal(message);
    });

  for (const [what, text, message] of [
    ["invalid JSON", '{ "items": [ {} {} ] }', "The body is not valid JSON."],
    [
      "JSON that is nested too deeply in an item",
      `{"items":[{"data":{"a":${deep}}}]}`,
      "The body is nested deeper than 300 levels. Flatten it.",
    ],
    [
      "JSON that is nested too deeply beside the items",
      `{"items":[{}],"renderOptions":${deep}}`,
      "The body is nested deeper than 300 levels. Flatten it.",
    ],
    [
      "an array that is nested too deeply and not closed",
      "[".repeat(90_000),
      "The body is nested deeper than 300 levels. Flatten it.",
    ],
  ] as const)
    it(`is rejected for ${what}, with 400 and the reason`, async () => {
      const response = await send(text);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.equal(message);
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
      expect(await readError(response)).to.equal(
        `Batches require the plan premium or enterprise; this organization's plan is ${plan}. Render its documents one by one with POST /api/export, or change the plan.`,
      );
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
