import { type EntityManager, In } from "typeorm";
import { recordAudit, type Actor } from "../accounts/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import {
  checkRecordsRequest,
  type RecordSelector,
  toSelector,
} from "../integrations/platforms/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { type Format, PlatenError } from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Automation,
  AutomationRecord,
  AutomationRun,
  type AutomationTrigger,
  type CreatedCallback,
  type DeliverEntry,
  findForUpdate,
  getDatabaseTime,
  insertRow,
  isDuplicate,
  isId,
  listPage,
  newId,
  Organization,
  type Page,
  type PageRequest,
  type Store,
  Template,
  STORE,
} from "../storage/database/index.js";
import {
  type DocumentDeliveries,
  DOCUMENT_DELIVERIES,
} from "../batches/index.js";
import { BASE_URL } from "../lib/process-values.js";
import {
  type ChangesView,
  readChanges,
  requestSubscription,
  SUBSCRIPTION_JOB,
} from "./change-subscriptions.js";
import { listRuns, parseTrigger } from "./schedule.js";

/** The kind of the jobs that name an automation. */
export const AUTOMATION_JOB = "automation";

/** Where the records are, what is made of them, and when. */
export interface AutomationInput {
  templateId: string;
  platform: string;
  /** Default: the template's name. */
  name?: string | undefined;
  /** The defaults of these fields are the same as in a batch of the platform's records. */
  connectionId?: string | undefined;
  baseId?: string | undefined;
  tableId?: string | undefined;
  attachmentField?: string | undefined;
  formats?: readonly Format[] | undefined;
  overwriteExisting?: boolean | undefined;
  records: RecordSelector;
  when: AutomationTrigger;
  /** What happens to times at which no process was running. Default: `run-once`. */
  missedRuns?: Automation["missedRuns"] | undefined;
  /** Which records that were done are done again. Default: `changed`. */
  repeat?: Automation["repeatMode"] | undefined;
  /** Default: where the template says, also when that changes. */
  deliver?: readonly DeliverEntry[] | undefined;
}

/** What is left out stays as it is. */
export interface AutomationPatch extends Pick<
  AutomationInput,
  "name" | "formats" | "overwriteExisting" | "missedRuns" | "repeat"
> {
  /** Null: nothing is written back. */
  attachmentField?: string | null | undefined;
  /** Null: where the template says. */
  deliver?: readonly DeliverEntry[] | null | undefined;
  records?: RecordSelector | undefined;
  when?: AutomationTrigger | undefined;
  isPaused?: boolean | undefined;
}

const maxNameLength = 200;
const nextRunCount = 5;

