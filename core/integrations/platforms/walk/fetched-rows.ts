import type { Row } from "../../../plugin-api/index.js";

/** The rows that a walk has read, each once. */
export class FetchedRows {
  readonly #tables = new Map<string, Map<string, Row>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(tableId: string, rows: readonly Row[]): void {
    const table = this.#tables.get(tableId) ?? new Map<string, Row>();
    this.#tables.set(tableId, table);
    for (const row of rows) {
      if (!table.has(row.id)) this.#count += 1;
      table.set(row.id, row);
    }
  }

  /** Undefined: the table has no such row. */
  get(tableId: string, rowId: string): Row | undefined {
    return this.#tables.get(tableId)?.get(rowId);
  }
}
