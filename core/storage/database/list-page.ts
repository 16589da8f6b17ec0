import type {
  EntityManager,
  EntityTarget,
  FindManyOptions,
  FindOptionsWhere,
} from "typeorm";
import type { LongListCount } from "./long-list-count.js";

export interface PageRequest {
  /** From 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
}

export interface Page<T> extends PageRequest {
  rows: T[];
  total: number;
}

/** A stretch of a list. */
export interface SliceRequest {
  /** How many come before it. */
  offset: number;
  /** 1 to 100. */
  limit: number;
}

interface Listing<T> {
  where: FindOptionsWhere<T>;
  /** The property by which rows are ordered, the newest first; equal ones by id. */
  newestBy: keyof T & string;
  relations?: NonNullable<FindManyOptions<T>["relations"]>;
  select?: NonNullable<FindManyOptions<T>["select"]>;
  /** How to count a list that gets long, and by which name. */
  counting?: { by: LongListCount; key: string };
}

export type ListQuery<T> = Listing<T> & PageRequest;
type SliceQuery<T> = Listing<T> & SliceRequest;

/** One page of a list, as `listSlice`. */
export async function listPage<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: ListQuery<T>,
): Promise<Page<T>> {
  const { page, pageSize } = query;
  const slice = { offset: (page - 1) * pageSize, limit: pageSize };
  const found = await listSlice(read, entity, { ...query, ...slice });
  return { ...found, page, pageSize };
}

/**
 * One stretch of a list and the total. It is found in the index alone, by id, and from the nearer end; whole rows
 * and their relations are read for those ids only, which at depth is ten times faster than to join first.
 */
export async function listSlice<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: SliceQuery<T>,
): Promise<{ rows: T[]; total: number }> {
  const total = await totalOf(read, entity, query);
  const ids = await idsOf(read, entity, query, total);
  return { rows: await rowsOf(read, entity, query, ids), total };
}

function totalOf<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: SliceQuery<T>,
): Promise<number> {
  const { where, counting } = query;
  return counting
    ? counting.by.count(read, entity, query, counting.key)
    : read.getRepository<T>(entity).countBy(where);
}

async function idsOf<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  { where, newestBy, offset, limit: most }: SliceQuery<T>,
  total: number,
): Promise<string[]> {
  const limit = Math.min(most, total - offset);
  if (limit <= 0) return [];
  const below = total - offset - limit;
  const isFromEnd = below < offset;
  const order = isFromEnd ? "ASC" : "DESC";
  const found = await read
    .getRepository<T>(entity)
    .createQueryBuilder("row")
    .select("row.id", "id")
    .where(where)
    .orderBy(`row.${newestBy}`, order)
    .addOrderBy("row.id", order)
    .offset(isFromEnd ? below : offset)
    .limit(limit)
    .getRawMany<{ id: string }>();
  const ids = found.map(({ id }) => id);
  return isFromEnd ? ids.toReversed() : ids;
}

/** The rows of the page's ids, in the order of the ids. */
async function rowsOf<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  { relations, select }: SliceQuery<T>,
  ids: readonly string[],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const rows = await read
    .getRepository<T>(entity)
    .createQueryBuilder("row")
    .setFindOptions({
      ...(relations && { relations }),
      ...(select && { select }),
    })
    .whereInIds([...ids])
    .getMany();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
