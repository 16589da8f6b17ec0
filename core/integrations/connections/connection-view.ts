import type { Connection } from "../../storage/database/index.js";

/** A connection as its owner sees it: never its secrets. Times are ISO 8601. */
export interface ConnectionView {
  id: string;
  organizationId: string;
  kind: Connection["kind"];
  /** The id of the platform that it leads to; null when it leads to none. */
  platform: string | null;
  /** The id of the e-signature provider that it leads to; null when it leads to none. */
  provider: string | null;
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
  /** As whom the other side knows us, where it tells. */
  account: string | null;
  warnings: string[];
}

/** @param told what is no secret, and what stands against its use. */
export function connectionView(
  row: Connection,
  told: Pick<ConnectionView, "credentials" | "problem">,
): ConnectionView {
  const { id, organizationId, kind, plugin, name, state, lastError } = row;
  return {
    id,
    organizationId,
    kind,
    platform: kind === "platform" ? plugin : null,
    provider: kind === "esign" ? plugin : null,
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
