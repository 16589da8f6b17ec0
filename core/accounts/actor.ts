import type { AuditEvent } from "../storage/database/index.js";

/** Who does an administrative act, and through which door; for the audit trail. */
export type Actor = Pick<AuditEvent, "origin" | "userId" | "keyId">;

/** Whoever may run commands on the machine. */
export const operator: Actor = { origin: "cli", userId: null, keyId: null };

/** The service itself, as when it fills an empty database. */
export const service: Actor = { origin: "service", userId: null, keyId: null };
