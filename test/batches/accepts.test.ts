import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import {
  type AcceptCallback,
  Batches,
  type BatchItem,
  type BatchOptions,
  DOCUMENT_DELIVERIES,
} from "../../core/batches/index.js";
import {
  DataValidation,
  RecentPayloads,
  SIGNING,
} from "../../core/documents/index.js";
import { PlatenError, type Problem } from "../../core/plugin-api/index.js";
import { QUEUE } from "../../core/queue/index.js";
import {
  Batch,
  BatchMerge,
  Document,
  DocumentRecord,
  STORE,
  type UnitOfWork,
} from "../../core/storage/database/index.js";
import {
  containerWith,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import {
  reader,
  refusal,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
import { readRows } from "../support/rows.js";
import { useService } from "../support/service.js";
import { eachDatabase, getRejection, publish } from "../support/store.js";

type CheckArguments = [records: { path: string }[], options: object];
type NotedPayload = { source: string; json: () => string };

/** Options that are stored as they are. */
const options = {
  formats: ["html", "pdf"],
  imageType: "jpg",
  strict: true,
  unknownFields: "warn",
  renderOptions: { pdf: { conformance: "pdf/a-2u" } },
  source: { fileName: "a.xlsx", sheet: null, columns: ["A", "B"] },
} satisfies Partial<BatchOptions>;
const prepared = [
  { connectionId: null, plugin: "email", settings: { subject: "Hi" } },
];
const refused = { path: "$", code: "x", message: "No." };

eachDatabase((_open, database) => {
  describe("a batch that is accepted", () => {
    const now = new Date("2026-11-30T10:00:00Z");
    useFixedTime(now);
    const service = useService({ config: { database }, role: "serve" });
    let caller: TestCaller;
    let templateId = "";
    before(async () => {
      caller = await newBatchCaller(service);
      templateId = await publish(service.store, caller);
    });
    /** What the neighbors were asked for. */
    const calls: unknown[] = [];
    let transactions = 0;
    let findProblems: (...what: CheckArguments) => Promise<Problem[]>;
    const queue = {
      enqueue: async (_tx: unknown, jobs: object[]) => void calls.push(...jobs),
      nudge: (kind: string) => calls.push(`nudge ${kind}`),
    };
    const signing = {
      prepare: async ({ esignConnection: sign }: BatchOptions) =>
        void calls.push({ sign }),
    };
    const deliveries = {
      prepare: async ({ deliver }: BatchOptions) => {
        calls.push({ deliver });
        return deliver ? prepared : null;
      },
    };

    /** Accepts a batch; its neighbors are played here. */
    async function accept(
      items: readonly BatchItem[],
      order: Partial<BatchOptions> = {},
      alongside?: AcceptCallback,
    ) {
      calls.length = 0;
      transactions = 0;
      const { read, unitOfWork, dialect } = service.store;
      const run: UnitOfWork["run"] = (work) => {
        transactions += 1;
        return unitOfWork.run(work);
      };
      const batches = containerWith(service, [
        [STORE, { read, dialect, unitOfWork: { run } }],
        [QUEUE, queue],
        [SIGNING, signing],
        [DOCUMENT_DELIVERIES, deliveries],
        [
          RecentPayloads,
          {
            note: async (_tx: unknown, { json, source }: NotedPayload) =>
              void calls.push({ [source]: json() }),
          },
        ],
        [
          DataValidation,
          {
            findProblems: (
              _of: unknown,
              _by: unknown,
              ...what: CheckArguments
            ) => findProblems(...what),
          },
        ],
      ]).resolve(Batches);
      const draft = await batches.draft({ plan: "premium" });
      for (const item of items) await draft.add(item);
      const { organizationId, userId: createdById } = caller;
      const defaults = { organizationId, createdById, templateId };
      const whole = { ...defaults, formats: ["html"], ...order } as const;
      try {
        return await batches.accept(whole, draft, alongside);
      } finally {
        await draft.close();
      }
    }

    const findRows = ({ id: batchId }: Pick<Batch, "id">) =>
      service.store.read.find(Document, {
        where: { batchId },
        order: { batchIndex: "ASC" },
      });

    for (const [what, order, changes, own, until] of [
      [
        "its defaults",
        {},
        {
          formats: ["html"],
          imageType: "png",
          strict: false,
          unknownFields: "allow",
          renderOptions: null,
          source: null,
          signing: null,
          deliver: null,
        },
        { formats: ["html"], locale: null, imageType: "png" },
        "2026-12-01T10:00:00.000Z",
      ],
      [
        "each option",
        {
          ...options,
          locale: "de",
          expiresAt: "2039-05-01T10:00:00Z",
          sendForSignature: true,
          esignConnection: "c",
          deliver: [],
          merge: { order: "root.name" },
        },
        { ...options, signing: { esignConnection: "c" }, deliver: prepared },
        { formats: ["html", "pdf"], locale: "de", imageType: "jpg" },
        "2039-05-01T10:00:00.000Z",
      ],
    ] as const)
      it(`is stored with ${what}, and its items with their own or those`, async () => {
        const items = [
          {
            data: { name: "A" },
            metadata: { order: 7, batchIndex: 9, platen: 1 },
            source: ["A", 1],
          },
          {
            locale: "fr",
            formats: ["mjml"],
            expiresAt: "2038-01-31",
            retryOf: "doc_1",
          },
        ] as const;
        const { id: batchId } = await accept(items, order);
        const { read } = service.store;
        const batch = await read.findOneByOrFail(Batch, { id: batchId });
        const { organizationId, userId: createdById } = caller;
        const { definitionHash } = batch;
        const version = {
          organizationId,
          templateId,
          templateVersion: 1,
          definitionHash,
          createdById,
          createdAt: now,
          updatedAt: now,
          status: "queued",
        };
        const itemUntil = "2038-01-31T23:59:59.999Z";
        expect(batch).to.deep.include({
          ...version,
          ...changes,
          totalCount: 2,
          remaining: 2,
          platform: null,
          recordsPurgeAt: new Date(until > itemUntil ? until : itemUntil),
        });
        const rows = await findRows(batch);
        const metadata = { batchId, totalCount: 2 };
        const [first, second] = [
          {
            ...version,
            ...own,
            isTest: false,
            isRetrying: false,
            batchIndex: 0,
            expiresAt: new Date(until),
            metadata: { ...metadata, order: 7, batchIndex: 0 },
          },
          {
            ...version,
            ...own,
            locale: "fr",
            formats: ["mjml"],
            batchIndex: 1,
            expiresAt: new Date(itemUntil),
            metadata: {
              ...metadata,
              batchIndex: 1,
              platen: { retryOf: "doc_1" },
            },
          },
        ];
        expect(rows[0]).to.deep.include(first);
        expect(rows[1]).to.deep.include(second);
        const ids = rows.map(({ id }) => id);
        const stored = await read.findBy(DocumentRecord, { batchId });
        expect(
          stored.map(({ documentId, data, source }) => [
            documentId,
            data,
            source,
          ]),
        ).to.have.deep.members([
          [ids[0], '{"name":"A"}', '["A",1]'],
          [ids[1], "{}", null],
        ]);
        expect(calls).to.deep.equal([
          ...(batch.signing ? [{ sign: "c" }] : []),
          { deliver: batch.deliver ? [] : undefined },
          { batch: '{"name":"A"}' },
          ...ids.map((rowId) => ({
            kind: "document",
            rowId,
            partitionKey: organizationId,
          })),
          "nudge document",
        ]);
        const merge = await read.findOneBy(BatchMerge, { batchId });
        expect(merge && [merge.status, merge.options]).to.deep.equal(
          what === "each option"
            ? [
                "waiting",
                {
                  order: "root.name",
                  descending: false,
                  bookmarks: true,
                  pageNumbers: true,
                },
              ]
            : null,
        );
      });

    it("leaves the records and the jobs of a platform's batch to those who fetch them", async () => {
      const {
        id: batchId,
        platform,
        signing: settings,
      } = await accept([{}], { platform: "airtable", sendForSignature: true });
      expect([platform, settings]).to.deep.equal(["airtable", {}]);
      const { read } = service.store;
      expect(await read.countBy(DocumentRecord, { batchId })).to.equal(0);
      expect(calls).to.deep.equal([
        { sign: undefined },
        { deliver: undefined },
        "nudge document",
      ]);
    });

    it("lets others write between the parts of a large one on SQLite, which nobody sees until it is complete", async () => {
      const large = { data: { text: "x".repeat(1024 * 1024) } };
      for (const [items, count] of [
        [records(500), 1],
        [records(501), 14],
        [[large], 4],
      ] as const) {
        const statuses: unknown[] = [];
        const batch = await accept(items, {}, async (tx, { id }) => {
          const row = await tx.findOneByOrFail(Batch, { id });
          statuses.push(
            row.status,
            await tx.countBy(Document, { batchId: id }),
          );
        });
        expect(statuses).to.deep.equal(["queued", items.length]);
        const isSqlite = service.store.dialect === "sqlite";
        expect(transactions).to.equal(isSqlite ? count : 1);
        // One record is enough as an example.
        expect(calls.slice(1, 2)).to.deep.equal([
          { batch: JSON.stringify(items[0]?.data) },
        ]);
        const rows = await findRows(batch);
        expect(calls.slice(2, -1)).to.deep.equal(
          rows.map(({ id: rowId, organizationId: partitionKey }) => ({
            kind: "document",
            rowId,
            partitionKey,
          })),
        );
        if (items.length > 1)
          expect(
            rows.map(({ metadata }) => metadata?.["number"]),
          ).to.deep.equal(items.map((_, at) => at));
      }
    });

    it("leaves nothing behind when the transaction that shows it fails", async () => {
      const tables = [Batch, Document, DocumentRecord, BatchMerge];
      const countAll = () =>
        Promise.all(tables.map((table) => service.store.read.count(table)));
      const earlier = await countAll();
      for (const count of [1, 501]) {
        const merge = { formats: ["pdf"], merge: {} } as const;
        const accepted = accept(records(count), merge, () =>
          Promise.reject(new Error("No.")),
        );
        expect(await getRejection(accepted)).to.have.property("message", "No.");
        expect(await countAll()).to.deep.equal(earlier);
      }
    });

    it("with validate is checked part by part until there are a thousand problems", async () => {
      for (const [count, each, listName, paths] of [
        [201, 1, undefined, ["items[0]", "items[200]"]],
        [500, 500, "documents", ["documents[0]", "documents[200]"]],
        [500, 600, "items", ["items[0]", "items[200]"]],
        [1, 0, undefined, ["items[0]"]],
      ] as const) {
        const checked: string[] = [];
        findProblems = async ([first]) => {
          checked.push(first?.path ?? "");
          return Array.from({ length: each }, () => refused);
        };
        const accepted = accept(records(count), {
          validate: true,
          ...(listName && { listName }),
        });
        if (each === 0) await accepted;
        else
          expect(await getRejection(accepted))
            .to.be.instanceOf(PlatenError)
            .with.property("problems")
            .that.deep.equals(
              Array.from({ length: Math.min(1000, each * 2) }, () => refused),
            );
        expect(checked).to.deep.equal(paths.map((path) => `$.${path}.data`));
      }
    });

    for (const [order, expected] of [
      [{}, {}],
      [{ unknownFields: "allow" }, { unknownFields: "allow" }],
      [{ unknownFields: "warn" }, {}],
      [{ unknownFields: "warn", strict: true }, { unknownFields: "warn" }],
      [{ unknownFields: "error" }, { unknownFields: "error" }],
    ] as const)
      it(`with validate and ${JSON.stringify(order)} is checked with ${JSON.stringify(expected)}`, async () => {
        findProblems = async (_records, checkOptions) => {
          expect(checkOptions).to.deep.equal(expected);
          return [];
        };
        await accept([{}], { validate: true, ...order });
      });

    it("is answered with 202, every document queued, and the fields that the specification lists", async () => {
      const items = [{ metadata: { order: 7 } }, { expiresAt: "2040-01-31" }];
      const { batchId, documents, totalCount } = await sendBatch(caller, {
        templateId,
        formats: ["html"],
        items,
      });
      expect(totalCount).to.equal(2);
      const [first, second] = documents;
      expect(first).to.deep.equal({
        id: first?.id,
        organizationId: caller.organizationId,
        templateId,
        createdById: caller.userId,
        status: "queued",
        outputs: [],
        metadata: { order: 7, batchId, batchIndex: 0, totalCount: 2 },
        expiresAt: "2026-12-01T10:00:00.000Z",
        createdAt: now.toISOString(),
      });
      expect(second?.expiresAt).to.equal("2040-01-31T23:59:59.999Z");
    });

    it("may be larger than what fits into memory and into one statement", async () => {
      const data = Array.from({ length: 100 }, (_, at) => ({
        name: `${at}\u2028\n\t`.repeat(30_000),
      }));
      const { id: batchId } = await accept(data.map((one) => ({ data: one })));
      const rows = await service.store.read.find(DocumentRecord, {
        where: { batchId },
        order: { documentId: "ASC" },
      });
      const stored = rows.map((one): unknown => JSON.parse(one.data));
      expect(stored).to.deep.equal(data);
    });
  });
});

const { batch, maxBodyBytes } = parseConfig({
  PLATEN_MAX_BATCH_ITEMS: "5",
  PLATEN_MAX_BATCH_BODY_BYTES: "400000",
  PLATEN_MAX_BODY_BYTES: "100000",
});

const large = (length: number) => "x".repeat(length);

const wide = (length: number) => ({ data: { text: large(length) } });

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
  const rejections = readRows(`
    isTest | {"isTest":true} | $.isTest: must not be true: a batch cannot be a test.
    no items | {"items":[]} | $.items: must contain at least one item.
    items and their alias | {"items":[{}],"documents":[{}]} | $.documents: is an alias of items: give one list.
    items that are not an array | {"items":{}} | $.items: must be an array.
    no formats | {"formats":[]} | $.formats: must contain at least one item.
    an unknown property | {"items":[{}],"dokuments":[]} | $.dokuments: unknown field. Did you mean documents?
    an item's format | {"items":[{},{},{},{"formats":["doc"]}]} | $.items[3].formats[0]: must be one of "pdf", "html", "image", "mjml", "xml", not "doc".
    an item's data | {"items":[{"data":[]}]} | $.items[0].data: must be an object.
    an item's data, by the alias that was used | {"documents":[{"data":5}]} | $.documents[0].data: must be an object.
    an item's expiry | {"items":[{},{"expiresAt":"2001-01-01"}]} | $.items[1].expiresAt: is in the past (2001-01-01T23:59:59.999Z). Use a future day such as "2030-01-31", or a timestamp such as "2030-01-31T12:00:00Z".
    a key that objects keep for themselves | {"items":[{},{"metadata":{"a":[{"__proto__":1}]}}]} | $.items[1].metadata.a[0].__proto__: is a key that is not allowed. Rename it.
  `);
  for (const [description, change = "", message] of rejections)
    it(`is rejected for ${description}, with 400 and the JSON path`, async () => {
      const response = send(JSON.stringify(complete(JSON.parse(change))));
      expect(await refusal(response)).to.equal(
        `400 Invalid request body. ${message}`,
      );
    });

  it("is rejected for a missing e-signature connection, with 400 and what to do", async () => {
    const body = JSON.stringify(complete({ sendForSignature: true }));
    expect(await refusal(send(body))).to.equal(
      "400 The document cannot be sent for signature. $.sendForSignature: the organization has no connection to an e-signature provider. Save one with POST /api/connections or platen connection add, and set it as esignConnection.",
    );
  });

  const isDeep = "The body is nested deeper than 300 levels. Flatten it.";
  for (const [what, text, message] of [
    ["invalid JSON", '{ "items": [ {} {} ] }', "The body is not valid JSON."],
    ["too deep JSON in an item", `{"items":[{"data":{"a":${deep}}}]}`, isDeep],
    ["too deep JSON beside", `{"items":[{}],"renderOptions":${deep}}`, isDeep],
    ["an array that is too deep and not closed", "[".repeat(90_000), isDeep],
  ] as const)
    it(`is rejected for ${what}, with 400 and the reason`, async () => {
      expect(await refusal(send(text))).to.equal(`400 ${message}`);
    });

  const items = Array.from({ length: 5 }, () => wide(90_000));
  for (const [what, change, variable] of [
    ["one item too many", { items: records(6) }, "MAX_BATCH_ITEMS"],
    ["a body that is too large", { items }, "MAX_BATCH_BODY_BYTES"],
    ["a large item", { items: [{}, wide(200_000)] }, "MAX_BODY_BYTES"],
    ["another large field", { templateId: large(200_000) }, "MAX_BODY_BYTES"],
  ] as const)
    it(`is rejected for ${what}, with 413 and how to raise the limit`, async () => {
      expect(await refusal(send(JSON.stringify(complete(change)))))
        .to.match(/^413 /)
        .and.contain(`PLATEN_${variable}`);
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
      const answer = limited.post("/api/export/batch", body);
      expect(await refusal(answer)).to.equal(
        `400 Batches require the plan premium or enterprise; this organization's plan is ${plan}. Render its documents one by one with POST /api/export, or change the plan.`,
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
