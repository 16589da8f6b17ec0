import type { EntityManager } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import {
  Connection,
  findForUpdate,
  isId,
} from "../../storage/database/index.js";

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findConnection(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id, organizationId };
  return found(isId(id) ? await read.findOneBy(Connection, where) : null);
}

/** The same, and keeps others from changing it meanwhile. */
export async function lockConnection(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id, organizationId };
  return found(isId(id) ? await findForUpdate(tx, Connection, where) : null);
}

/** @throws PlatenError `invalid_request` for a connection of another kind. */
export function requireKind(
  { kind, name, plugin }: Connection,
  wanted: Connection["kind"],
): void {
  if (kind === wanted) return;
  const [is, not] =
    kind === "esign"
      ? (["the e-signature provider", "a platform"] as const)
      : (["the platform", "an e-signature provider"] as const);
  throw new PlatenError(
    "invalid_request",
    `The connection "${name}" leads to ${is} "${plugin}", not to ${not}. Name one that does.`,
  );
}

function found(connection: Connection | null): Connection {
  if (connection !== null) return connection;
  throw new PlatenError("not_found", "There is no such connection.");
}
