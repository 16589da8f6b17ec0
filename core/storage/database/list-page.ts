import { LRUCache } from "lru-cache";
import {
  type EntityManager,
  type EntityTarget,
  type FindManyOptions,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
} from "typeorm";

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

export interface SliceRequest {
  /** The number of rows before the slice. */
  offset: number;
  /** 1 to 100. */
  limit: number;
}

interface Listing<T> {
  /** Any of several. */
  where: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  /** The property by which rows are sorted, newest first; ties are sorted by id. */
  newestBy: keyof T & string;
  relations?: NonNullable<FindManyOptions<T>["relations"]>;
  select?: NonNullable<FindManyOptions<T>["select"]>;
  /** For long lists with one `where`: the cache of counts, and the key of this list in it. */
  counting?: { by: CachedRowCount; key: string };
}

type SliceQuery<T> = Listing<T> & SliceRequest;

/** One page of a list, read like `listSlice`. */
export async function listPage<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: Listing<T> & PageRequest,
): Promise<Page<T>> {
  const { page, pageSize } = query;
  const slice = { offset: (page - 1) * pageSize, limit: pageSize };
  const found = await listSlice(read, entity, { ...query, ...slice });
  return { ...found, page, pageSize };
}

/**
 * A slice of a list and the total. Ids are found in the index alone, from the nearer end; rows and their relations are
 * read only for those ids, which for late pages is ten times faster than joining first.
 */
export async function listSlice<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: SliceQuery<T>,
): Promise<{ rows: T[]; total: number }> {
  const { where, newestBy, counting } = query;
  const isCached = counting && !Array.isArray(where);
  const total = isCached
    ? await counting.by.count(read, entity, { where, newestBy }, counting.key)
    : await read.getRepository<T>(entity).countBy(where);
  const ids = await findIds(read, entity, query, total);
  return { rows: await findRows(read, entity, query, ids), total };
}

async function findIds<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  { where, newestBy, offset, limit }: SliceQuery<T>,
  total: number,
): Promise<string[]> {
  const count = Math.min(limit, total - offset);
  if (count <= 0) return [];
  const remaining = total - offset - count;
  const isFromEnd = remaining < offset;
  const order = isFromEnd ? "ASC" : "DESC";
  const found = await read
    .getRepository<T>(entity)
    .createQueryBuilder("row")
    .select("row.id", "id")
    .where(where)
    .orderBy(`row.${newestBy}`, order)
    .addOrderBy("row.id", order)
    .offset(isFromEnd ? remaining : offset)
    .limit(count)
    .getRawMany<{ id: string }>();
  const ids = found.map(({ id }) => id);
  return isFromEnd ? ids.toReversed() : ids;
}

/** In the order of the ids. */
async function findRows<T extends { id: string }>(
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

const minuteMs = 60_000;
/** Rows are committed within a timeout of their timestamp, so the number of older rows no longer changes. */
const settledAfterMs = 10 * minuteMs;
/** Clocks may differ and rows may be deleted: counts are refreshed after this. */
const maxAgeMs = 30 * minuteMs;
/** Shorter lists are counted fast enough. */
const defaultMinCount = 10_000;
const maxLists = 1000;

/**
 * Counts the rows of long lists that only grow, and caches the count of older rows: counting a million index entries
 * takes a tenth of a second, counting the newest few no time.
 */
export class CachedRowCount {
  readonly #cache = new LRUCache<string, { count: number; before: Date }>({
    max: maxLists,
    ttl: maxAgeMs,
  });

  /** @param minCount shorter lists are not cached. */
  constructor(private readonly minCount = defaultMinCount) {}

  /** @param key identifies the list: one for each `where`. */
  async count<T extends object>(
    read: EntityManager,
    entity: EntityTarget<T>,
    {
      where,
      newestBy,
    }: Pick<Listing<T>, "newestBy"> & { where: FindOptionsWhere<T> },
    key: string,
  ): Promise<number> {
    const rows = read.getRepository<T>(entity);
    const countBy = (time: unknown) =>
      rows.countBy({ ...where, [newestBy]: time });
    const cached = this.#cache.get(key);
    const before = cached?.before ?? new Date(Date.now() - settledAfterMs);
    const recent = await countBy(MoreThanOrEqual(before));
    if (cached) return cached.count + recent;
    const count = await countBy(LessThan(before));
    if (count >= this.minCount) this.#cache.set(key, { count, before });
    return count + recent;
  }
}
