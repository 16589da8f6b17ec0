import { createToken } from "../lib/tokens.js";
import type {
  ApiKeys,
  AuditLog,
  Authenticator,
  CallerCache,
  IdempotencyKeys,
  RateLimits,
  Usage,
} from "./index.js";

export const API_KEYS = createToken<ApiKeys>("ApiKeys");
export const AUDIT_LOG = createToken<AuditLog>("AuditLog");
export const AUTHENTICATOR = createToken<Authenticator>("Authenticator");
export const CALLER_CACHE = createToken<CallerCache>("CallerCache");
export const IDEMPOTENCY_KEYS = createToken<IdempotencyKeys>("IdempotencyKeys");
export const RATE_LIMITS = createToken<RateLimits>("RateLimits");
export const USAGE = createToken<Usage>("Usage");
