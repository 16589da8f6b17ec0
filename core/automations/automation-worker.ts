import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type EntityManager, In, LessThan, LessThanOrEqual } from "typeorm";
import { service, recordAudit } from "../accounts/index.js";
import { requireBatchPlan, MAX_BATCH_ITEMS } from "../batches/index.js";
import {
  hasVersion,
  isNoneSelectedError,
  RecordBatches,
  type SelectedRecords,
  toRecordsRequest,
  toSelector,
} from "../integrations/platforms/index.js";
import { chunksOf } from "../lib/chunks.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { formatError, type Log, PlatenError } from "../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../queue/index.js";
import {
  Automation,
  AutomationRecord,
  AutomationRun,
  type AutomationRunStatus,
  type Batch,
  Connection,
  findForUpdate,
  getDatabaseTime,
  insertRow,
  insertRows,
  Membership,
  Organization,
  type Store,
  Template,
  STORE,
} from "../storage/database/index.js";
import { LOG } from "../lib/process-values.js";
import {
  AUTOMATION_JOB,
  createRun,
  findUnfinishedRun,
  toJob,
} from "./automations.js";
import {
  requestSubscription,
  SUBSCRIPTION_JOB,
} from "./change-subscriptions.js";
import { listRuns } from "./schedule.js";

/** Runs that this process does at once; most of the time, they wait for platforms. */
const maxConcurrentRuns = 4;
/** Attempts of a run that may fail for a reason that may pass. */
const maxAttempts = 5;
const firstDelayMs = 5000;
/** Failed runs in a row after which an automation is paused. */
const maxFailures = 10;
/** A run that starts later counts as missed. */
const missedAfterMs = 5 * 60_000;
const chunkSize = 500;
const minuteMs = 60_000;
const runLifetimeMs = 90 * 24 * 60 * minuteMs;

/** Does the runs of automations, one after the other for each. */
@scoped(Lifecycle.ContainerScoped)
export class AutomationWorker {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(RecordBatches)
    private readonly records: Pick<RecordBatches, "select">,
    @inject(MAX_BATCH_ITEMS) private readonly maxItems: number,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** The worker runs once the queue is started. */
  register(): void {
    this.queue.work(
      AUTOMATION_JOB,
      {
        concurrency: maxConcurrentRuns,
        leavesSlotsFree: true,
      },
      (job) => this.#work(job),
      (id, attempts) => this.#poison(id, attempts),
    );
    this.queue.every("automations", minuteMs, () => this.#sweep());
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const opened = await this.#open(job.rowId);
    if (opened?.run) {
      const again = await this.#run(job, opened.automation, opened.run);
      if (again) return again;
    }
    return this.#untilNext(job.rowId);
  }

  /** When the job has to run again; nothing for an automation that is paused or deleted. */
  async #untilNext(id: string): Promise<JobOutcome> {
    const { read } = this.store;
    const row = await read.findOneBy(Automation, { id });
    if (!row?.nextRunAt) return;
    const now = await getDatabaseTime(read);
    return { again: Math.max(0, row.nextRunAt.getTime() - now.getTime()) };
  }

