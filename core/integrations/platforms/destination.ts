/** Where a template's records are and its files go, as it was found on the platform. */
export interface Destination {
  connectionId: string;
  connectionName: string;
  /** Null where the platform has no bases. */
  baseId: string | null;
  tableId: string;
  tableName: string;
  /** The field that names a record to people. */
  primaryFieldId: string | null;
  /** Null: the files go nowhere. */
  attachmentField: { id: string; name: string } | null;
}
