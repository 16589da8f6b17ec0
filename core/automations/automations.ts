import { type EntityManager, In } from "typeorm";
import { z } from "zod";
import { recordAudit, type Actor } from "../accounts/index.js";
import {
  checkSelector,
  describeChange,
  newSavedRequestFields,
  recordsSchema,
  savedRequestFields,
  savedRequestPatchFields,
  SavedRequests,
} from "../integrations/platforms/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { timestampSchema, toView } from "../lib/schemas.js";
import { PlatenError } from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Automation,
  AutomationRecord,
  AutomationRun,
  type AutomationTrigger,
  type CreatedCallback,
  findForUpdate,
  getDatabaseTime,
  insertRow,
  isDuplicate,
  isId,
  listPage,
  newId,
  type PageRequest,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { BASE_URL } from "../lib/process-values.js";
import {
  changesSchema,
  readChanges,
  requestSubscription,
  SUBSCRIPTION_JOB,
} from "./change-subscriptions.js";
import { listRuns, parseTrigger } from "./schedule.js";

/** The kind of the jobs that name an automation. */
export const AUTOMATION_JOB = "automation";

const cronField = z.string().meta({
  description:
    "Five fields: minute, hour, day of month, month, day of week; `L` is the last day of the month. An expression that is never due is an error. " +
    "A time in the hour that a clock change skips is due when that hour would have begun; one in the repeated hour, the first time only.",
  example: "0 8 * * 1",
});

const whenSchema = z
  .union([
    z.strictObject({
      cron: cronField,
      timeZone: z.string().default("UTC").meta({ example: "Europe/Berlin" }),
    }),
    z.strictObject({
      everyMinutes: z.int().meta({
        description:
          "Looks for new and changed records at this interval; from 1 to 1440.",
        example: 5,
      }),
      startFrom: z.enum(["now", "beginning"]).default("now").meta({
        description:
          "`now`: the records that exist are noted, and only those that are added or changed later become documents. `beginning`: they become documents too.",
      }),
    }),
  ])
  .meta({ description: "Times of a schedule, or changes of records." });

const missedRunsField = z.enum(["run-once", "skip"]).meta({
  description:
    "Due times at which the service was not running: `run-once` makes up for all of them with one run, `skip` notes them in the log only.",
});

const repeatField = z.enum(["changed", "never", "always"]).meta({
  description:
    "Which records that were done are done again: those of which a field that the template reads has `changed`, `never` any, or `always` all that are selected.",
});

export const automationRunSchema = z
  .strictObject({
    id: z.string(),
    automationId: z.string(),
    origin: z.enum(["schedule", "change", "manual"]),
    status: z
      .enum([
        "waiting",
        "running",
        "accepted",
        "empty",
        "noted",
        "skipped",
        "failed",
      ])
      .meta({
        description:
          "`accepted`: its batch was accepted, which has a status of its own. `empty`: no record was due. `noted`: the records that exist at the start were noted. `skipped`: it was missed.",
      }),
    dueAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
    batchId: z.string().nullable(),
    selectedCount: z.int().nullable().meta({
      description: "How many records the source has; null until known.",
    }),
    documentCount: z.int().nullable().meta({
      description: "How many of them the batch has.",
    }),
    message: z.string().nullable().meta({
      description: "Why it made nothing, failed, or has to be tried again.",
    }),
  })
  .meta({ id: "AutomationRun" });

