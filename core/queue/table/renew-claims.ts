import type { EntityManager } from "typeorm";
import type { Claim } from "./claim.js";
import type { JobTable } from "./job-table.js";
import { change, marks } from "./sql.js";

/** Prolongs the leases of held jobs of one kind. @returns those that were lost. */
export async function renewClaims(
  tx: EntityManager,
  { clock }: JobTable,
  kind: string,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<Claim[]> {
  const ids = claims.map(({ rowId }) => rowId);
  const tokens = [...new Set(claims.map(({ token }) => token))];
  const held = `kind = ? AND row_id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)})`;
  const values = [kind, ...ids, ...tokens];
  const end = clock.later(leaseMs);
  const renewed = await change(
    tx,
    `UPDATE job SET ready_at = ${end.text} WHERE ${held}`,
    [...end.values, ...values],
  );
  if (renewed === claims.length) return [];
  const rows = await tx.query<{ rowId: string; token: string }[]>(
    `SELECT row_id AS "rowId", lock_token AS token FROM job WHERE ${held}`,
    values,
  );
  const kept = new Set(rows.map(({ rowId, token }) => `${rowId} ${token}`));
  return claims.filter(({ rowId, token }) => !kept.has(`${rowId} ${token}`));
}
