import { LRUCache } from "lru-cache";
import { type EntityManager, IsNull, MoreThan } from "typeorm";
import { assertWithinRateLimit, RateLimits } from "../accounts/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import type { SecretBox } from "../lib/secrets.js";
import type { ChangeNotice } from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Automation,
  ChangeSubscription,
  getDatabaseTime,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { AUTOMATION_JOB, findLastRun, toJob } from "./automations.js";
import { CHANGE_SECRETS } from "./change-subscriptions.js";

const tokenPattern = /^[\w-]{43}$/;
/** A look begins that much after its notice, so that notices of one change become one look. */
const delayMs = 1000;
/** Between two looks: at least this, and this many times as long as the last one took, to leave the platform's limits to others. */
const minGapMs = 10_000;
const gapFactor = 5;
const maxPerMinute = 120;

/**
 * Notices of platforms about changes. A notice is only a hint that makes the next look for changes due at once, so many
 * of them become one look, and a forged one costs a look.
 */
@scoped(Lifecycle.ContainerScoped)
export class ChangeNotices {
  /** By token: when the look is due that the notices before it have caused. */
  readonly #due = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(CHANGE_SECRETS) private readonly secrets: SecretBox,
    @inject(RateLimits)
    private readonly rateLimits: Pick<RateLimits, "countIn">,
  ) {}

  /**
   * A notice with an unknown token, with an invalid signature, or for an automation that is paused changes nothing and is
   * not an error, so that nobody learns what exists. @throws PlatenError `busy` for too many with the same token.
   */
  async receive(token: string, notice: ChangeNotice): Promise<void> {
    if (!tokenPattern.test(token)) return;
    if ((this.#due.get(token) ?? 0) > clock.now()) return;
    const row = await this.store.read.findOneBy(ChangeSubscription, {
      token,
      endedAt: IsNull(),
    });
    if (!row) return;
    const bucket = `changes:${row.automationId}`;
    assertWithinRateLimit(
      await this.rateLimits.countIn(bucket, maxPerMinute, clock.date()),
    );
    if (!(await this.#isGenuine(row, notice))) return;
    // Taken before the look can begin, so that no notice is left to a look that has begun.
    const receivedAt = clock.now();
    const waitMs = await this.store.unitOfWork.run((tx) =>
      this.#makeDue(tx, row.automationId),
    );
    this.#due.set(token, receivedAt + waitMs);
    this.queue.nudge(AUTOMATION_JOB);
  }

  async #isGenuine(
    { secret, automationId, organizationId, connectionId }: ChangeSubscription,
    notice: ChangeNotice,
  ): Promise<boolean> {
    if (secret === null) return true;
    try {
      const opened = await this.secrets.open(secret, automationId);
      const { platform } = await this.connections.open(
        organizationId,
        connectionId,
      );
      return await platform.verifyNotice(notice, opened);
    } catch {
      // A deleted connection, or a plugin that cannot be called now: the interval finds the change.
      return false;
    }
  }

  /** @returns in how many milliseconds the next look is due; 0 when there is none. */
  async #makeDue(tx: EntityManager, id: string): Promise<number> {
    const automation = await tx.findOneBy(Automation, { id });
    if (!automation?.nextRunAt) return 0;
    const now = (await getDatabaseTime(tx)).getTime();
    const last = await findLastRun(tx, id);
    const from = last?.startedAt?.getTime() ?? 0;
    const to = last?.endedAt?.getTime() ?? (last ? now : 0);
    const gapMs = Math.max(clock.pause(minGapMs), (to - from) * gapFactor);
    const dueMs = Math.max(now + clock.pause(delayMs), to + gapMs);
    const nextRunAt = new Date(dueMs);
    const { affected } = await tx.update(
      Automation,
      { id, pausedAt: IsNull(), nextRunAt: MoreThan(nextRunAt) },
      { nextRunAt },
    );
    if (affected !== 1) return automation.nextRunAt.getTime() - now;
    const { organizationId } = automation;
    await this.queue.enqueue(tx, [toJob({ id, organizationId, nextRunAt })]);
    return dueMs - now;
  }
}
