// Who may do what: organizations and their plans, users, API keys and scopes, usage, and the trail of administrative
// acts. Rooms ask it who a caller is; what a plan or a scope allows beyond its name they decide themselves.
export { type Actor, operator, service } from "./actor.js";
export type { ApiKeyView } from "./api-key-view.js";
export { ApiKeys, type CreatedApiKey, type NewApiKey } from "./api-keys.js";
export { type AuditNote, recordAudit } from "./audit.js";
export { AuditLog } from "./audit-log.js";
export { Authenticator } from "./authenticator.js";
export { CallerCache } from "./caller-cache.js";
export { type Caller, type KeyHolder, requireScope } from "./caller.js";
export { endedKeys } from "./ended-keys.js";
export { Organizations, type OrganizationView } from "./organizations.js";
export { hashOf } from "./key-secret.js";
export { isScope, parseScopes, type Scope, SCOPES } from "./scopes.js";
export {
  type Demo,
  type DemoOwner,
  type DemoSeed,
  seedDemo,
} from "./seed-demo.js";
export { countUsage, type Metric, usageByDay, usageOfMonth } from "./usage.js";
export { signOut } from "./sign-out.js";
export { createUser, type NewUser, Users, type UserView } from "./users.js";
