import type { EntityManager } from "typeorm";
import { PlatenError } from "../contract/index.js";
import { Connection, findForUpdate, isId } from "../store/index.js";

const kind = "platform";

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findConnection(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id, organizationId, kind } as const;
  return found(isId(id) ? await read.findOneBy(Connection, where) : null);
}

/** The same, and keeps others from changing it meanwhile. */
export async function lockConnection(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id, organizationId, kind } as const;
  return found(isId(id) ? await findForUpdate(tx, Connection, where) : null);
}

function found(connection: Connection | null): Connection {
  if (connection !== null) return connection;
  throw new PlatenError("not_found", "There is no such connection.");
}
