// Organizations and their plans, users, API keys and scopes, usage and the audit log; and what every request is checked
// against first: rate limits and idempotency keys. Capabilities ask it who a caller is and decide themselves what a plan
// or a scope allows beyond its name.
export {
  ACCESS_TOKEN_PREFIX,
  ApiKeys,
  type ApiKeyView,
  hashOf,
  Authenticator,
  type Caller,
  CallerCache,
  type KeyHolder,
  LastUsedTracker,
  requireScope,
  type Scope,
  SCOPES,
} from "./api-keys.js";
export {
  type Actor,
  AuditLog,
  findLastChange,
  operator,
  recordAudit,
  service,
} from "./audit.js";
export { IdempotencyKeys, runIdempotent } from "./idempotency.js";
export {
  findOrganization,
  Organizations,
  type OrganizationView,
  findPrivateNetworks,
  createUser,
  disconnectAssistants,
  signOut,
  Users,
  type UserView,
} from "./organizations.js";
export { RateLimits, assertWithinRateLimit } from "./rate-limits.js";
export { type Demo, seedDemo } from "./seed-demo.js";
export { countUsage, type Metric, Usage } from "./usage.js";
export {
  AUDIT_ACTIONS,
  type Visitor,
  type AuditAction,
  GUIDES,
  type NewSession,
} from "./views.js";
export { MEMBER_ROLES, type MemberRole } from "../storage/database/index.js";
