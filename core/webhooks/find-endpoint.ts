import { type EntityManager, IsNull } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  findForUpdate,
  isId,
  WebhookEndpoint,
} from "../storage/database/index.js";

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findEndpoint(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, organizationId, deletedAt: IsNull() };
  return found(isId(id) ? await read.findOneBy(WebhookEndpoint, where) : null);
}

/** The same, and keeps others from changing it meanwhile. */
export async function lockEndpoint(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, organizationId, deletedAt: IsNull() };
  return found(
    isId(id) ? await findForUpdate(tx, WebhookEndpoint, where) : null,
  );
}

function found(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (endpoint !== null) return endpoint;
  throw new PlatenError("not_found", "There is no such webhook endpoint.");
}

/** @throws PlatenError `conflict` for one to which nothing is sent. */
export function requireEnabled({ isEnabled, disabledReason }: WebhookEndpoint) {
  if (isEnabled) return;
  throw new PlatenError(
    "conflict",
    `The endpoint is disabled (${disabledReason ?? "by its owner"}). Enable it first.`,
  );
}
