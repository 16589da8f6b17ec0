import type { EntityManager } from "typeorm";
import { LRUCache } from "lru-cache";
import { In, LessThan, MoreThanOrEqual } from "typeorm";
import type { RecentPayload as PayloadView } from "../plugin-api/index.js";
import {
  insertRow,
  newId,
  RecentPayload,
  type Store,
} from "../storage/database/index.js";

/** How many are kept of each template. */
const most = 5;
/** Of JSON; larger ones are not kept. */
const mostCharacters = 256 * 1024;
const minuteMs = 60_000;
const mostTemplates = 10_000;

interface Payload extends Pick<
  RecentPayload,
  "organizationId" | "templateId" | "source"
> {
  /** The root record as JSON; made only when it is kept. */
  json: () => string;
}

/**
 * The records that templates were last rendered with, so that whoever designs one sees it with real data. A row is
 * written together with what it came with, at most one a minute for each template and process.
 */
export class RecentPayloads {
  /** When the last of a template was written. */
  readonly #written = new LRUCache<string, true>({
    max: mostTemplates,
    ttl: minuteMs,
  });

  /** @param keptMs 0: none are. */
  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    private readonly keptMs: number,
  ) {}

  /** In the transaction that writes what becomes of the record; one that fails costs a minute without a payload. */
  async note(
    tx: EntityManager,
    { json, ...payload }: Payload,
    now: Date,
  ): Promise<void> {
    const { organizationId, templateId } = payload;
    if (this.keptMs === 0 || this.#written.has(templateId)) return;
    this.#written.set(templateId, true);
    const data = json();
    if (data.length > mostCharacters) return;
    const older = await tx.find(RecentPayload, {
      where: { organizationId, templateId },
      select: { id: true },
      order: { createdAt: "DESC", id: "DESC" },
      skip: most - 1,
      take: 100,
    });
    if (older.length > 0)
      await tx.delete(RecentPayload, { id: In(older.map(({ id }) => id)) });
    const row = { ...payload, data, id: newId(), createdAt: now };
    await insertRow(tx, RecentPayload, row);
  }

  /** The newest first. */
  async list(
    organizationId: string,
    templateId: string,
  ): Promise<PayloadView[]> {
    const rows = await this.store.read.find(RecentPayload, {
      where: {
        organizationId,
        templateId,
        createdAt: MoreThanOrEqual(new Date(Date.now() - this.keptMs)),
      },
      order: { createdAt: "DESC", id: "DESC" },
      take: most,
    });
    return rows.map(({ createdAt, source, data }) => ({
      at: createdAt.toISOString(),
      source,
      data: JSON.parse(data) as unknown,
    }));
  }

  /** Forgets what is older than it may be. */
  async sweep(now: Date): Promise<void> {
    const createdAt = LessThan(new Date(now.getTime() - this.keptMs));
    await this.store.unitOfWork.run((tx) =>
      tx.delete(RecentPayload, { createdAt }),
    );
  }
}
