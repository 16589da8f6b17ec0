import type { Connection } from "../../storage/database/index.js";

/** A connection without its secrets. Times are ISO 8601. */
export interface ConnectionView {
  id: string;
  organizationId: string;
  kind: Connection["kind"];
  /** The id of the platform; null for other kinds. */
  platform: string | null;
  /** The id of the e-signature provider; null for other kinds. */
  provider: string | null;
  name: string;
  /** The credentials without secrets; empty while the plugin cannot be used. */
  credentials: Record<string, unknown>;
  /** The result of the last test. */
  state: "untested" | "working" | "failing";
  lastError: string | null;
  lastCheckedAt: string | null;
  /** Why it cannot be used, for example because its plugin is missing or broken; null when it can. */
  problem: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The result of testing a connection. */
export interface ConnectionTest {
  connection: ConnectionView;
  /** The account that the credentials belong to, if the other side reports it. */
  account: string | null;
  warnings: string[];
}

export function toConnectionView(
  row: Connection,
  inspected: Pick<ConnectionView, "credentials" | "problem">,
): ConnectionView {
  const { id, organizationId, kind, plugin, name, state, lastError } = row;
  return {
    id,
    organizationId,
    kind,
    platform: kind === "platform" ? plugin : null,
    provider: kind === "esign" ? plugin : null,
    name,
    credentials: inspected.credentials,
    state,
    lastError,
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    problem: inspected.problem,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