export const automationSchema = z
  .strictObject({
    ...savedRequestFields,
    when: whenSchema,
    changes: changesSchema.nullable().meta({
      description:
        "How it learns of changes; null for a schedule, and while it is paused.",
    }),
    missedRuns: missedRunsField,
    repeat: repeatField,
    state: z.enum(["active", "paused"]),
    pausedAt: timestampSchema.nullable(),
    pausedReason: z.string().nullable().meta({
      description:
        "Why the service paused it, and how to fix it; null if a person did.",
    }),
    nextRuns: z.array(timestampSchema).meta({
      description: "The next five times; empty while it is paused.",
    }),
    lastRun: automationRunSchema.nullable(),
    createdById: z.string(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Automation" });

export const newAutomationSchema = z
  .strictObject({
    ...newSavedRequestFields,
    missedRuns: missedRunsField.optional(),
    repeat: repeatField.optional(),
    when: whenSchema,
  })
  .meta({
    id: "NewAutomation",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      platform: "airtable",
      records: { viewId: "To invoice" },
      attachmentField: "Invoice",
      when: { cron: "0 8 * * 1", timeZone: "Europe/Berlin" },
    },
  });

export const automationPatchSchema = z
  .strictObject({
    ...savedRequestPatchFields,
    records: recordsSchema.optional(),
    missedRuns: missedRunsField.optional(),
    repeat: repeatField.optional(),
    when: whenSchema.optional(),
  })
  .meta({ id: "AutomationPatch", example: { isPaused: true } });

/** Times are ISO 8601. */
export type AutomationView = z.output<typeof automationSchema>;
export type AutomationRunView = z.output<typeof automationRunSchema>;

const nextRunCount = 5;

/** Automations of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Automations {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Pick<Queue, "enqueue" | "nudge">,
    @inject(SavedRequests) private readonly requests: SavedRequests,
    /** Without a trailing slash. */
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * Checks the source on the platform first, so that a new automation works. @throws PlatenError `not_found`, or
   * `invalid_request` as a batch of these records would, and for a schedule that is never due.
   */
  async create(
    owner: { organizationId: string; userId: string },
    input: z.output<typeof newAutomationSchema>,
    actor: Actor,
    inTransaction?: CreatedCallback<AutomationView>,
  ): Promise<AutomationView> {
    const { store, queue } = this;
    const { organizationId, userId: createdById } = owner;
    const schedule = parseTrigger(input.when);
    const author = { organizationId, createdById };
    const { destination, columns } = await this.requests.create(author, input);
    const records = await checkSelector(destination, input.records);
    const view = await store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const row: Automation = {
        id: newId(),
        ...columns,
        records,
        merge: null,
        schedule,
        missedRuns: input.missedRuns ?? "run-once",
        repeatMode: input.repeat ?? "changed",
        pausedAt: null,
        pausedReason: null,
        failures: 0,
        baselineAt: needsBaseline(schedule) ? null : now,
        nextRunAt: getFirstRun(schedule, now),
        createdAt: now,
        updatedAt: now,
      };
      await insertRow(tx, Automation, row);
      await recordAudit(tx, actor, {
        organizationId,
        action: "automation.created",
        subject: row.id,
        details: { name: row.name, templateId: row.templateId, when: schedule },
      });
      await queue.enqueue(tx, [toJob(row)]);
      await requestSubscription(tx, queue, row);
      const created = await this.view(tx, row, now);
      await inTransaction?.(tx, created);
      return created;
    });
    this.nudge();
    return view;
  }

  /** Newest first. */
  list(
    organizationId: string,
    page: PageRequest,
    { templateId }: { templateId?: string | undefined } = {},
  ) {
    return this.store.snapshot(async (read) => {
      const { rows, ...pagination } = await listPage(read, Automation, {
        ...page,
        where: {
          organizationId,
          ...(templateId !== undefined && { templateId }),
        },
        newestBy: "createdAt",
      });
      const now = await getDatabaseTime(read);
      const data: AutomationView[] = [];
      for (const row of rows) data.push(await this.view(read, row, now));
      return { data, pagination };
    });
  }

  /** @throws PlatenError `not_found`. */
  get(organizationId: string, id: string): Promise<AutomationView> {
    return this.store.snapshot(async (read) => {
      const row = await find(read, organizationId, id);
      return this.view(read, row, await getDatabaseTime(read));
    });
  }

  /**
   * Checks another source on the platform first, as `create` does. A schedule that changes begins anew.
   * @throws PlatenError `not_found`; `invalid_request`.
   */
  async update(
    organizationId: string,
    id: string,
    patch: z.output<typeof automationPatchSchema>,
    actor: Actor,
  ): Promise<AutomationView> {
    const { store, queue } = this;
    const before = await find(store.read, organizationId, id);
    const { isPaused, missedRuns, repeat, when } = patch;
    const schedule = when && parseTrigger(when);
    const columns = await this.requests.change(before, patch);
    const view = await store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Automation, where)) ?? notFound();
      const now = await getDatabaseTime(tx);
      const changes: Partial<Automation> = {
        ...columns,
        ...(missedRuns && { missedRuns }),
        ...(repeat && { repeatMode: repeat }),
        ...(schedule && {
          schedule,
          ...(needsBaseline(schedule) &&
            !needsBaseline(row.schedule) && { baselineAt: null }),
        }),
        updatedAt: now,
      };
      if (isPaused === true && row.pausedAt === null)
        Object.assign(changes, { pausedAt: now, pausedReason: null });
      if (isPaused === false)
        Object.assign(changes, {
          pausedAt: null,
          pausedReason: null,
          failures: 0,
        });
      const wasPaused = row.pausedAt !== null;
      Object.assign(row, changes);
      if (row.pausedAt !== null) row.nextRunAt = null;
      else if (schedule || wasPaused)
        row.nextRunAt = getFirstRun(row.schedule, now);
      await tx.save(row);
      await recordAudit(tx, actor, {
        organizationId,
        action: "automation.changed",
        subject: id,
        details: {
          ...describeChange(row, patch),
          ...(schedule && { when: schedule }),
        },
      });
      if (row.nextRunAt !== null) await queue.enqueue(tx, [toJob(row)]);
      await requestSubscription(tx, queue, row);
      return this.view(tx, row, now);
    });
    this.nudge();
    return view;
  }

  /** Deletes it with its runs; their batches stay. A run that has no batch yet makes none. @throws PlatenError `not_found`. */
  async delete(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<AutomationView> {
    if (!isId(id)) notFound();
    const view = await this.store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Automation, where)) ?? notFound();
      const deleted = await this.view(tx, row, await getDatabaseTime(tx));
      await requestSubscription(tx, this.queue, row, true);
      await tx.delete(AutomationRecord, { automationId: id });
      await tx.delete(AutomationRun, { automationId: id });
      await tx.delete(Automation, { id });
      await recordAudit(tx, actor, {
        organizationId,
        action: "automation.deleted",
        subject: id,
        details: { name: row.name },
      });
      return deleted;
    });
    this.nudge();
    return view;
  }

  /**
   * Has it run as soon as a worker is free, also if it is paused. @throws PlatenError `not_found`; `conflict` for one that
   * is running.
   */
  async run(
    organizationId: string,
    id: string,
    actor: Actor,
    inTransaction?: CreatedCallback<AutomationRunView>,
  ): Promise<AutomationRunView> {
    if (!isId(id)) notFound();
    const { store, queue } = this;
    try {
      const view = await store.unitOfWork.run(async (tx) => {
        const where = { id, organizationId };
        const row = (await findForUpdate(tx, Automation, where)) ?? notFound();
        if (await findUnfinishedRun(tx, id)) throw createRunningError();
        const now = await getDatabaseTime(tx);
        const run = createRun(row, { dueAt: now, origin: "manual" }, now);
        await insertRow(tx, AutomationRun, run);
        await recordAudit(tx, actor, {
          organizationId,
          action: "automation.started",
          subject: id,
          details: { name: row.name },
        });
        await queue.enqueue(tx, [{ ...toJob(row), runAt: now }]);
        const created = toView(automationRunSchema, run);
        await inTransaction?.(tx, created);
        return created;
      });
      queue.nudge(AUTOMATION_JOB);
      return view;
    } catch (error) {
      throw isDuplicate(error) ? createRunningError() : error;
    }
  }

  /** Newest first. @throws PlatenError `not_found`. */
  listRuns(organizationId: string, id: string, page: PageRequest) {
    return this.store.snapshot(async (read) => {
      await find(read, organizationId, id);
      const { rows, ...pagination } = await listPage(read, AutomationRun, {
        ...page,
        where: { automationId: id },
        newestBy: "createdAt",
      });
      const data = rows.map((row) => toView(automationRunSchema, row));
      return { data, pagination };
    });
  }

  private nudge(): void {
    this.queue.nudge(AUTOMATION_JOB);
    this.queue.nudge(SUBSCRIPTION_JOB);
  }

  private async view(read: EntityManager, row: Automation, now: Date) {
    return toAutomationView(row, now, {
      lastRun: await findLastRun(read, row.id),
      changes: await readChanges(read, row.id, this.baseUrl),
    });
  }
}

