import type { AppVisitor } from "./app-plugin.js";
import type { AuditAction } from "./audit-action.js";

/** An administrative act. */
export interface AuditLine {
  id: string;
  /** An `AuditAction`, unless an older service wrote another. */
  action: string;
  /** The door through which whoever acted came. */
  origin: "cli" | "rest" | "mcp" | "studio" | "service";
  /** Whoever acted; null for whoever runs the machine, and for the service itself. */
  person: { id: string; name: string } | null;
  /** The name of the key by which they acted, if by one. */
  key: string | null;
  /** What it was done to; its name is null when it is not known (any more). */
  subject: { id: string; name: string | null };
  details: Record<string, unknown> | null;
  /** ISO 8601. */
  at: string;
}

export interface AuditQuery {
  /** From 1. */
  page: number;
  /** At most 100. */
  pageSize: number;
  action: AuditAction | null;
  /** Acts of this person alone. */
  userId: string | null;
  /** Acts from this moment on. */
  from: Date | null;
  /** Acts before this moment. */
  until: Date | null;
}

/** The trail of the organization's administrative acts, the newest first. */
export interface AppAudit {
  list(
    visitor: AppVisitor,
    query: AuditQuery,
  ): Promise<{ data: AuditLine[]; total: number }>;
}
