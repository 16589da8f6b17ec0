import type { Connection } from "../store/index.js";

/** A connection as its owner sees it: never its secrets. Times are ISO 8601. */
export interface ConnectionView {
  id: string;
  organizationId: string;
  /** The id of its platform. */
  platform: string;
  name: string;
  /** What is no secret of them; empty while the platform's plugin is not there to say what is. */
  credentials: Record<string, unknown>;
  /** What the last test told. */
  state: "untested" | "working" | "failing";
  lastError: string | null;
  lastCheckedAt: string | null;
  /** Why it cannot be used now: its plugin is gone or broken. Null: it can. */
  problem: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What the test of a connection told. */
export interface ConnectionTest {
  connection: ConnectionView;
  /** As whom the platform knows us, where it tells. */
  account: string | null;
  warnings: string[];
}

/** @param told what is no secret, and what stands against its use. */
export function connectionView(
  row: Connection,
  told: Pick<ConnectionView, "credentials" | "problem">,
): ConnectionView {
  const { id, organizationId, plugin, name, state, lastError } = row;
  return {
    id,
    organizationId,
    platform: plugin,
    name,
    credentials: told.credentials,
    state,
    lastError,
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    problem: told.problem,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
