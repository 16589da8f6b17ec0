import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import {
  RECORD_SOURCE,
  DOCUMENT_DELIVERIES,
  DocumentWorker,
} from "../../core/batches/index.js";
import { RENDER_QUEUED, SIGNING } from "../../core/documents/index.js";
import { type ErrorCode, PlatenError } from "../../core/plugin-api/index.js";
import {
  type JobOutcome,
  type PoisonHandler,
  QUEUE,
  type RunningJob,
  type WorkOptions,
} from "../../core/queue/index.js";
import {
  Batch,
  Document,
  DocumentRecord,
  RecordBatch,
} from "../../core/storage/database/index.js";
import { LOG } from "../../core/lib/process-values.js";
import { EVENTS } from "../../core/webhooks/index.js";
import {
  containerWith,
  findEvents,
  newBatchCaller,
  records,
  sendBatch,
  startBatch,
} from "../support/batches.js";
import { useClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { Gate } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { eachDatabase, getRejection } from "../support/store.js";

const { batch } = parseConfig({
  PLATEN_BATCH_RETRY_DELAYS: "10s,20s,30s",
  PLATEN_ORGANIZATION_CONCURRENCY: "5",
});
const past = new Date(0);
const dayMs = 24 * 60 * 60_000;
const fail = (code: ErrorCode, paths: readonly string[] = []) => {
  const problems = paths.map((path) => ({ path, code: "x", message: "No." }));
  return () => Promise.reject(new PlatenError(code, "Why.", { problems }));
};

const says = (text: string) => ({ components: [{ type: "text", text }] });

type WorkArguments = [
  WorkOptions,
  (job: RunningJob) => Promise<JobOutcome>,
  PoisonHandler,
];

interface Case {
  /** Changes of the document, of its batch, and the attempt of the job. */
  row?: Partial<
    Pick<
      Document,
      | "status"
      | "attempts"
      | "interruptions"
      | "isRetrying"
      | "error"
      | "expiresAt"
    >
  >;
  metadata?: Record<string, string>;
  of?: Partial<
    Pick<
      Batch,
      "cancelledAt" | "platform" | "deliver" | "signing" | "recordsPurgeAt"
    >
  >;
  attempt?: number;
  hasRecord?: boolean;
  /** Whether its files are to be written to its record; they are already. */
  isSaved?: boolean;
  /** What happens while it is rendered; it succeeds by default. */
  render?: (job: {
    abort: () => void;
    wait: (ms: number) => void;
  }) => Promise<void>;
  /** Milliseconds until the job runs again, or why it threw; by default, it is done. */
  ends?: number | string;
  /** What has changed of the row: status, attempts, interruptions, isRetrying, error. */
  as: readonly [
    status: Document["status"],
    attempts: number,
    interruptions: number,
    isRetrying: boolean,
    error: string | null,
  ];
  /** Whom the worker notified; by default those who hear of events, when it has ended. */
  calls?: readonly string[];
  /** How many problems the event of its failure counts. */
  warningCount?: number;
  /** Until when its record is kept after its end; as long as before, by default. */
  isKeptFor?: number;
}

const crashed =
  "The process that rendered this document ended 3 times, so it is not tried again. Look for unusual data in it, such as content for very many pages.";
const expired = "The document was not ready before its expiry.";
const retrying = { attempts: 1, isRetrying: true, error: "Before." };
const cancelled = { cancelledAt: past };
const ended = ["events"];

const ready = (attempts = 1, interruptions = 0) =>
  ["succeeded", attempts, interruptions, false, null] as const;
const failed = (error: string, attempts = 1, interruptions = 0) =>
  ["failed", attempts, interruptions, false, error] as const;
const queued = (attempts: number, error: string) =>
  ["queued", attempts, 0, true, error] as const;
const unrendered = () => Promise.reject(new Error("rendered"));

const cases: Record<string, Case> = {
  "is ready": { as: ready() },
  "is ready at a second attempt": {
    row: retrying,
    metadata: { documentName: "Order 17" },
    as: ready(2),
  },
  "has ended before": {
    row: { status: "failed", error: "Before." },
    as: failed("Before.", 0),
    calls: [],
  },
  "fails for a reason that may pass": {
    render: fail("render_failed"),
    ends: 10_000,
    as: queued(1, "Why."),
  },
  "fails for the third time": {
    row: { attempts: 2 },
    render: fail("timeout"),
    ends: 30_000,
    as: queued(3, "Why."),
  },
  "fails for the fourth time": {
    row: { ...retrying, attempts: 3 },
    render: fail("render_failed"),
    as: failed("Why.", 4),
  },
  "fails by a fault": {
    render: () => Promise.reject(new TypeError("secret")),
    ends: 10_000,
    as: queued(1, "An unexpected fault."),
  },
  "fails for a reason that stays": {
    render: fail("invalid_request", ["$.a"]),
    as: failed("Why. $.a: No."),
  },
  "fails by its data": {
    render: fail("merge_failed", ["$.a", "$.b"]),
    as: failed("Why. $.a: No; $.b: No."),
    warningCount: 2,
  },
  "finds the renderer busy": {
    row: retrying,
    render: fail("busy"),
    ends: 1000,
    as: queued(1, "Before."),
  },
  "fails when its batch is canceled": {
    of: cancelled,
    render: fail("render_failed"),
    as: failed("Why."),
  },
  "finds the renderer busy when its batch is canceled": {
    of: cancelled,
    render: fail("busy"),
    as: failed("Why."),
  },
  "is ready when its batch is canceled": { of: cancelled, as: ready() },
  "is interrupted by the end of the service": {
    row: retrying,
    render: async ({ abort }) => {
      abort();
      throw new PlatenError("invalid_request", "Aborted.");
    },
    ends: "Aborted.",
    as: queued(1, "Before."),
  },
  "has expired": {
    row: { expiresAt: past },
    of: { recordsPurgeAt: past },
    render: unrendered,
    as: ["expired", 0, 0, false, expired],
    isKeptFor: dayMs,
  },
  "expires while it is rendered": {
    of: { recordsPurgeAt: new Date("2099-01-01T00:00:00Z") },
    render: async ({ wait }) => {
      wait(365 * dayMs);
      throw new PlatenError("invalid_request", "Late.");
    },
    as: ["expired", 0, 0, false, expired],
  },
  "was held by two processes that ended": {
    row: { status: "rendering", interruptions: 1 },
    attempt: 3,
    as: ready(1, 2),
  },
  "was held by three processes that ended": {
    row: { status: "rendering", interruptions: 2 },
    attempt: 4,
    render: unrendered,
    as: failed(crashed, 1, 3),
  },
  "has no record": {
    row: { attempts: 3 },
    hasRecord: false,
    as: failed("This document's data is missing.", 4),
  },
  "waits for its record from a platform": {
    of: { platform: "airtable" },
    hasRecord: false,
    as: ["queued", 0, 0, false, null],
    calls: ["bring"],
  },
  "waits for its record when its batch is canceled": {
    of: { ...cancelled, platform: "airtable" },
    hasRecord: false,
    as: failed("cancelled"),
  },
  "is ready in a batch of a platform that its files are written to": {
    of: { platform: "airtable" },
    isSaved: true,
    as: ready(),
    calls: ["succeeded", "events", "records"],
  },
  "is ready in a batch of a platform": {
    of: { platform: "airtable" },
    as: ready(),
    calls: ["succeeded", "events", "records"],
  },
  "is ready in a batch with deliveries": {
    of: { deliver: [] },
    as: ready(),
    calls: ["delivered", "events", "deliveries"],
  },
  "is ready in a batch that is sent for signature": {
    of: { signing: {} },
    as: ready(),
    calls: ["events", "signing"],
  },
};

eachDatabase((_open, database) => {
  describe("the worker of documents", () => {
    let aheadMs = 0;
    useClock({ now: () => Date.now() + aheadMs });
    const service = useService({ config: { batch, database }, role: "serve" });
    let render: (id: string, options?: object) => Promise<void>;
    let options: WorkOptions;
    let work: (job: RunningJob) => Promise<JobOutcome>;
    let endPoison: PoisonHandler;
    const calls: string[] = [];
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const sweeps: Record<string, number> = {};
    const note = (name: string) => async () => void calls.push(name);

    /** A worker whose queue, printer and neighbors are played here. */
    const register = () => {
      const real = service.container.resolve(RENDER_QUEUED);
      const renderQueued: typeof real = async (input, more) => {
        const { row, ...rest } = input;
        await render(row.id, rest);
        return real({ ...input, signing: null }, more);
      };
      const container = containerWith(service, [
        [EVENTS, { dispatch: { nudge: note("events") } }],
        [SIGNING, { nudge: note("signing") }],
        [LOG, { warn: log, error: log }],
        [RENDER_QUEUED, renderQueued],
        [
          DOCUMENT_DELIVERIES,
          { succeeded: note("delivered"), nudge: note("deliveries") },
        ],
        [
          RECORD_SOURCE,
          {
            bring: note("bring"),
            succeeded: note("succeeded"),
            nudge: note("records"),
          },
        ],
        [
          QUEUE,
          {
            work: (_kind: string, ...more: WorkArguments) =>
              ([options, work, endPoison] = more),
            every: (name: string, ms: number) => (sweeps[name] = ms),
            complete: () => Promise.resolve(),
          },
        ],
      ]);
      container.resolve(DocumentWorker).register();
    };
    before(register);
    beforeEach(() => {
      calls.length = 0;
      logged.length = 0;
      aheadMs = 0;
      render = () => Promise.resolve();
    });

    const start = (count = 1) => startBatch(service, { items: records(count) });
    const find = (id: string) =>
      service.store.read.findOneByOrFail(Document, { id });
    const run = (rowId: string, attempt = 1, abort = new AbortController()) => {
      const { signal } = abort;
      return work({ rowId, attempt, signal, complete: async () => {} });
    };

    for (const [
      what,
      { row = {}, of = {}, ends = null, as, ...one },
    ] of Object.entries(cases))
      it(`of a document that ${what} writes its state and says when to try again`, async () => {
        const { batchId, caller, documents } = await start();
        const { id = "" } = documents[0] ?? {};
        const { read } = service.store;
        await service.store.unitOfWork.run(async (tx) => {
          const platen = { retryOf: "doc_0" };
          const metadata = { ...one.metadata, platen };
          await tx.update(Document, { id }, { metadata, ...row });
          await tx.update(Batch, { id: batchId }, { cancelledAt: null, ...of });
          if (one.isSaved)
            await tx.insert(RecordBatch, {
              batchId,
              organizationId: caller.organizationId,
              connectionId: "",
              tableId: "t",
              fieldId: "f",
              mode: "append",
              plan: {},
              createdAt: past,
            });
          if (one.hasRecord === false)
            await tx.delete(DocumentRecord, { documentId: id });
        });
        const earlier = await read.findOneByOrFail(Batch, { id: batchId });
        const controller = new AbortController();
        render = async () =>
          one.render?.({
            abort: () => controller.abort(new Error("End.")),
            wait: (ms) => (aheadMs = ms),
          });
        const outcome = await run(id, one.attempt, controller).catch(
          (error: Error) => error.message,
        );
        expect(
          typeof outcome === "object" ? outcome.again : (outcome ?? null),
        ).to.equal(ends);
        const after = await find(id);
        const { status, attempts, interruptions, isRetrying, error } = after;
        expect([status, attempts, interruptions, isRetrying, error]).to.eql(as);
        expect(after.lockToken).to.equal(null);
        expect(calls).to.eql(one.calls ?? (status === "queued" ? [] : ended));
        const events = await findEvents(service, batchId);
        const isEnd = calls.includes("events");
        expect(events.map(({ type }) => type)).to.eql(
          isEnd
            ? [
                `document.${status}`,
                "documents.completed",
                ...(one.isSaved ? ["documents.saved"] : []),
              ]
            : [],
        );
        if (one.isSaved)
          expect(events[2]?.data).to.deep.include({
            batchId,
            totalDocuments: 1,
            savedCount: 0,
            failedCount: 0,
          });
        if (isEnd)
          expect(events[0]?.data).to.deep.include({
            documentId: id,
            batchId,
            organizationId: caller.organizationId,
            status,
            metadata:
              one.metadata ??
              (after.fileName === null ? {} : { documentName: after.fileName }),
            warningCount: one.warningCount ?? 0,
            completedAt: after.completedAt?.toISOString(),
            ...(status === "succeeded"
              ? { outputs: after.outputs }
              : { error }),
          });
        if (status === "succeeded")
          expect(after.metadata).to.have.nested.property("platen.report");
        expect(after.metadata).to.have.nested.property(
          "platen.retryOf",
          "doc_0",
        );
        const { completedAt, recordsPurgeAt } = await read.findOneByOrFail(
          Batch,
          { id: batchId },
        );
        expect(recordsPurgeAt).to.eql(
          one.isKeptFor === undefined
            ? earlier.recordsPurgeAt
            : new Date(Number(completedAt) + one.isKeptFor),
        );
      });

    it("renders a document with the options of its batch", async () => {
      const { batchId, documents } = await start();
      const chosen = {
        strict: true,
        unknownFields: "error" as const,
        renderOptions: { locale: "de-DE" },
      };
      await service.store.unitOfWork.run((tx) =>
        tx.update(Batch, { id: batchId }, chosen),
      );
      let seen: object | undefined;
      render = async (_id, of) => void (seen = of);
      await run(documents[0]?.id ?? "");
      expect(seen).to.deep.include(chosen);
    });

    it("renders a document alone whose process ended: after those that are rendered, and before later ones", async () => {
      const { documents } = await start(5);
      const ids = documents.map(({ id }) => id);
      const gates = new Map(ids.map((id) => [id, new Gate()]));
      const started: number[] = [];
      render = async (id) => {
        started.push(ids.indexOf(id));
        await gates.get(id)?.pass();
      };
      const runs = ids.map((id, at) => run(id, at === 2 ? 2 : 1));
      for (const expected of [[0, 1], [2], [3, 4]]) {
        await until("they start", () => started.length === expected.length);
        await service.store.unitOfWork.run(() => Promise.resolve());
        expect(started.splice(0)).to.have.members(expected);
        for (const at of expected) {
          gates.get(ids[at] ?? "")?.open();
          await runs[at];
        }
      }
    });

    it("writes nothing of a document that another worker has claimed meanwhile, and looks at it again", async () => {
      const { batchId, documents } = await start(2);
      const [id = "", other = ""] = documents.map((one) => one.id);
      render = (rendered) =>
        service.store.unitOfWork.run(async (tx) => {
          if (rendered === id)
            await tx.update(Document, { id }, { lockToken: "another" });
        });
      expect(await Promise.all([run(id), run(other)])).to.eql([
        { again: 1000 },
        undefined,
      ]);
      const { status, lockToken, outputs } = await find(id);
      expect([status, lockToken, outputs]).to.eql(["rendering", "another", []]);
      const events = await findEvents(service, batchId);
      expect(events.map(({ data }) => data.documentId)).to.eql([other]);
      expect(calls).to.eql([]);
    });

    it("prints what a reusable block says at that time", async () => {
      const caller = await newBatchCaller(service);
      await caller.post("/api/partials", { name: "note", ...says("None") });
      const components = [{ type: "partial", name: "note" }];
      const templateId = await caller.publish({
        definition: { schema: [], components },
      });
      const items = records(2);
      const body = { templateId, formats: ["html"], items };
      const { documents } = await sendBatch(caller, body);
      for (const [at, text] of ["IBAN 1", "IBAN 2"].entries()) {
        await caller.patch("/api/partials/note", says(text));
        const id = documents[at]?.id ?? "";
        await run(id);
        const { outputs } = await find(id);
        const file = await fetch(outputs[0]?.url ?? "");
        expect((await file.text()).match(/IBAN ./g)).to.eql([text]);
      }
    });

    it("goes by the time of the database where the clock of its machine is wrong", async () => {
      const { documents } = await start();
      const { id = "" } = documents[0] ?? {};
      aheadMs = 365 * dayMs;
      register();
      await run(id);
      expect((await find(id)).status).to.equal("succeeded");
    });

    it("logs why a render failed", async () => {
      const { batchId, documents } = await start();
      const { id: documentId = "" } = documents[0] ?? {};
      const err = new TypeError("No function.");
      render = () => Promise.reject(err);
      await run(documentId);
      expect(logged).to.eql([
        [{ documentId, batchId, attempts: 0, err }, "a render failed"],
      ]);
    });

    it("claims nothing when the service ends before its turn", async () => {
      const { documents } = await start();
      const { id = "" } = documents[0] ?? {};
      const stopping = new AbortController();
      stopping.abort(new Error("End."));
      const error = await getRejection(run(id, 1, stopping));
      expect(error).to.have.property("message", "End.");
      expect((await find(id)).status).to.equal("queued");
    });

    it("fails a document whose job the queue gives up", async () => {
      const { batchId, documents } = await start(2);
      const [documentId = ""] = documents.map(({ id }) => id);
      await endPoison(documentId, 1000);
      const [event, ...others] = await findEvents(service, batchId);
      expect(event?.data).to.include({
        documentId,
        status: "failed",
        error: crashed.replace("3 times", "1000 times"),
      });
      expect(others).to.eql([]);
      expect(calls).to.eql(ended);
      expect(logged).to.eql([
        [{ documentId, times: 1000 }, "a document exceeded the crash limit"],
      ]);
    });

    it("takes as many jobs as its pages can print, and tidies up at intervals", () => {
      expect(options).to.eql({
        concurrency: 8,
        maxInterruptions: 1000,
        maxPerPartition: 5,
      });
      expect(sweeps).to.eql({
        "batch-expired": 10_000,
        "batch-forgotten": 60_000,
        "batch-cancelled": 60_000,
        "batch-records": 600_000,
        "batch-abandoned": 600_000,
      });
    });
  });
});
