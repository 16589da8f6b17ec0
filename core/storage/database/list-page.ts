import {
  And,
  type EntityManager,
  type EntityTarget,
  Equal,
  type FindManyOptions,
  FindOperator,
  type FindOptionsWhere,
  LessThan,
} from "typeorm";

export interface PageRequest {
  /** From 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
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
  /** For long lists: counts the rows of `where` faster. */
  count?: () => Promise<number>;
}

type SliceQuery<T> = Listing<T> & SliceRequest;

/** One page of a list, read like `listSlice`. */
export async function listPage<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: Listing<T> & PageRequest,
) {
  const { page, pageSize } = query;
  const slice = { offset: (page - 1) * pageSize, limit: pageSize };
  const { rows, total } = await listSlice(read, entity, {
    ...query,
    ...slice,
  });
  return { rows, page, pageSize, total };
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
  const { where, count } = query;
  const total = count
    ? await count()
    : await read.getRepository<T>(entity).countBy(where);
  const ids = await findIds(read, entity, query, total);
  return { rows: await findRows(read, entity, query, ids), total };
}

/**
 * The rows that follow `after` in a list, or its first ones, and whether there are more. Nothing is counted or skipped,
 * so it takes the same time everywhere in the list.
 */
export async function listAfter<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  query: Omit<Listing<T>, "where"> & {
    where: FindOptionsWhere<T>;
    after: T | null;
    limit: number;
  },
): Promise<{ rows: T[]; hasMore: boolean }> {
  const { where, newestBy, after, limit } = query;
  const find = (narrowed: object, count: number) =>
    findIdsInOrder(read, entity, {
      where: { ...where, ...narrowed },
      newestBy,
      order: "DESC",
      offset: 0,
      limit: count,
    });
  const narrow = (key: keyof T, operator: FindOperator<unknown>) => ({
    [key]: where[key] === undefined ? operator : both(where[key], operator),
  });
  const ids: string[] = [];
  if (after) {
    // Two ranges of the index: as one condition, not all databases would find them in it.
    const time = after[newestBy];
    const sameTime = {
      ...narrow(newestBy, Equal(time)),
      ...narrow("id", LessThan(after.id)),
    };
    ids.push(...(await find(sameTime, limit + 1)));
    if (ids.length <= limit)
      ids.push(
        ...(await find(
          narrow(newestBy, LessThan(time)),
          limit + 1 - ids.length,
        )),
      );
  } else ids.push(...(await find({}, limit + 1)));
  const rows = await findRows(read, entity, query, ids.slice(0, limit));
  return { rows, hasMore: ids.length > limit };
}

function both(condition: unknown, other: FindOperator<unknown>) {
  return And(
    condition instanceof FindOperator ? condition : Equal(condition),
    other,
  );
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
  const ids = await findIdsInOrder(read, entity, {
    where,
    newestBy,
    order,
    offset: isFromEnd ? remaining : offset,
    limit: count,
  });
  return isFromEnd ? ids.toReversed() : ids;
}

async function findIdsInOrder<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  {
    where,
    newestBy,
    order,
    offset,
    limit,
  }: Pick<Listing<T>, "where" | "newestBy"> &
    SliceRequest & { order: "ASC" | "DESC" },
): Promise<string[]> {
  const rows = await read
    .getRepository<T>(entity)
    .createQueryBuilder("row")
    .select("row.id", "id")
    .where(where)
    .orderBy(`row.${newestBy}`, order)
    .addOrderBy("row.id", order)
    .offset(offset)
    .limit(limit)
    .getRawMany<{ id: string }>();
  return rows.map(({ id }) => id);
}

/** In the order of the ids. */
async function findRows<T extends { id: string }>(
  read: EntityManager,
  entity: EntityTarget<T>,
  { relations, select }: Pick<Listing<T>, "relations" | "select">,
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
