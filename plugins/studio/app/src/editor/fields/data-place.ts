/** A table of a connection, as far as it is chosen; what is not is empty. */
export interface DataPlace {
  connectionId: string;
  baseId: string;
  tableId: string;
}

export const noPlace: DataPlace = { connectionId: "", baseId: "", tableId: "" };

/** Where the public API has the tables. */
export function tablesAt({ connectionId, baseId }: DataPlace): string {
  const query = baseId === "" ? "" : `?baseId=${encodeURIComponent(baseId)}`;
  return `connections/${connectionId}/tables${query}`;
}

/** Where the studio's routes have a template made of the table. */
export function draftAt({ connectionId, baseId, tableId }: DataPlace): string {
  const query = new URLSearchParams({
    connectionId,
    ...(baseId !== "" && { baseId }),
    tableId,
  });
  return `wizard/draft?${query.toString()}`;
}