  /**
   * The run to do: one that an earlier process left unfinished, or one that is due. Its row and the next due time are
   * written together, so that no due time is used twice and none is forgotten.
   */
  #open(
    id: string,
  ): Promise<{ automation: Automation; run: AutomationRun | null } | null> {
    return this.store.unitOfWork.run(async (tx) => {
      const automation = await findForUpdate(tx, Automation, { id });
      if (!automation) return null;
      const unfinished = await findUnfinishedRun(tx, id);
      const now = await getDatabaseTime(tx);
      const { nextRunAt, schedule, missedRuns } = automation;
      if (unfinished) {
        const startedAt = unfinished.startedAt ?? now;
        const changes = { status: "running" as const, startedAt };
        await tx.update(AutomationRun, { id: unfinished.id }, changes);
        return { automation, run: Object.assign(unfinished, changes) };
      }
      if (nextRunAt === null || nextRunAt > now)
        return { automation, run: null };
      const isCron = "cron" in schedule;
      const run = createRun(
        automation,
        { dueAt: nextRunAt, origin: isCron ? "schedule" : "change" },
        now,
      );
      run.startedAt = now;
      run.status = "running";
      const isLate = now.getTime() - nextRunAt.getTime() > missedAfterMs;
      const isSkipped = isCron && isLate && missedRuns === "skip";
      if (isSkipped)
        Object.assign(run, {
          status: "skipped",
          endedAt: now,
          message: describeMissed(automation, now),
        });
      const next = listRuns(schedule, now, 1)[0] ?? null;
      await tx.update(Automation, { id }, { nextRunAt: next });
      await insertRow(tx, AutomationRun, run);
      automation.nextRunAt = next;
      return { automation, run: isSkipped ? null : run };
    });
  }

  /** @returns when to try again; nothing when the run has ended. */
  async #run(
    job: RunningJob,
    automation: Automation,
    run: AutomationRun,
  ): Promise<JobOutcome> {
    try {
      await this.#execute(job, automation, run);
    } catch (error) {
      if (job.signal.aborted || error instanceof RunOverError) throw error;
      const delay = await this.#postpone(run, error);
      if (delay !== null) return { again: clock.pause(delay) };
      this.log.warn(
        { automationId: automation.id, err: error },
        "an automation's run failed",
      );
      await this.#fail(automation, run, error);
    }
  }

  /** Selects the records and accepts the batch; the run ends in the transaction that makes the batch visible. */
  async #execute(
    { signal }: RunningJob,
    automation: Automation,
    run: AutomationRun,
  ): Promise<void> {
    const plan = await this.#checkRights(automation);
    const selection = await this.records.select(
      { ...toRecordsRequest(automation), plan },
      toSelector(automation.records),
      signal,
    );
    const selectedCount = selection.recordIds.length;
    if (automation.baselineAt === null)
      return this.#noteAll(automation, run, selection, signal);
    const due = await this.#findDue(automation, selection, signal);
    if (due.size === 0)
      return this.#end(automation, run, {
        status: "empty",
        selectedCount,
        documentCount: 0,
        message:
          selectedCount === 0
            ? "The source has no records."
            : automation.repeatMode === "never"
              ? "The source has no new records."
              : "No record is new or has changed since it was done.",
      });
    try {
      await selection.accept([...due.keys()], async (tx, batch, recordIds) =>
        this.#accepted(tx, automation, run, {
          batch,
          selectedCount,
          done: recordIds.map((id) => [id, due.get(id) ?? ""] as const),
        }),
      );
    } catch (error) {
      if (!isNoneSelectedError(error)) throw error;
      await this.#end(automation, run, {
        status: "empty",
        selectedCount,
        documentCount: 0,
        message: formatError(error),
      });
    }
  }

  /** The author's rights, and what the automation refers to. @throws BlockedError when only a person can fix it. */
  async #checkRights(automation: Automation) {
    const { read } = this.store;
    const { organizationId, createdById, templateId, connectionId } =
      automation;
    const member = await read.findOneBy(Membership, {
      organizationId,
      userId: createdById,
    });
    if (!member)
      throw new BlockedError(
        "The person who created this automation is no longer a user of the organization. Create it again.",
      );
    if (member.role === "viewer")
      throw new BlockedError(
        "The person who created this automation may no longer create documents. Give them the role editor, or create it again.",
      );
    const { plan } = await read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    try {
      requireBatchPlan(plan);
    } catch (error) {
      throw new BlockedError(formatError(error));
    }
    const template = await read.findOne(Template, {
      where: { id: templateId },
      select: { id: true, name: true, trashedAt: true, isActive: true },
    });
    if (!template || template.trashedAt !== null)
      throw new BlockedError(
        `The template "${template?.name ?? templateId}" is in the trash. Restore it, then resume the automation.`,
      );
    if (!template.isActive)
      throw new BlockedError(
        `The template "${template.name}" is not active. Activate it, then resume the automation.`,
      );
    const isConnected = await read.existsBy(Connection, {
      id: connectionId,
      organizationId,
    });
    if (!isConnected)
      throw new BlockedError(
        "The connection of this automation was deleted. Create the automation again with another connection.",
      );
    return plan;
  }

  /** The records to do, with their versions: at most as many as a batch may have. The others follow in the next run. */
  async #findDue(
    { id: automationId, repeatMode }: Automation,
    selection: SelectedRecords,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const due = new Map<string, string>();
    for (const ids of chunksOf(selection.recordIds, chunkSize)) {
      signal.throwIfAborted();
      const doneVersions = await this.#findDone(automationId, ids);
      const versions =
        repeatMode === "changed"
          ? await selection.readVersions(ids, signal)
          : new Map(ids.map((id) => [id, ""]));
      const grown: [string, string][] = [];
      for (const [recordId, version] of versions) {
        const done =
          repeatMode === "always" ? undefined : doneVersions.get(recordId);
        const isDone =
          done !== undefined &&
          (repeatMode === "never" || hasVersion(done, version));
        if (!isDone && due.size < this.maxItems) due.set(recordId, version);
        // The template reads more fields than before: they count from now on.
        if (isDone && repeatMode === "changed" && done !== version)
          grown.push([recordId, version]);
      }
      await this.store.unitOfWork.run((tx) =>
        saveDone(tx, automationId, grown),
      );
    }
    return due;
  }

  async #findDone(
    automationId: string,
    ids: readonly string[],
  ): Promise<Map<string, string>> {
    const rows = await this.store.read.find(AutomationRecord, {
      where: { automationId, recordId: In([...ids]) },
    });
    return new Map(rows.map(({ recordId, version }) => [recordId, version]));
  }

  /** Notes the records that exist at the start as done, without those that an interrupted attempt has noted. */
  async #noteAll(
    automation: Automation,
    run: AutomationRun,
    selection: SelectedRecords,
    signal: AbortSignal,
  ): Promise<void> {
    const { id } = automation;
    const { recordIds } = selection;
    for (const ids of chunksOf(recordIds, chunkSize)) {
      signal.throwIfAborted();
      const doneVersions = await this.#findDone(id, ids);
      const versions = await selection.readVersions(ids, signal);
      const fresh = [...versions].filter(
        ([recordId]) => !doneVersions.has(recordId),
      );
      await this.store.unitOfWork.run((tx) => saveDone(tx, id, fresh));
    }
    const { length } = recordIds;
    await this.#end(
      automation,
      run,
      {
        status: "noted",
        selectedCount: length,
        documentCount: 0,
        message:
          "The records that exist now were noted. Those that are added or changed from now on become documents.",
      },
      { baselineAt: clock.date() },
    );
  }

  async #accepted(
    tx: EntityManager,
    automation: Automation,
    run: AutomationRun,
    {
      batch,
      selectedCount,
      done,
    }: {
      batch: Batch;
      selectedCount: number;
      done: readonly (readonly [string, string])[];
    },
  ): Promise<void> {
    await endRun(tx, automation, run, {
      status: "accepted",
      batchId: batch.id,
      selectedCount,
      documentCount: done.length,
      message: null,
    });
    await saveDone(tx, automation.id, done);
  }

  #end(
    automation: Automation,
    run: AutomationRun,
    result: RunResult,
    changes: AutomationChanges = {},
  ): Promise<void> {
    return this.store.unitOfWork.run((tx) =>
      endRun(tx, automation, run, result, changes),
    );
  }

  /** @returns after how long to try again; null when the run has failed. */
  async #postpone(run: AutomationRun, error: unknown): Promise<number | null> {
    if (error instanceof PlatenError && !error.retryable) return null;
    // A rate limit does not count as a failure.
    const isLimited = error instanceof PlatenError && error.code === "busy";
    const attempts = run.attempts + (isLimited ? 0 : 1);
    if (attempts >= maxAttempts) return null;
    const wait =
      error instanceof PlatenError ? error.retryAfterSeconds : undefined;
    const message = formatError(error);
    await this.store.unitOfWork.run((tx) =>
      tx.update(AutomationRun, { id: run.id }, { attempts, message }),
    );
    return (wait ?? 0) * 1000 || firstDelayMs * 2 ** run.attempts;
  }

  /** Ends a run that failed; pauses its automation when it cannot work without a person, or fails again and again. */
  async #fail(
    automation: Automation,
    run: AutomationRun,
    error: unknown,
  ): Promise<void> {
    const message = formatError(error);
    await this.store.unitOfWork.run(async (tx) => {
      const { id } = automation;
      const row = await findForUpdate(tx, Automation, { id });
      if (!row) throw new RunOverError();
      const failures = row.failures + 1;
      const isBlocked = error instanceof BlockedError;
      const isPaused =
        row.pausedAt === null && (isBlocked || failures >= maxFailures);
      const now = await getDatabaseTime(tx);
      const pausedReason = isBlocked
        ? message
        : `${failures} runs in a row failed. ${message}`;
      await endRun(
        tx,
        automation,
        run,
        {
          status: "failed",
          selectedCount: null,
          documentCount: 0,
          message,
        },
        {
          failures,
          ...(isPaused && { pausedAt: now, pausedReason, nextRunAt: null }),
        },
      );
      if (!isPaused) return;
      row.pausedAt = now;
      await requestSubscription(tx, this.queue, row);
      await recordAudit(tx, service, {
        organizationId: row.organizationId,
        action: "automation.paused",
        subject: id,
        details: { name: row.name, reason: pausedReason },
      });
    });
    this.queue.nudge(SUBSCRIPTION_JOB);
  }

  /** Fails a run whose process crashed on each attempt, and goes on with the next. */
  async #poison(id: string, attempts: number): Promise<void> {
    const { read, unitOfWork } = this.store;
    const automation = await read.findOneBy(Automation, { id });
    const run = automation && (await findUnfinishedRun(read, id));
    if (!automation) return;
    if (run)
      await this.#fail(
        automation,
        run,
        new PlatenError(
          "internal",
          `The run could not be done: the process that tried ended ${attempts} times.`,
        ),
      );
    await unitOfWork.run(async (tx) => {
      const row = await tx.findOneBy(Automation, { id });
      // The job of the run is deleted; this one begins a minute later.
      if (row?.nextRunAt)
        await this.queue.enqueue(tx, [
          { ...toJob(row), delayMs: clock.pause(minuteMs) },
        ]);
    });
  }

  /** Wakes automations that are due and have no job, and deletes old runs. */
  async #sweep(): Promise<void> {
    const { read, unitOfWork } = this.store;
    const now = await getDatabaseTime(read);
    const late = new Date(now.getTime() - minuteMs);
    const due = await read.find(Automation, {
      where: { nextRunAt: LessThanOrEqual(late) },
      take: chunkSize,
    });
    const open = await read.find(AutomationRun, {
      where: {
        status: In(["waiting", "running"]),
        createdAt: LessThanOrEqual(late),
      },
      take: chunkSize,
    });
    const jobs = [
      ...due.map(toJob),
      ...open.map(({ automationId, organizationId }) =>
        toJob({ id: automationId, organizationId, nextRunAt: null }),
      ),
    ];
    if (jobs.length > 0)
      await unitOfWork.run((tx) => this.queue.enqueue(tx, jobs));
    const old = await read.find(AutomationRun, {
      where: { createdAt: LessThan(new Date(now.getTime() - runLifetimeMs)) },
      select: { id: true },
      take: chunkSize,
    });
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) return;
    await unitOfWork.run((tx) => tx.delete(AutomationRun, { id: In(ids) }));
  }
}

