import { LRUCache } from "lru-cache";
import { Brackets } from "typeorm";
import { PlatenError, type Log } from "../plugin-api/index.js";
import { ApiKey, Organization, type Store } from "../storage/database/index.js";
import { hashOf, isSameHash, getRequestsPerMinute } from "./api-keys.js";
import {
  type CallerCache,
  type CachedCaller,
  type KeyHolder,
  isScope,
} from "./caller.js";

/** Finds out whose key it is. */
export class Authenticator {
  readonly #lastUse: LastUsedTracker;

  constructor(
    private readonly store: Store,
    private readonly callers: CallerCache,
    log: Log,
  ) {
    this.#lastUse = new LastUsedTracker(store, log);
  }

  /** @throws PlatenError `unauthorized` for a key that is missing, unknown, revoked or expired, saying which. */
  async authenticate(key: string | undefined): Promise<KeyHolder> {
    if (!key)
      throw unauthorized(
        "No API key was sent. Send one in the header x-api-key.",
      );
    const hash = hashOf(key);
    const known =
      this.callers.get(hash) ??
      (await this.callers.fill(hash, () => this.#lookUp(hash)));
    const { expiresAt, ...caller } = known;
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw unauthorized(
        `This API key expired at ${expiresAt.toISOString()}. Ask for a new one.`,
      );
    this.#lastUse.note(caller.keyId);
    return caller;
  }

  async #lookUp(hash: string): Promise<CachedCaller> {
    const key = await this.store.read.findOneBy(ApiKey, { hash });
    if (key === null || !isSameHash(key.hash, hash))
      throw unauthorized(
        "Unknown API key. Check that you sent the complete key.",
      );
    if (key.revokedAt !== null)
      throw unauthorized("This API key was revoked. Ask for a new one.");
    const { id, organizationId, userId, scopes, expiresAt } = key;
    const { plan } = await this.store.read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    return {
      organizationId,
      plan,
      userId,
      keyId: id,
      scopes: scopes.filter(isScope),
      requestsPerMinute: getRequestsPerMinute(key),
      expiresAt,
    };
  }
}

function unauthorized(message: string): PlatenError {
  return new PlatenError("unauthorized", message);
}

const minuteMs = 60_000;

/** Notes when a key was last used: once a minute at most, and without making its caller wait. */
class LastUsedTracker {
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
