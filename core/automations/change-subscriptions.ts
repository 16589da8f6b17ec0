import { randomBytes } from "node:crypto";
import { type EntityManager, IsNull, LessThanOrEqual, Not } from "typeorm";
import { z } from "zod";
import {
  ConnectionService,
  type CredentialsObserver,
} from "../integrations/connections/index.js";
import { isPublicAddress } from "../integrations/platforms/index.js";
import { clock } from "../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import { SecretBox } from "../lib/secrets.js";
import {
  formatError,
  type Log,
  PlatenError,
  type TableScope,
} from "../plugin-api/index.js";
import {
  type JobOutcome,
  type NewJob,
  type Queue,
  QUEUE,
} from "../queue/index.js";
import {
  type Automation,
  ChangeSubscription,
  getDatabaseTime,
  insertRow,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { BASE_URL, LOG, SECRETS } from "../lib/process-values.js";

/** Encrypts what platforms sign their notices with. */
export const CHANGE_SECRETS = createToken<SecretBox>("change secrets");
provide(
  CHANGE_SECRETS,
  (c) => new SecretBox(c.resolve(SECRETS), "change notices"),
);

/** The kind of the jobs that name a subscription. */
export const SUBSCRIPTION_JOB = "change-subscription";

const minuteMs = 60_000;
/** How often a webhook is extended, or created again if somebody has deleted it. Airtable's expire after seven days. */
const checkEveryMs = 24 * 60 * minuteMs;
const firstDelayMs = 5000;
const maxDelayMs = 60 * minuteMs;
/** Attempts to delete a webhook that is no longer wanted, which take about seven hours. */
const maxRemovals = 16;
const maxConcurrent = 4;
const sweepSize = 500;

/**
 * Requests the webhook of an automation that looks for changes, and the deletion of one that is paused, deleted or has
 * another trigger. Nudge `SUBSCRIPTION_JOB` after the commit.
 */
export async function requestSubscription(
  tx: EntityManager,
  queue: Pick<Queue, "enqueue">,
  automation: Automation,
  isDeleted = false,
): Promise<void> {
  const { id: automationId, organizationId, schedule, pausedAt } = automation;
  const isWanted =
    !isDeleted && pausedAt === null && "everyMinutes" in schedule;
  const row = await tx.findOneBy(ChangeSubscription, { automationId });
  if (isWanted ? row?.endedAt === null : row?.endedAt !== null) return;
  const now = await getDatabaseTime(tx);
  const due = { attempts: 0, message: null, nextAttemptAt: now };
  if (row)
    await tx.update(
      ChangeSubscription,
      { automationId },
      { ...due, endedAt: isWanted ? null : now, updatedAt: now },
    );
  else if (isWanted)
    await insertRow(tx, ChangeSubscription, {
      automationId,
      organizationId,
      connectionId: automation.connectionId,
      baseId: automation.baseId,
      tableId: automation.tableId,
      token: randomBytes(32).toString("base64url"),
      url: null,
      remoteId: null,
      secret: null,
      endedAt: null,
      ...due,
      createdAt: now,
      updatedAt: now,
    });
  await queue.enqueue(tx, [toJob({ automationId, organizationId })]);
}

/** Tries to create failed webhooks again when their connection has got new credentials. */
export function createSubscriptionRetry(
  queue: Pick<Queue, "enqueue" | "nudge">,
): CredentialsObserver {
  return {
    async changed(tx, connectionId) {
      const failed = {
        connectionId,
        endedAt: IsNull(),
        message: Not(IsNull()),
      };
      const rows = await tx.findBy(ChangeSubscription, failed);
      if (rows.length === 0) return;
      const nextAttemptAt = await getDatabaseTime(tx);
      const due = { attempts: 0, nextAttemptAt };
      await tx.update(ChangeSubscription, failed, due);
      await queue.enqueue(tx, rows.map(toJob));
    },
    nudge: () => queue.nudge(SUBSCRIPTION_JOB),
  };
}

function toJob({
  automationId,
  organizationId,
}: Pick<ChangeSubscription, "automationId" | "organizationId">): NewJob {
  return {
    kind: SUBSCRIPTION_JOB,
    rowId: automationId,
    partitionKey: organizationId,
  };
}

export const changesSchema = z.strictObject({
  via: z.enum(["webhook", "poll"]).meta({
    description:
      "`webhook`: the platform reports changes, so that a run starts within seconds. `poll`: they are found at the interval only. In any case, the interval finds what was not reported.",
  }),
  message: z.string().nullable().meta({
    description:
      "Why there is no webhook, and how to fix it; null while it is being created, and when there is one.",
  }),
  url: z.string().nullable().meta({
    description:
      "A POST request to this address, with any body, makes the automation look for changes now. It is a secret. Null when the platform has a webhook of its own.",
  }),
});

export async function readChanges(
  read: EntityManager,
  automationId: string,
  baseUrl: string,
): Promise<z.output<typeof changesSchema> | null> {
  const row = await read.findOneBy(ChangeSubscription, {
    automationId,
    endedAt: IsNull(),
  });
  if (!row) return null;
  const { remoteId, message, token } = row;
  return remoteId === null
    ? { via: "poll", message, url: toUrl(baseUrl, token) }
    : { via: "webhook", message: null, url: null };
}

function toUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/api/automations/notices/${token}`;
}

/** Creates, extends and deletes the webhooks on the platforms. */
@scoped(Lifecycle.ContainerScoped)
export class ChangeSubscriptionWorker {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(CHANGE_SECRETS) private readonly secrets: SecretBox,
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** The worker runs once the queue is started. */
  register(): void {
    this.queue.work(
      SUBSCRIPTION_JOB,
      {
        concurrency: maxConcurrent,
        leavesSlotsFree: true,
      },
      ({ rowId }) => this.#work(rowId),
      (rowId, attempts) => this.#poison(rowId, attempts),
    );
    this.queue.every("change-subscriptions", minuteMs, () => this.#sweep());
  }

  async #work(automationId: string): Promise<JobOutcome> {
    const { read } = this.store;
    const row = await read.findOneBy(ChangeSubscription, { automationId });
    if (!row) return;
    const now = await getDatabaseTime(read);
    if (row.nextAttemptAt <= now)
      await (row.endedAt === null ? this.#subscribe(row) : this.#remove(row));
    const next = await read.findOneBy(ChangeSubscription, { automationId });
    if (!next) return;
    const waitMs = next.nextAttemptAt.getTime() - now.getTime();
    return { again: Math.max(0, waitMs) };
  }

  /** A process that dies before the webhook is saved leaves one that the next attempt finds by its address. */
  async #subscribe(row: ChangeSubscription): Promise<void> {
    try {
      const platform = await this.#open(row);
      if (!platform.changes)
        return await this.#save(row, {
          message: `${platform.title} has no webhooks that Platen can create.`,
        });
      if (platform.changes.needsPublicUrl && !this.#isPublic())
        return await this.#save(row, {
          message: `${platform.title} calls https addresses on the internet only, and ${this.baseUrl} is none. Set PLATEN_BASE_URL to the public https address of this service.`,
        });
      const url = toUrl(this.baseUrl, row.token);
      if (row.url !== null && row.url !== url)
        await platform.unsubscribe(toScope(row), row.url);
      // Written first, so that the webhook is found when nothing else of it is known.
      if (row.url !== url && !(await this.#saveUrl(row, url))) return;
      const current = (await this.#hasReadableSecret(row)) && row.remoteId;
      const created = await platform.subscribe(
        toScope(row),
        url,
        current || undefined,
      );
      await this.#save(row, {
        remoteId: created.id,
        ...(created.id !== row.remoteId && {
          secret:
            created.secret === undefined
              ? null
              : await this.secrets.seal(created.secret, row.automationId),
        }),
        message: null,
      });
    } catch (error) {
      await this.#postpone(row, error);
    }
  }

  /** @returns false when the webhook is no longer wanted. */
  async #saveUrl(row: ChangeSubscription, url: string): Promise<boolean> {
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.update(ChangeSubscription, toKey(row), { url }),
    );
    return affected === 1;
  }

  /** One that cannot be decrypted is of no use: then the webhook is created again. */
  async #hasReadableSecret({
    secret,
    automationId,
  }: ChangeSubscription): Promise<boolean> {
    if (secret === null) return true;
    return this.secrets.open(secret, automationId).then(
      () => true,
      () => false,
    );
  }

  async #remove(row: ChangeSubscription): Promise<void> {
    try {
      const platform = await this.#open(row);
      if (row.url !== null && platform.changes)
        await platform.unsubscribe(toScope(row), row.url);
    } catch (error) {
      const isLast = row.attempts + 1 >= maxRemovals;
      if (isRetryable(error) && !isLast) return this.#postpone(row, error);
      this.log.warn(
        { automationId: row.automationId, err: error },
        "a webhook could not be deleted",
      );
    }
    await this.store.unitOfWork.run((tx) =>
      tx.delete(ChangeSubscription, toKey(row)),
    );
  }

  async #open({ organizationId, connectionId }: ChangeSubscription) {
    const { platform } = await this.connections.open(
      organizationId,
      connectionId,
    );
    return platform;
  }

  #isPublic(): boolean {
    return this.baseUrl.startsWith("https:") && isPublicAddress(this.baseUrl);
  }

  /** Nothing is saved for one that was ended, or is to be tried again, meanwhile: its job runs once more. */
  async #save(
    row: ChangeSubscription,
    changes: Partial<
      Pick<ChangeSubscription, "remoteId" | "secret" | "message">
    >,
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      await tx.update(ChangeSubscription, toKey(row), {
        ...changes,
        attempts: 0,
        nextAttemptAt: new Date(now.getTime() + clock.pause(checkEveryMs)),
        updatedAt: now,
      });
    });
  }

  /** What only a person can fix is tried again at the next check. */
  async #postpone(row: ChangeSubscription, error: unknown): Promise<void> {
    const delayMs = isRetryable(error)
      ? Math.min(firstDelayMs * 2 ** row.attempts, maxDelayMs)
      : checkEveryMs;
    await this.store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      await tx.update(ChangeSubscription, toKey(row), {
        message: formatError(error),
        // A webhook that was refused may have been deleted; one that could not be reached may still work.
        ...(!isRetryable(error) && { remoteId: null, secret: null }),
        attempts: row.attempts + 1,
        nextAttemptAt: new Date(now.getTime() + clock.pause(delayMs)),
        updatedAt: now,
      });
    });
  }

  async #poison(automationId: string, attempts: number): Promise<void> {
    const { read } = this.store;
    const row = await read.findOneBy(ChangeSubscription, { automationId });
    if (!row) return;
    const message = `The process that tried ended ${attempts} times.`;
    await this.#postpone(row, new PlatenError("internal", message));
  }

  /** Wakes subscriptions that are due and have no job. */
  async #sweep(): Promise<void> {
    const { read, unitOfWork } = this.store;
    const now = await getDatabaseTime(read);
    const late = new Date(now.getTime() - minuteMs);
    const due = await read.find(ChangeSubscription, {
      where: { nextAttemptAt: LessThanOrEqual(late) },
      take: sweepSize,
    });
    if (due.length === 0) return;
    await unitOfWork.run((tx) => this.queue.enqueue(tx, due.map(toJob)));
  }
}

/** The row as long as it is wanted, or unwanted, and due, as it was read. */
function toKey({ automationId, endedAt, nextAttemptAt }: ChangeSubscription) {
  return { automationId, endedAt: endedAt ?? IsNull(), nextAttemptAt };
}

function toScope({ baseId, tableId }: ChangeSubscription): TableScope {
  return baseId === null ? { tableId } : { baseId, tableId };
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}
