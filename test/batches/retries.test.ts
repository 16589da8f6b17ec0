import { expect } from "chai";
import type { QueryDeepPartialEntity } from "typeorm";
import {
  Batches,
  DOCUMENT_DELIVERIES,
  RECORD_SOURCE,
} from "../../core/batches/index.js";
import { SIGNING } from "../../core/documents/index.js";
import { formatError } from "../../core/plugin-api/index.js";
import {
  Batch,
  BatchMerge,
  Document,
  DocumentRecord,
} from "../../core/storage/database/index.js";
import { containerWith, startBatch } from "../support/batches.js";
import { useFixedTime } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { Gate } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { anyDatabase, getRejection } from "../support/store.js";

const longAgo = new Date("2020-01-01T10:00:00Z");
const prepared = [
  { connectionId: null, plugin: "email", settings: { subject: "Hi" } },
];
const options = {
  formats: ["html", "pdf"],
  imageType: "jpg",
  strict: true,
  unknownFields: "warn",
  renderOptions: { pdf: { conformance: "pdf/a-2u" } },
  source: { fileName: "a.csv", sheet: null, columns: ["A"] },
  signing: { esignConnection: "c" },
  deliver: prepared,
} satisfies Partial<Batch>;

anyDatabase((_open, database) => {
  describe("a batch that is retried", () => {
    const clock = useFixedTime();
    const service = useService({ config: { database }, role: "serve" });

    /** A batch that is completed, whose documents ended like this. */
    async function complete(
      documents: readonly QueryDeepPartialEntity<Document>[],
      batch: QueryDeepPartialEntity<Batch> = {},
    ) {
      const items = documents.map((_, at) => ({ data: { name: `No. ${at}` } }));
      const merge = { formats: ["pdf"], merge: { order: "name" } };
      const accepted = await startBatch(service, { items, ...merge });
      const { batchId } = accepted;
      await service.store.unitOfWork.run(async (tx) => {
        const completed = {
          status: "completed",
          completedAt: longAgo,
        } as const;
        await tx.update(Batch, { id: batchId }, { ...completed, ...batch });
        for (const [batchIndex, change] of documents.entries())
          await tx.update(
            Document,
            { batchId, batchIndex },
            { createdAt: longAgo, ...change },
          );
        await tx.update(
          DocumentRecord,
          { documentId: accepted.documents[1]?.id ?? "" },
          { source: "[1]" },
        );
      });
      return accepted;
    }
    /** Batches whose neighbors are played here. */
    const batchesWith = (prepare: () => Promise<void>, records: object = {}) =>
      containerWith(service, [
        [SIGNING, { prepare }],
        [
          DOCUMENT_DELIVERIES,
          {
            prepare: async ({ deliver }: { deliver: readonly unknown[] }) =>
              deliver.length > 0 ? prepared : null,
          },
        ],
        [RECORD_SOURCE, records],
      ]).resolve(Batches);
    const find = (batchId: string) =>
      service.store.read.findOneByOrFail(Batch, { id: batchId });

    it("makes a new batch of its failed and expired documents, with all options and the same time to live, once", async () => {
      const metadata = {
        order: 7,
        batchId: "batch_0",
        batchIndex: 8,
        totalCount: 9,
        platen: { retryOf: "doc_0", report: {} },
      };
      const { batchId, caller, documents } = await complete(
        [
          { status: "succeeded" },
          {
            status: "failed",
            locale: "fr",
            formats: ["mjml"],
            metadata,
            expiresAt: new Date(longAgo.getTime() + 3_600_000),
          },
          {
            status: "expired",
            metadata: {},
            expiresAt: new Date(longAgo.getTime() + 60_000),
          },
        ],
        options,
      );
      const gate = new Gate();
      const batches = batchesWith(() => gate.pass());
      const owner = { ...caller, plan: "premium" } as const;
      const both = [1, 2].map(() => batches.retry(owner, batchId));
      await until("both have read it", () => gate.waiting === 2);
      gate.open();
      const [one, other] = (await Promise.allSettled(both)).toSorted(
        ({ status: a }, { status: b }) => a.localeCompare(b),
      );
      if (one?.status !== "fulfilled" || other?.status !== "rejected")
        throw new Error("both or none were accepted");
      const { id } = one.value;
      expect(formatError(other.reason)).to.equal(
        "Another request has just retried this batch. List the batches to find the new one.",
      );
      expect(
        formatError(await getRejection(batches.retry(owner, batchId))),
      ).to.equal(`This batch was already retried as ${id}. Retry that one.`);
      const { templateId, organizationId, createdById } = await find(batchId);
      const version = {
        organizationId,
        templateId,
        templateVersion: 1,
        createdById,
      };
      expect(await find(id)).to.deep.include({
        ...version,
        ...options,
        status: "queued",
        totalCount: 2,
        remaining: 2,
        platform: null,
        retryOf: batchId,
        completedAt: null,
      });
      const { read } = service.store;
      const rows = await read.find(Document, {
        where: { batchId: id },
        order: { batchIndex: "ASC" },
      });
      const place = { batchId: id, totalCount: 2 };
      const [, failed, expired] = documents.map((document) => document.id);
      expect(
        rows.map((row) => [
          row.status,
          row.locale,
          row.formats,
          row.metadata,
          Number(row.expiresAt) - clock.now(),
        ]),
      ).to.deep.equal([
        [
          "queued",
          "fr",
          ["mjml"],
          { order: 7, batchIndex: 0, ...place, platen: { retryOf: failed } },
          3_600_000,
        ],
        [
          "queued",
          null,
          ["pdf"],
          { batchIndex: 1, ...place, platen: { retryOf: expired } },
          60_000,
        ],
      ]);
      const stored = await read.findBy(DocumentRecord, { batchId: id });
      expect(
        stored.map(({ data, source }) => [data, source]),
      ).to.have.deep.members([
        ['{"name":"No. 1"}', "[1]"],
        ['{"name":"No. 2"}', null],
      ]);
      const merge = await read.findOneByOrFail(BatchMerge, { batchId: id });
      expect(merge.options.order).to.equal("name");
    });

    it("tells the platform that has the records, in the transaction of the new batch", async () => {
      const { batchId, caller } = await complete([{ status: "failed" }], {
        platform: "airtable",
      });
      const calls: unknown[] = [];
      const batches = batchesWith(async () => {}, {
        retried: async (_tx: unknown, from: Batch, to: Batch) => {
          calls.push([
            from.id,
            to.retryOf,
            to.platform,
            to.signing,
            to.deliver,
          ]);
          if (calls.length === 1) throw new Error("rolled back");
        },
        nudge: () => calls.push("nudge"),
      });
      const owner = { ...caller, plan: "premium" } as const;
      const error = await getRejection(batches.retry(owner, batchId));
      expect(error).to.have.property("message", "rolled back");
      await batches.retry(owner, batchId, async () => {
        calls.push("alongside");
      });
      const call = [batchId, batchId, "airtable", null, null];
      expect(calls).to.deep.equal([call, call, "alongside", "nudge"]);
      expect(
        await service.store.read.countBy(Batch, { retryOf: batchId }),
      ).to.equal(1);
    });

    const isGone = "was completed so long ago that its records are deleted";
    const isEarly = "is not completed yet. Wait until it is, or cancel it";
    const isGood = "has no failed documents and no expired ones";
    for (const [reason, status, isSwept, batch] of [
      [isGone, "failed", true, {}],
      [isGone, "failed", false, { recordsPurgeAt: null }],
      [isGood, "succeeded", false, {}],
      [isEarly, "failed", false, { status: "running" }],
    ] as const)
      it(`is rejected when it ${reason}${isSwept ? ", also while a sweep deletes them" : ""}`, async () => {
        const { batchId, caller } = await complete([{ status }], batch);
        if (isSwept)
          await service.store.unitOfWork.run((tx) =>
            tx.delete(DocumentRecord, { batchId }),
          );
        const owner = { ...caller, plan: "premium" } as const;
        const batches = batchesWith(async () => {});
        const error = await getRejection(batches.retry(owner, batchId));
        expect(error).to.include({
          code: "conflict",
          message: `This batch ${reason}.`,
        });
      });
  });
});
