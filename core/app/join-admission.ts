import type { DependencyContainer } from "tsyringe";
import { IdempotencyKeys, RateLimits } from "../accounts/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** What stands before a request is worked on. */
export function joinAdmission(container: DependencyContainer): void {
  make(
    container,
    t.IDEMPOTENCY_KEYS,
    (c) => new IdempotencyKeys(c.resolve(t.STORE), c.resolve(t.SECRET)),
  );
  make(
    container,
    t.RATE_LIMITS,
    (c) => new RateLimits(c.resolve(t.STORE), c.resolve(t.CONFIG).rateLimits),
  );
}
