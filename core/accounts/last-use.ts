import { LRUCache } from "lru-cache";
import { Brackets } from "typeorm";
import type { Log } from "../plugin-api/index.js";
import { ApiKey, type Store } from "../storage/database/index.js";

const minuteMs = 60_000;

/** Notes when a key was last used: once a minute at most, and without making its caller wait. */
export class LastUse {
  readonly #noted = new LRUCache<string, true>({ max: 5000, ttl: minuteMs });

  constructor(
    private readonly store: Store,
    private readonly log: Log,
  ) {}

  note(keyId: string): void {
    if (this.#noted.has(keyId)) return;
    this.#noted.set(keyId, true);
    this.#write(keyId, new Date()).catch((error: unknown) => {
      this.log.warn({ err: error, keyId }, "a key's last use was not noted");
    });
  }

  /** The condition keeps several processes to the same minute. */
  async #write(id: string, now: Date): Promise<void> {
    const before = new Date(now.getTime() - minuteMs);
    await this.store.unitOfWork.run((tx) =>
      tx
        .createQueryBuilder()
        .update(ApiKey)
        .set({ lastUsedAt: now })
        .where({ id })
        .andWhere(
          new Brackets((either) =>
            either
              .where("last_used_at IS NULL")
              .orWhere("last_used_at < :before", { before }),
          ),
        )
        .execute(),
    );
  }
}
