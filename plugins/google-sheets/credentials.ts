import type { SettingsSchema } from "../../core/plugin-api/index.js";

/** Says that the cells of a column hold keys of another sheet's rows. */
export interface LinkColumn {
  sheet: string;
  column: string;
  /** The other sheet. */
  to: string;
  /** Whether a cell may hold several keys; default true. */
  many?: boolean;
  /** A field of the other sheet, made by this: all rows here that name its row. */
  inverse?: string;
}

/** How a connection reaches Google, and how its sheets are read. */
export interface GoogleCredentials {
  serviceAccount?: string;
  subject?: string;
  clientId?: string;
  clientSecret?: string;
  refreshToken?: string;
  keyColumn?: string;
  keyColumns?: Record<string, string>;
  links?: LinkColumn[];
  fileColumns?: string[];
  folderId?: string;
  endpointUrl?: string;
  contentUrl?: string;
}

const text = { type: "string", minLength: 1 };
const secret = { ...text, writeOnly: true };
const address = { type: "string", format: "uri", pattern: "^https?://" };

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
  anyOf: [
    { required: ["serviceAccount"] },
    { required: ["clientId", "clientSecret", "refreshToken"] },
  ],
  properties: {
    serviceAccount: {
      ...secret,
      title: "Key of a service account",
      description: "The whole text of its JSON file.",
    },
    subject: {
      ...text,
      title: "User to act for",
      description:
        "With a service account that has domain-wide delegation: the e-mail address of a user.",
    },
    clientId: { ...text, title: "OAuth client id" },
    clientSecret: { ...secret, title: "OAuth client secret" },
    refreshToken: { ...secret, title: "OAuth refresh token" },
    keyColumn: {
      ...text,
      default: "ID",
      title: "Key column",
      description:
        "The column, by its name in the first row, whose values name the rows: unique, and never empty.",
    },
    keyColumns: {
      type: "object",
      additionalProperties: { type: "string" },
      title: "Key columns of single sheets",
      description:
        "By a sheet's name, where it has another one. Empty: the sheet is left out.",
    },
    links: { type: "array", items: link, title: "Links between sheets" },
    fileColumns: {
      type: "array",
      items: text,
      title: "Columns that take links to files",
      description:
        "Default: Document, Documents, File, Files, PDF, Attachment, Attachments.",
    },
    folderId: {
      ...text,
      title: "Drive folder for files",
      description:
        "The last part of its address. A service account needs one in a Shared Drive.",
    },
    endpointUrl: {
      ...address,
      title: "Address in place of Google's",
    },
    contentUrl: {
      ...address,
      title: "Address in place of Google's for uploads",
    },
  },
};
