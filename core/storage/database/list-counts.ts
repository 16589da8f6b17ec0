import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import {
  And,
  Between,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
} from "typeorm";
import { clock } from "../../lib/clock.js";
import { ListCount, Organization } from "./entities.js";
import { changeRows, formatDatetime, insertRows } from "./rows.js";
import type { Store } from "./store.js";

const minuteMs = 60_000;
/** Rows are committed within a timeout of their timestamp, so the number of older rows no longer changes. */
const settledAfterMs = 10 * minuteMs;
/** Clocks may differ and rows may be deleted by hand: everything is counted anew after this. */
const maxAgeMs = 24 * 60 * minuteMs;
const defaultSizes = {
  /** So many rows must be added before their number is stored: a request counts as many fast enough. */
  minRows: 10_000,
  /** SQLite counts synchronously, and all others wait meanwhile. */
  rowsPerPiece: 20_000,
};

interface ListedRow {
  id: string;
  organizationId: string;
  createdAt: Date;
}

/** Rows that organizations list by their creation. */
interface Counted<T> {
  /** Identifies them in the database. */
  name: string;
  entity: EntityTarget<T>;
  /** Properties of text by which lists are filtered. */
  filters: readonly (keyof T & string)[];
  /** Rows that were created then or later may still change in these properties, or be deleted. */
  findUnsettled?: (
    read: EntityManager,
    organizationId: string,
  ) => Promise<Date | null>;
}

/**
 * The totals of long lists: counting a million index entries takes a tenth of a second and more. A sweep stores how many
 * older rows each list of an organization has, for all its filters at once; a request counts only those that are newer.
 */
export class ListCounts<T extends ListedRow> {
  constructor(
    private readonly counted: Counted<T>,
    private readonly sizes = defaultSizes,
  ) {}

  /** @param filter values of some of the properties by which lists are filtered. */
  async count(
    read: EntityManager,
    organizationId: string,
    filter: Readonly<Record<string, string>>,
  ): Promise<number> {
    const list = this.#toKey(organizationId, filter);
    const stored = await read.findOneBy(ListCount, { list });
    const since = stored?.createdBefore ?? new Date(0);
    const newer = { ...filter, createdAt: MoreThanOrEqual(since) };
    const where = inOrganization<T>(organizationId, newer);
    const count = await read.countBy(this.counted.entity, where);
    return (stored?.rowCount ?? 0) + count;
  }

  /** Counts what was added, in pieces between which others get a turn. May run on several processes. */
  async sweep(
    store: Pick<Store, "read" | "unitOfWork">,
    signal?: AbortSignal,
  ): Promise<void> {
    const organizations = await store.read.find(Organization, {
      select: { id: true },
    });
    for (const { id } of organizations) {
      await this.#sweep(store, id, signal);
      await yieldToEventLoop();
    }
  }

  async #sweep(
    { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
    organizationId: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const { findUnsettled } = this.counted;
    const all = this.#toKey(organizationId, {});
    const stored = await read.findOneBy(ListCount, { list: all });
    const now = clock.now();
    const isRecent = stored && now - stored.countedAt.getTime() < maxAgeMs;
    const from = isRecent ? stored.createdBefore : new Date(0);
    const unsettled = (await findUnsettled?.(read, organizationId)) ?? null;
    const settled = Math.min(now - settledAfterMs, Number(unsettled ?? now));
    // What was counted is never counted again by requests.
    const end = new Date(Math.max(settled, Number(stored?.createdBefore ?? 0)));
    const enough = { from, end, skip: this.sizes.minRows - 1 };
    const isDue = stored !== null && !isRecent;
    if (!isDue && !(await this.#findCreatedAt(read, organizationId, enough)))
      return;
    const counts = new Map<string, number>();
    // Lists whose keys begin with that of all.
    const range = [all, `${all}!`] as const;
    if (isRecent)
      for (const { list, rowCount } of await read.findBy(ListCount, {
        list: Between(...range),
      }))
        counts.set(list, rowCount);
    for (let at = from; at < end;) {
      signal?.throwIfAborted();
      const piece = { from: at, end, skip: this.sizes.rowsPerPiece };
      const last = await this.#findCreatedAt(read, organizationId, piece);
      // All rows of a batch are created in the same millisecond.
      const next = last && new Date(Math.max(Number(last), Number(at) + 1));
      piece.end = next ?? end;
      await this.#addPiece(read, organizationId, piece, counts);
      at = piece.end;
      await yieldToEventLoop();
    }
    const countedAt = isRecent ? stored.countedAt : new Date(now);
    const rows = [...counts].map(([list, rowCount]) => {
      return { list, rowCount, createdBefore: end, countedAt };
    });
    await unitOfWork.run(async (tx) => {
      // Nothing changes when another process has counted them meanwhile; a first count that is there already fails.
      const removed = await changeRows(
        tx,
        "DELETE FROM list_count WHERE list BETWEEN ? AND ? AND created_before = ?",
        [...range, formatDatetime(stored?.createdBefore ?? new Date(0))],
      );
      if (removed > 0 || !stored) await insertRows(tx, ListCount, rows);
    });
  }

  async #addPiece(
    read: EntityManager,
    organizationId: string,
    { from, end }: { from: Date; end: Date },
    counts: Map<string, number>,
  ): Promise<void> {
    const { entity, filters } = this.counted;
    const createdAt = And(MoreThanOrEqual(from), LessThan(end));
    const query = read
      .getRepository(entity)
      .createQueryBuilder("row")
      .select("COUNT(*)", "count")
      .where(inOrganization<T>(organizationId, { createdAt }));
    for (const name of filters)
      query.addSelect(`row.${name}`, name).addGroupBy(`row.${name}`);
    const groups = await query.getRawMany<Record<string, string | number>>();
    for (const { count, ...group } of groups)
      for (const filter of listParts(Object.entries(group))) {
        const key = this.#toKey(organizationId, Object.fromEntries(filter));
        counts.set(key, (counts.get(key) ?? 0) + Number(count));
      }
  }

  /** When the row was created that follows `skip` others in a time. */
  async #findCreatedAt(
    read: EntityManager,
    organizationId: string,
    { from, end, skip }: { from: Date; end: Date; skip: number },
  ): Promise<Date | null> {
    const createdAt = And(MoreThanOrEqual(from), LessThan(end));
    const row = await read
      .getRepository(this.counted.entity)
      .createQueryBuilder("row")
      .select(["row.id", "row.createdAt"])
      .where(inOrganization<T>(organizationId, { createdAt }))
      .orderBy("row.createdAt", "ASC")
      .addOrderBy("row.id", "ASC")
      .offset(skip)
      .limit(1)
      .getOne();
    return row?.createdAt ?? null;
  }

  #toKey(
    organizationId: string,
    filter: Readonly<Record<string, string | number>>,
  ): string {
    const { name, filters } = this.counted;
    const values = filters
      .filter((key) => filter[key] !== undefined)
      .map((key) => `${key}=${filter[key]}`);
    return [name, organizationId, ...values].join(" ");
  }
}

/** All that can be made by leaving some out: of two, four. */
function listParts<E>(entries: readonly E[]): E[][] {
  const [first, ...others] = entries;
  if (first === undefined) return [[]];
  const parts = listParts(others);
  return [...parts, ...parts.map((part) => [first, ...part])];
}

/** The compiler cannot see that each `T` has these columns. */
function inOrganization<T>(
  organizationId: string,
  where: object,
): FindOptionsWhere<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { organizationId, ...where } as unknown as FindOptionsWhere<T>;
}
