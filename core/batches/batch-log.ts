import { type EntityManager, In, Not } from "typeorm";
import { type BatchLine, PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  Document,
  listPage,
  namesOf,
  type PageRequest,
  type Store,
  Template,
  User,
} from "../storage/database/index.js";

/** What became of an organization's batches, to be looked through. */
export class BatchLog {
  constructor(private readonly store: Pick<Store, "snapshot">) {}

  /** The newest first. */
  list(
    organizationId: string,
    query: PageRequest & { batchId: string | null },
  ): Promise<{ data: BatchLine[]; total: number }> {
    return this.store.snapshot((read) => readLog(read, organizationId, query));
  }
}

async function readLog(
  read: EntityManager,
  organizationId: string,
  { batchId, ...page }: PageRequest & { batchId: string | null },
): Promise<{ data: BatchLine[]; total: number }> {
  const { rows, total } = await listPage(read, Batch, {
    ...page,
    where: {
      organizationId,
      status: Not("accepting"),
      ...(batchId !== null && { id: batchId }),
    },
    newestBy: "createdAt",
  });
  const templates = await namesOf(
    read,
    Template,
    rows.map((row) => row.templateId),
  );
  const people = await namesOf(
    read,
    User,
    rows.map((row) => row.createdById),
  );
  const failed = await failuresOf(read, rows);
  const data = rows.map((row) => ({
    ...factsOf(row),
    template: { id: row.templateId, name: templates.get(row.templateId) ?? "" },
    createdBy: people.get(row.createdById) ?? "",
    failed: failed.get(row.id) ?? 0,
  }));
  return { data, total };
}

function factsOf(row: Batch) {
  const { id, status, totalCount, remaining, platform } = row;
  if (status === "accepting")
    throw new PlatenError("internal", "A batch was shown before its time.");
  return {
    id,
    status,
    totalCount,
    remaining,
    platform,
    createdAt: row.createdAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

/** How many documents of each failed; read from the index of failures alone, however large the batches are. */
async function failuresOf(
  read: EntityManager,
  batches: readonly Batch[],
): Promise<Map<string, number>> {
  const rows = await read
    .createQueryBuilder(Document, "document")
    .select("document.batchId", "id")
    .addSelect("COUNT(*)", "count")
    .where({ batchId: In(batches.map(({ id }) => id)), status: "failed" })
    .groupBy("document.batchId")
    .getRawMany<{ id: string; count: string | number }>();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}
