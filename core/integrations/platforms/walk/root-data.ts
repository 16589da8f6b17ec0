import {
  PlatenError,
  type Row,
  type TableInfo,
} from "../../../plugin-api/index.js";
import type { OpenPlatform } from "../../host/index.js";
import { cellValue } from "../mapping/cell-value.js";
import type {
  PlannedCollection,
  PlannedLink,
  WalkPlan,
} from "../mapping/walk-plan.js";
import type { FetchedRows } from "./fetched-rows.js";
import type { WalkLimits } from "./limits.js";

type Data = Record<string, unknown>;

export interface RowMapping {
  plan: WalkPlan;
  rows: FetchedRows;
  limits: WalkLimits;
  /** It may map rows in its own way. */
  platform: Pick<OpenPlatform, "toRootData">;
}

/**
 * The root data of one record: its values, and what it links to as nested objects and arrays. A link back to a row
 * on the way to it is left out, and so is a link to a row that is gone.
 * @throws PlatenError `too_large` for data that is nested too deep or has too many objects.
 */
export function rootData(mapping: RowMapping, recordId: string): Data {
  const [root] = mapping.plan.collections;
  const data = root && new Nesting(mapping).object(root, recordId, []);
  return data ?? {};
}

class Nesting {
  readonly #collections: Map<string, PlannedCollection>;
  readonly #tables: Map<string, TableInfo>;
  #objects = 0;

  constructor(private readonly mapping: RowMapping) {
    const { collections, tables } = mapping.plan;
    this.#collections = new Map(collections.map((one) => [one.id, one]));
    this.#tables = new Map(tables.map((one) => [one.id, one]));
  }

  /** Null when there is no such row. */
  object(
    collection: PlannedCollection,
    rowId: string,
    path: readonly Row[],
  ): Data | null {
    const row = this.mapping.rows.get(collection.tableId, rowId);
    if (row === undefined) return null;
    this.#count(collection);
    const linked = collection.links.map((link): [string, unknown] => [
      link.name,
      this.#linked(link, row, [...path, row]),
    ]);
    return { ...this.#values(collection, row), ...Object.fromEntries(linked) };
  }

  #values({ tableId, values }: PlannedCollection, row: Row): Data {
    const table = this.#tables.get(tableId);
    const own = table && this.mapping.platform.toRootData(row, table);
    if (own) return own;
    const entries = values.map(
      ({ name, fieldId, ...shape }) =>
        [
          name,
          fieldId === null ? row.id : cellValue(row.fields[fieldId], shape),
        ] as const,
    );
    return Object.fromEntries<unknown>(entries);
  }

  #linked(
    { name, fieldId, target, many }: PlannedLink,
    row: Row,
    path: readonly Row[],
  ): Data | Data[] | null {
    const collection = this.#collections.get(target);
    const ids = row.links[fieldId] ?? [];
    if (collection === undefined) return many ? [] : null;
    const found: Data[] = [];
    for (const id of many ? ids : ids.slice(0, 1)) {
      const linked = this.mapping.rows.get(collection.tableId, id);
      if (linked && path.includes(linked)) continue;
      if (path.length > this.mapping.limits.maxDepth)
        throw tooDeep(name, this.mapping.limits);
      const data = this.object(collection, id, path);
      if (data) found.push(data);
    }
    return many ? found : (found[0] ?? null);
  }

  #count({ id }: PlannedCollection): void {
    this.#objects += 1;
    const { maxObjects } = this.mapping.limits;
    if (this.#objects > maxObjects)
      throw new PlatenError(
        "too_large",
        `This record leads to more than ${maxObjects} linked rows, the last of them in the collection "${id}". ` +
          "Take links out of the template's schema that the document does not need.",
      );
  }
}

function tooDeep(name: string, { maxDepth }: WalkLimits): PlatenError {
  return new PlatenError(
    "too_large",
    `The link "${name}" is more than ${maxDepth} links away from the record. ` +
      "Take the link that leads back out of the template's schema.",
  );
}
