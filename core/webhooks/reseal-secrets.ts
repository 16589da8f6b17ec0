import { IsNull, MoreThan } from "typeorm";
import { WebhookEndpoint } from "../storage/database/index.js";
import type { EventPorts } from "./ports.js";

const perLook = 100;

type Ports = Pick<EventPorts, "store" | "secrets">;

/**
 * Encrypts every endpoint's secrets with the service's secret of now. May be ended and run again at any time: each row
 * is changed by itself, and only while it still holds what was read.
 */
export async function resealSecrets(
  ports: Ports,
): Promise<{ count: number; unreadable: string[] }> {
  const done = { count: 0, unreadable: new Array<string>() };
  for (let after = ""; ;) {
    const rows = await ports.store.read.find(WebhookEndpoint, {
      where: { deletedAt: IsNull(), id: MoreThan(after) },
      order: { id: "ASC" },
      take: perLook,
    });
    for (const row of rows) {
      after = row.id;
      const sealed = await resealed(ports, row).catch(() => null);
      if (sealed === null) done.unreadable.push(row.id);
      else if (await write(ports, row, sealed)) done.count += 1;
    }
    if (rows.length < perLook) return done;
  }
}

/** Those of its secrets that were under an earlier one. */
async function resealed(
  { secrets }: Ports,
  { id, secret, previousSecret }: WebhookEndpoint,
): Promise<Partial<WebhookEndpoint>> {
  const now = await secrets.reseal(secret, id);
  const before = previousSecret && (await secrets.reseal(previousSecret, id));
  return {
    ...(now !== null && { secret: now }),
    ...(before !== null && before !== "" && { previousSecret: before }),
  };
}

async function write(
  { store }: Ports,
  { id, secret }: WebhookEndpoint,
  changes: Partial<WebhookEndpoint>,
): Promise<boolean> {
  if (Object.keys(changes).length === 0) return false;
  const { affected } = await store.unitOfWork.run((tx) =>
    tx.update(WebhookEndpoint, { id, secret }, changes),
  );
  return affected !== 0;
}
