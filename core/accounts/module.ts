import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG, LOG, SECRET } from "../lib/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import {
  ApiKeys,
  AuditLog,
  Authenticator,
  CallerCache,
  IdempotencyKeys,
  RateLimits,
  Usage,
} from "./index.js";
import * as t from "./tokens.js";

/** By factories: every command loads these classes, so they have no decorators, which would load the container. */
export function registerAccounts(container: DependencyContainer): void {
  registerClass(container, t.CALLER_CACHE, CallerCache);
  registerFactory(
    container,
    t.API_KEYS,
    (c) => new ApiKeys(c.resolve(STORE), c.resolve(t.CALLER_CACHE)),
  );
  registerFactory(
    container,
    t.AUTHENTICATOR,
    (c) =>
      new Authenticator(
        c.resolve(STORE),
        c.resolve(t.CALLER_CACHE),
        c.resolve(LOG),
      ),
  );
  registerFactory(
    container,
    t.AUDIT_LOG,
    (c) => new AuditLog(c.resolve(STORE)),
  );
  registerFactory(
    container,
    t.IDEMPOTENCY_KEYS,
    (c) => new IdempotencyKeys(c.resolve(STORE), c.resolve(SECRET)),
  );
  registerFactory(container, t.RATE_LIMITS, (c) => {
    const { rateLimits, keyRateLimits } = c.resolve(CONFIG);
    return new RateLimits(c.resolve(STORE), rateLimits, keyRateLimits);
  });
  registerFactory(container, t.USAGE, (c) => new Usage(c.resolve(STORE)));
}
