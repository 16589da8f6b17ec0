import type { GoogleCredentials, LinkColumn } from "./credentials.js";

const defaultFileColumns = [
  "Document",
  "Documents",
  "File",
  "Files",
  "PDF",
  "Attachment",
  "Attachments",
];

/** What a connection says about its sheets. */
export class SheetSettings {
  private readonly links: readonly LinkColumn[];
  private readonly fileColumns: ReadonlySet<string>;

  constructor(private readonly credentials: GoogleCredentials) {
    this.links = credentials.links ?? [];
    this.fileColumns = new Set(credentials.fileColumns ?? defaultFileColumns);
  }

  /** Null: the sheet is left out. */
  keyColumnOf(sheet: string): string | null {
    const { keyColumns = {}, keyColumn = "ID" } = this.credentials;
    const own = Object.hasOwn(keyColumns, sheet)
      ? keyColumns[sheet]
      : keyColumn;
    return own === undefined || own === "" ? null : own;
  }

  /** Whether the connection says by name which column it is. */
  namesKeyColumnOf(sheet: string): boolean {
    return Object.hasOwn(this.credentials.keyColumns ?? {}, sheet);
  }

  takesFiles(column: string): boolean {
    return this.fileColumns.has(column);
  }

  linkAt(sheet: string, column: string): LinkColumn | undefined {
    return this.links.find(
      (link) => link.sheet === sheet && link.column === column,
    );
  }

  /** Links of other sheets that make a field of this one. */
  inverseLinksOf(sheet: string): (LinkColumn & { inverse: string })[] {
    return this.links.flatMap((link) =>
      link.to === sheet && link.inverse !== undefined
        ? [{ ...link, inverse: link.inverse }]
        : [],
    );
  }
}