/** The automation cannot run until a person has changed something. */
class BlockedError extends PlatenError {
  constructor(message: string) {
    super("conflict", message);
  }
}

/** Another process has ended the run, or the automation was deleted: what this one did is rolled back. */
class RunOverError extends Error {}

type RunResult = {
  status: AutomationRunStatus;
  batchId?: string;
  selectedCount: number | null;
  documentCount: number;
  message: string | null;
};

type AutomationChanges = Partial<
  Pick<
    Automation,
    "baselineAt" | "failures" | "pausedAt" | "pausedReason" | "nextRunAt"
  >
>;

/** Ends a run once. @throws RunOverError, so that the transaction is rolled back, when it has ended already. */
async function endRun(
  tx: EntityManager,
  { id: automationId, schedule }: Automation,
  { id, origin }: AutomationRun,
  result: RunResult,
  changes: AutomationChanges = {},
): Promise<void> {
  const now = await getDatabaseTime(tx);
  const { affected } = await tx.update(
    AutomationRun,
    { id, status: "running" },
    { ...result, endedAt: now },
  );
  if (affected !== 1) throw new RunOverError();
  await tx.update(
    Automation,
    { id: automationId },
    {
      ...(result.status !== "failed" && { failures: 0 }),
      ...changes,
    },
  );
  // Of the looks for changes that found none, the log keeps the last.
  if (result.status === "empty" && origin === "change" && !("cron" in schedule))
    await tx
      .createQueryBuilder()
      .delete()
      .from(AutomationRun)
      .where({ automationId, status: "empty", origin: "change" })
      .andWhere("id <> :id", { id })
      .execute();
}

/** Notes the versions of records that are done in place of earlier ones. */
async function saveDone(
  tx: EntityManager,
  automationId: string,
  done: readonly (readonly [recordId: string, version: string])[],
): Promise<void> {
  for (const some of chunksOf(done, chunkSize)) {
    const recordId = In(some.map(([id]) => id));
    await tx.delete(AutomationRecord, { automationId, recordId });
    const rows = some.map(([id, version]) => ({
      automationId,
      recordId: id,
      version,
    }));
    await insertRows(tx, AutomationRecord, rows);
    await yieldToEventLoop();
  }
}

const timeFormat = (timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });

function describeMissed(
  { nextRunAt, schedule }: Automation,
  now: Date,
): string {
  const zone = "cron" in schedule ? schedule.timeZone : "UTC";
  const at = timeFormat(zone).format(nextRunAt ?? now);
  return `The service was not running at ${at} (${zone}), and missed runs are skipped.`;
}