export function toJob({
  id,
  organizationId,
  nextRunAt,
}: Pick<Automation, "id" | "organizationId" | "nextRunAt">) {
  return {
    kind: AUTOMATION_JOB,
    rowId: id,
    partitionKey: organizationId,
    ...(nextRunAt && { runAt: nextRunAt }),
  };
}

export function createRun(
  { id: automationId, organizationId }: Automation,
  { dueAt, origin }: Pick<AutomationRun, "dueAt" | "origin">,
  now: Date,
): AutomationRun {
  return {
    id: newId(),
    organizationId,
    automationId,
    dueAt,
    origin,
    status: "waiting",
    attempts: 0,
    batchId: null,
    selectedCount: null,
    documentCount: null,
    message: null,
    startedAt: null,
    endedAt: null,
    createdAt: now,
  };
}

/** The oldest run that has not ended; null when there is none. */
export function findUnfinishedRun(
  read: EntityManager,
  automationId: string,
): Promise<AutomationRun | null> {
  return read.findOne(AutomationRun, {
    where: { automationId, status: In(["waiting", "running"]) },
    order: { createdAt: "ASC", id: "ASC" },
  });
}

/** Changes are looked for at once, which also notes what there is at the start. */
function getFirstRun(schedule: AutomationTrigger, now: Date): Date | null {
  return "cron" in schedule ? (listRuns(schedule, now, 1)[0] ?? null) : now;
}

