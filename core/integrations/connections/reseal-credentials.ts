import type { EntityManager } from "typeorm";
import { MoreThan, Not } from "typeorm";
import { Connection } from "../../storage/database/index.js";
import type { ConnectionActor, ConnectionPorts } from "./ports.js";

export interface Resealed {
  /** How many were encrypted anew. */
  count: number;
  /** The ids of those that no secret of the service opens. */
  unreadable: string[];
}

const perLook = 100;

/**
 * Encrypts every connection's credentials, of esign connections too, with the service's secret of now. May be ended and
 * run again at any time: each row is changed by itself, and only while it still holds what was read.
 */
export async function resealCredentials(
  { store, secrets, noteAct }: ConnectionPorts,
  actor: ConnectionActor,
): Promise<Resealed> {
  const done: Resealed = { count: 0, unreadable: [] };
  for (let after = ""; ;) {
    const rows = await staleAfter(store.read, secrets.keyId, after);
    for (const { id, organizationId, credentials } of rows) {
      after = id;
      const sealed = await secrets.reseal(credentials, id).catch(() => "");
      if (sealed === "") done.unreadable.push(id);
      if (!sealed) continue;
      await store.unitOfWork.run(async (tx) => {
        const changes = { credentials: sealed, secretKeyId: secrets.keyId };
        const same = { id, credentials };
        const { affected } = await tx.update(Connection, same, changes);
        if (affected === 0) return;
        const note = { organizationId, subject: id } as const;
        await noteAct(tx, actor, { ...note, action: "connection.resealed" });
      });
      done.count += 1;
    }
    if (rows.length < perLook) return done;
  }
}

function staleAfter(
  read: EntityManager,
  keyId: string,
  after: string,
): Promise<Connection[]> {
  return read.find(Connection, {
    where: { secretKeyId: Not(keyId), id: MoreThan(after) },
    order: { id: "ASC" },
    take: perLook,
  });
}
