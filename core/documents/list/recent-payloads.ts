import type { EntityManager } from "typeorm";
import { LRUCache } from "lru-cache";
import { In, LessThan, MoreThanOrEqual } from "typeorm";
import type { RecentPayload as PayloadView } from "../views.js";
import { clock } from "../../lib/clock.js";
import {
  insertRow,
  newId,
  RecentPayload,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { CONFIG } from "../../lib/process-values.js";

/** For how long payloads are kept; 0: none are. */
const RECENT_PAYLOADS_MS = createToken<number>("recent payloads time");
provide(RECENT_PAYLOADS_MS, (c) => c.resolve(CONFIG).recentPayloadsMs);

/** Payloads kept for each template. */
const maxPayloads = 5;
/** Characters of JSON; larger payloads are not stored. */
const maxCharacters = 256 * 1024;
const minuteMs = 60_000;
const maxTemplates = 10_000;

interface Payload extends Pick<
  RecentPayload,
  "organizationId" | "templateId" | "source"
> {
  /** The root record as JSON; called only when it is stored. */
  json: () => string;
}

/**
 * The records that templates were last rendered with, so that their editors show real data. At most one row a minute is
 * written for each template and process, in the transaction of the render or batch that it came from.
 */
@scoped(Lifecycle.ContainerScoped)
export class RecentPayloads {
  /** Templates whose payload was written less than a minute ago. */
  readonly #written = new LRUCache<string, true>({
    max: maxTemplates,
    ttl: minuteMs,
  });

  /** @param keptMs 0 turns recording off. */
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(RECENT_PAYLOADS_MS) private readonly keptMs: number,
  ) {}

  /** Called in the transaction that records the outcome; if that fails, no payload is stored for a minute. */
  async note(
    tx: EntityManager,
    { json, ...payload }: Payload,
    now: Date,
  ): Promise<void> {
    const { organizationId, templateId } = payload;
    if (this.keptMs === 0 || this.#written.has(templateId)) return;
    this.#written.set(templateId, true);
    const data = json();
    if (data.length > maxCharacters) return;
    const older = await tx.find(RecentPayload, {
      where: { organizationId, templateId },
      select: { id: true },
      order: { createdAt: "DESC", id: "DESC" },
      skip: maxPayloads - 1,
      take: 100,
    });
    if (older.length > 0)
      await tx.delete(RecentPayload, { id: In(older.map(({ id }) => id)) });
    const row = { ...payload, data, id: newId(), createdAt: now };
    await insertRow(tx, RecentPayload, row);
  }

  /** Newest first. */
  async list(
    organizationId: string,
    templateId: string,
  ): Promise<PayloadView[]> {
    const rows = await this.store.read.find(RecentPayload, {
      where: {
        organizationId,
        templateId,
        createdAt: MoreThanOrEqual(new Date(clock.now() - this.keptMs)),
      },
      order: { createdAt: "DESC", id: "DESC" },
      take: maxPayloads,
    });
    return rows.map(({ createdAt, source, data }) => ({
      at: createdAt.toISOString(),
      source,
      data: JSON.parse(data) as unknown,
    }));
  }

  /** Deletes payloads that are older than the retention time. */
  async sweep(now: Date): Promise<void> {
    const createdAt = LessThan(new Date(now.getTime() - this.keptMs));
    await this.store.unitOfWork.run((tx) =>
      tx.delete(RecentPayload, { createdAt }),
    );
  }
}