/** Whether the records that exist at the start are left out. */
function needsBaseline(schedule: AutomationTrigger): boolean {
  return "everyMinutes" in schedule && schedule.startFrom === "now";
}

async function find(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Automation> {
  const row = isId(id)
    ? await read.findOneBy(Automation, { id, organizationId })
    : null;
  return row ?? notFound();
}

export function findLastRun(
  read: EntityManager,
  automationId: string,
): Promise<AutomationRun | null> {
  return read.findOne(AutomationRun, {
    where: { automationId },
    order: { createdAt: "DESC", id: "DESC" },
  });
}

function notFound(): never {
  throw new PlatenError("not_found", "There is no such automation.");
}

function createRunningError(): PlatenError {
  return new PlatenError(
    "conflict",
    "This automation is running already. Wait until its run has ended.",
  );
}

function toAutomationView(
  row: Automation,
  now: Date,
  more: Pick<AutomationView, "changes"> & { lastRun: AutomationRun | null },
): AutomationView {
  const { schedule, nextRunAt, pausedAt } = row;
  const nextRuns =
    nextRunAt === null
      ? []
      : [
          nextRunAt,
          ...listRuns(
            schedule,
            nextRunAt > now ? nextRunAt : now,
            nextRunCount - 1,
          ),
        ];
  return toView(automationSchema, row, {
    attachmentField: row.fieldName,
    when: schedule,
    changes: more.changes,
    repeat: row.repeatMode,
    state: pausedAt === null ? ("active" as const) : ("paused" as const),
    nextRuns: nextRuns.map((date) => date.toISOString()),
    lastRun: more.lastRun && toView(automationRunSchema, more.lastRun),
  });
}
