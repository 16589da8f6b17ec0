import { sheets, type sheets_v4 } from "@googleapis/sheets";
import type {
  PlatformContext,
  SettingsSchema,
} from "../../core/plugin-api/index.js";
import {
  type AccessTokens,
  accessAlternatives,
  accessProperties,
  addressProperties,
  driveScope,
  type GoogleAccess,
  GoogleClient,
  sheetsScope,
} from "../lib/google.js";
import { translations } from "./translations.js";

/** Sheets, and Drive for files. */
export class SheetsClient extends GoogleClient<GoogleCredentials> {
  readonly sheets: sheets_v4.Sheets;

  constructor(
    context: PlatformContext<GoogleCredentials>,
    tokens: AccessTokens,
  ) {
    super(context, tokens, [sheetsScope, driveScope]);
    const options = { auth: this.auth, retry: false };
    this.sheets = sheets({ version: "v4", ...options });
  }
}

/** Declares that the cells of a column contain keys of another sheet's rows. */
export interface LinkColumn {
  sheet: string;
  column: string;
  /** The other sheet. */
  to: string;
  /** Whether a cell may contain several keys; default true. */
  many?: boolean;
  /** The name of a field that this adds to the other sheet, with all rows that link to its row. */
  inverse?: string;
}

/** How a connection reaches Google, and how its sheets are read. */
export interface GoogleCredentials extends GoogleAccess {
  keyColumn?: string;
  keyColumns?: Record<string, string>;
  links?: LinkColumn[];
  fileColumns?: string[];
  folderId?: string;
}

const defaultFileColumns = [
  "Document",
  "Documents",
  "File",
  "Files",
  "PDF",
  "Attachment",
  "Attachments",
];

const text = { type: "string", minLength: 1 };

const link = {
  type: "object",
  additionalProperties: false,
  required: ["sheet", "column", "to"],
  properties: {
    sheet: text,
    column: text,
    to: text,
    many: { type: "boolean" },
    inverse: text,
  },
};

export const credentialsSchema: SettingsSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  anyOf: accessAlternatives,
  properties: {
    ...accessProperties,
    keyColumn: {
      ...text,
      default: "ID",
      title: "Key column",
      description:
        "The name, in the first row, of the column that identifies rows. Its values are unique and never empty.",
    },
    keyColumns: {
      type: "object",
      additionalProperties: { type: "string" },
      title: "Key columns of single sheets",
      description:
        "By the name of a sheet, where it has a different one. Empty: the sheet is ignored.",
    },
    links: { type: "array", items: link, title: "Links between sheets" },
    fileColumns: {
      type: "array",
      items: text,
      title: "Columns that accept links to files",
      description: `Default: ${defaultFileColumns.join(", ")}.`,
    },
    folderId: {
      ...text,
      title: "Drive folder for files",
      description:
        "The last part of its address. A service account needs one in a Shared Drive.",
    },
    ...addressProperties,
  },
  translations,
};

/** What a connection says about its sheets. */
export class SheetSettings {
  private readonly links: readonly LinkColumn[];
  private readonly fileColumns: ReadonlySet<string>;

  constructor(private readonly credentials: GoogleCredentials) {
    this.links = credentials.links ?? [];
    this.fileColumns = new Set(credentials.fileColumns ?? defaultFileColumns);
  }

  /** Returns null when the connection ignores the sheet. */
  getKeyColumn(sheet: string): string | null {
    const { keyColumns = {}, keyColumn = "ID" } = this.credentials;
    const column = Object.hasOwn(keyColumns, sheet)
      ? keyColumns[sheet]
      : keyColumn;
    return column === undefined || column === "" ? null : column;
  }

  /** Whether the connection names a key column for this sheet in particular. */
  hasOwnKeyColumn(sheet: string): boolean {
    return Object.hasOwn(this.credentials.keyColumns ?? {}, sheet);
  }

  acceptsFiles(column: string): boolean {
    return this.fileColumns.has(column);
  }

  findLink(sheet: string, column: string): LinkColumn | undefined {
    return this.links.find(
      (linkColumn) =>
        linkColumn.sheet === sheet && linkColumn.column === column,
    );
  }

  /** Links of other sheets that add a field to this one. */
  findInverseLinks(sheet: string): (LinkColumn & { inverse: string })[] {
    return this.links.flatMap((linkColumn) =>
      linkColumn.to === sheet && linkColumn.inverse !== undefined
        ? [{ ...linkColumn, inverse: linkColumn.inverse }]
        : [],
    );
  }
}
