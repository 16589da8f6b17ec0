import { PlatenError, type Log } from "../plugin-api/index.js";
import { ApiKey, Organization, type Store } from "../storage/database/index.js";
import type { CallerCache, KnownCaller } from "./caller-cache.js";
import type { KeyHolder } from "./caller.js";
import { hashOf, isSameHash } from "./key-secret.js";
import { LastUse } from "./last-use.js";
import { requestsPerMinuteOf } from "./key-settings.js";
import { isScope } from "./scopes.js";

/** Finds out whose key it is. */
export class Authenticator {
  readonly #lastUse: LastUse;

  constructor(
    private readonly store: Store,
    private readonly callers: CallerCache,
    log: Log,
  ) {
    this.#lastUse = new LastUse(store, log);
  }

  /** @throws PlatenError `unauthorized` for a key that is missing, unknown, revoked or expired, saying which. */
  async authenticate(key: string | undefined): Promise<KeyHolder> {
    if (!key)
      throw refusal("No API key was sent. Send one in the header x-api-key.");
    const hash = hashOf(key);
    const known =
      this.callers.get(hash) ??
      (await this.callers.fill(hash, () => this.#lookUp(hash)));
    const { expiresAt, ...caller } = known;
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw refusal(
        `This API key expired at ${expiresAt.toISOString()}. Ask for a new one.`,
      );
    this.#lastUse.note(caller.keyId);
    return caller;
  }

  async #lookUp(hash: string): Promise<KnownCaller> {
    const key = await this.store.read.findOneBy(ApiKey, { hash });
    if (key === null || !isSameHash(key.hash, hash))
      throw refusal("This API key is not known. Check that it is whole.");
    if (key.revokedAt !== null)
      throw refusal("This API key was revoked. Ask for a new one.");
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
      requestsPerMinute: requestsPerMinuteOf(key),
      expiresAt,
    };
  }
}

function refusal(message: string): PlatenError {
  return new PlatenError("unauthorized", message);
}
