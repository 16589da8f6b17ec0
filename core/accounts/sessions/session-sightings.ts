import { LRUCache } from "lru-cache";
import { LessThan } from "typeorm";
import type { Log } from "../../plugin-api/index.js";
import { Session, type Store } from "../../storage/database/index.js";

const minuteMs = 60_000;

/** Notes when a session was last used: once a minute at most, and without making the request wait. */
export class SessionSightings {
  readonly #noted = new LRUCache<string, true>({ max: 5000, ttl: minuteMs });

  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly log: Log,
  ) {}

  note({ id, lastSeenAt }: Pick<Session, "id" | "lastSeenAt">): void {
    const isFresh = lastSeenAt.getTime() > Date.now() - minuteMs;
    if (isFresh || this.#noted.has(id)) return;
    this.#noted.set(id, true);
    this.#write(id).catch((error: unknown) => {
      this.log.warn({ err: error, sessionId: id }, "a session was not noted");
    });
  }

  async #write(id: string): Promise<void> {
    const now = new Date();
    await this.store.unitOfWork.run((tx) =>
      tx.update(
        Session,
        { id, lastSeenAt: LessThan(now) },
        { lastSeenAt: now },
      ),
    );
  }
}