/** Automations of organizations; those of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Automations {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Pick<Queue, "enqueue" | "nudge">,
    @inject(ConnectionService) private readonly connections: ConnectionService,
    @inject(DOCUMENT_DELIVERIES)
    private readonly deliveries: Pick<DocumentDeliveries, "check">,
    /** Without a trailing slash. */
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * Checks the source on the platform first, so that a new automation works. @throws PlatenError `not_found`, or
   * `invalid_request` as a batch of these records would, and for a schedule that is never due.
   */
  async create(
    owner: { organizationId: string; userId: string },
    input: AutomationInput,
    actor: Actor,
    inTransaction?: CreatedCallback<AutomationView>,
  ): Promise<AutomationView> {
    const { store, queue } = this;
    const { organizationId, userId: createdById } = owner;
    const schedule = parseTrigger(input.when);
    const source = await this.checkSource(
      { organizationId, createdById },
      input,
    );
    const { name = await this.getTemplateName(input.templateId) } = input;
    const { templateId, deliver = null } = input;
    await this.checkDeliver(
      { organizationId, createdById, templateId },
      deliver,
    );
    const view = await store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const row: Automation = {
        id: newId(),
        organizationId,
        name: parseName(name),
        templateId: input.templateId,
        platform: input.platform,
        ...source,
        ...toOutput(input),
        deliver: deliver && [...deliver],
        merge: null,
        schedule,
        missedRuns: input.missedRuns ?? "run-once",
        repeatMode: input.repeat ?? "changed",
        pausedAt: null,
        pausedReason: null,
        failures: 0,
        baselineAt: needsBaseline(schedule) ? null : now,
        nextRunAt: getFirstRun(schedule, now),
        createdById,
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
  ): Promise<{
    data: AutomationView[];
    pagination: Omit<Page<never>, "rows">;
  }> {
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
    patch: AutomationPatch,
    actor: Actor,
  ): Promise<AutomationView> {
    const { store, queue } = this;
    const before = await find(store.read, organizationId, id);
    const { name, isPaused, missedRuns, repeat, when, deliver } = patch;
    const schedule = when && parseTrigger(when);
    const source = await this.checkNewSource(before, patch);
    await this.checkDeliver(before, deliver ?? null);
    const view = await store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Automation, where)) ?? notFound();
      const now = await getDatabaseTime(tx);
      const changes: Partial<Automation> = {
        ...(name !== undefined && { name: parseName(name) }),
        ...source,
        ...(missedRuns && { missedRuns }),
        ...(repeat && { repeatMode: repeat }),
        ...(deliver !== undefined && { deliver: deliver && [...deliver] }),
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
          name: row.name,
          ...(isPaused !== undefined && { isPaused }),
          ...(schedule && { when: schedule }),
          ...(deliver !== undefined && { deliver }),
          ...(source && {
            attachmentField: row.fieldName,
            formats: row.formats,
            overwriteExisting: row.overwriteExisting,
          }),
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
        const created = toRunView(run);
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
  listRuns(
    organizationId: string,
    id: string,
    page: PageRequest,
  ): Promise<{
    data: AutomationRunView[];
    pagination: Omit<Page<never>, "rows">;
  }> {
    return this.store.snapshot(async (read) => {
      await find(read, organizationId, id);
      const { rows, ...pagination } = await listPage(read, AutomationRun, {
        ...page,
        where: { automationId: id },
        newestBy: "createdAt",
      });
      return { data: rows.map(toRunView), pagination };
    });
  }

  private async checkSource(
    owner: { organizationId: string; createdById: string },
    { records, ...input }: Omit<AutomationInput, "when" | "name">,
  ) {
    const { store, connections } = this;
    const { plan } = await store.read.findOneByOrFail(Organization, {
      id: owner.organizationId,
    });
    const { organizationId, createdById } = owner;
    return checkRecordsRequest(
      { store, connections },
      { ...input, organizationId, createdById, plan },
      records,
    );
  }

  /** Undefined when the patch leaves source and output as they are. */
  private async checkNewSource(
    row: Automation,
    { attachmentField, formats, overwriteExisting, records }: AutomationPatch,
  ) {
    const wanted = [attachmentField, formats, overwriteExisting, records];
    if (wanted.every((one) => one === undefined)) return undefined;
    const output = {
      formats: formats ?? row.formats,
      overwriteExisting: overwriteExisting ?? row.overwriteExisting,
    };
    const field = attachmentField === undefined ? row.fieldId : attachmentField;
    const source = await this.checkSource(row, {
      ...toPlace(row),
      ...output,
      attachmentField: field ?? undefined,
      records: records ?? toSelector(row.records),
    });
    return { ...source, ...toOutput(output) };
  }

  /** @throws PlatenError `invalid_request`. */
  private async checkDeliver(
    {
      organizationId,
      createdById,
      templateId,
    }: Pick<Automation, "organizationId" | "createdById" | "templateId">,
    deliver: readonly DeliverEntry[] | null,
  ): Promise<void> {
    if (deliver === null) return;
    const order = { organizationId, createdById, templateId, deliver };
    await this.deliveries.check(order);
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

  private async getTemplateName(id: string): Promise<string> {
    const { name } = await this.store.read.findOneOrFail(Template, {
      where: { id },
      select: { id: true, name: true },
    });
    return name.slice(0, maxNameLength);
  }
}

/** Template and table, as a batch is requested for them. */
export function toPlace(row: Automation) {
  return {
    templateId: row.templateId,
    platform: row.platform,
    connectionId: row.connectionId,
    baseId: row.baseId ?? undefined,
    tableId: row.tableId,
  };
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

/** A run that waits for its work. */
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

/** The newest run; null before the first. */
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

function toOutput({
  formats = ["pdf"],
  overwriteExisting = false,
}: Pick<AutomationInput, "formats" | "overwriteExisting">) {
  return { formats: [...new Set<Format>(formats)], overwriteExisting };
}

/** @throws PlatenError `invalid_request`. */
function parseName(name: string): string {
  const text = name.trim();
  if (text !== "" && text.length <= maxNameLength) return text;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${maxNameLength} characters.`,
  );
}

/** An automation as people see it. Times are ISO 8601. */
export type AutomationView = ReturnType<typeof toAutomationView>;

function toAutomationView(
  row: Automation,
  now: Date,
  {
    lastRun,
    changes,
  }: { lastRun: AutomationRun | null; changes: ChangesView | null },
) {
  const { schedule, nextRunAt } = row;
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
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    templateId: row.templateId,
    platform: row.platform,
    connectionId: row.connectionId,
    baseId: row.baseId,
    tableId: row.tableId,
    tableName: row.tableName,
    records: row.records,
    /** The name of the field that receives the files; null when nothing is written back. */
    attachmentField: row.fieldName,
    formats: row.formats,
    overwriteExisting: row.overwriteExisting,
    when: schedule,
    changes,
    missedRuns: row.missedRuns,
    repeat: row.repeatMode,
    deliver: row.deliver,
    state: row.pausedAt === null ? ("active" as const) : ("paused" as const),
    pausedAt: row.pausedAt?.toISOString() ?? null,
    pausedReason: row.pausedReason,
    nextRuns: nextRuns.map((one) => one.toISOString()),
    lastRun: lastRun && toRunView(lastRun),
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A run as people see it. Times are ISO 8601. */
export type AutomationRunView = ReturnType<typeof toRunView>;

function toRunView(row: AutomationRun) {
  return {
    id: row.id,
    automationId: row.automationId,
    origin: row.origin,
    status: row.status,
    dueAt: row.dueAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    batchId: row.batchId,
    selectedCount: row.selectedCount,
    documentCount: row.documentCount,
    message: row.message,
  };
}
