import { Between, type EntityManager } from "typeorm";
import { type Store, UsageCounter, STORE } from "../storage/database/index.js";
import { Lifecycle, scoped, inject } from "../lib/injection.js";

/** What is counted. One live document that succeeded is one unit of `documents`. */
export type Metric = "documents";

/** Adds to the day's counter in the caller's transaction; simultaneous additions all count. */
export async function countUsage(
  tx: EntityManager,
  organizationId: string,
  metric: Metric,
  amount: number,
  at: Date,
): Promise<void> {
  const { type } = tx.dataSource.options;
  const add =
    type === "better-sqlite3"
      ? "ON CONFLICT (organization_id, day, metric) DO UPDATE SET amount = amount + excluded.amount"
      : "ON DUPLICATE KEY UPDATE amount = amount + VALUES(amount)";
  await tx.query(
    `INSERT INTO usage_counter (organization_id, day, metric, amount) VALUES (?, ?, ?, ?) ${add}`,
    [organizationId, at.toISOString().slice(0, 10), metric, amount],
  );
}

/** Days and months are in UTC. */
@scoped(Lifecycle.ContainerScoped)
export class Usage {
  constructor(@inject(STORE) private readonly store: Pick<Store, "read">) {}

  /** @param month such as `2026-07`. */
  async getMonth(
    organizationId: string,
    month: string,
  ): Promise<Record<Metric, number>> {
    const days = await this.listDays(organizationId, month);
    return {
      documents: days.reduce((sum, { documents }) => sum + documents, 0),
    };
  }

  /** The days of a month on which an organization used something, in order. */
  async listDays(
    organizationId: string,
    month: string,
  ): Promise<({ day: string } & Record<Metric, number>)[]> {
    const rows = await this.store.read.find(UsageCounter, {
      where: {
        organizationId,
        metric: "documents",
        day: Between(`${month}-01`, `${month}-31`),
      },
      order: { day: "ASC" },
    });
    return rows.map(({ day, amount }) => ({ day, documents: amount }));
  }
}
