import type {
  DeliveryPlugin,
  EsignProvider,
  FileStorePlugin,
  PlatformPlugin,
  PluginKind,
} from "../core/plugin-api/index.js";

// The plugins that ship. Each is loaded when it is first needed: what nobody uses costs nothing.

interface Shipped<Plugin> {
  id: string;
  title: string;
  load(): Promise<Plugin>;
}

export const shippedFileStores: readonly (Shipped<FileStorePlugin> &
  Pick<FileStorePlugin, "scheme">)[] = [
  {
    id: "s3",
    title: "S3-compatible storage",
    scheme: "s3",
    load: async () => (await import("./s3/plugin.js")).s3Plugin,
  },
];

export const shippedPlatforms: readonly Shipped<PlatformPlugin>[] = [
  {
    id: "airtable",
    title: "Airtable",
    load: async () => (await import("./airtable/plugin.js")).airtablePlugin,
  },
  {
    id: "directus",
    title: "Directus",
    load: async () => (await import("./directus/plugin.js")).directusPlugin,
  },
  {
    id: "file",
    title: "Spreadsheet file",
    load: async () => (await import("./file/plugin.js")).filePlugin,
  },
  {
    id: "google-sheets",
    title: "Google Sheets",
    load: async () =>
      (await import("./google-sheets/plugin.js")).googleSheetsPlugin,
  },
  {
    id: "nocodb",
    title: "NocoDB",
    load: async () => (await import("./nocodb/plugin.js")).nocodbPlugin,
  },
  {
    id: "sql",
    title: "SQL database",
    load: async () => (await import("./sql/plugin.js")).sqlPlugin,
  },
];

export const shippedDeliveries: readonly Shipped<DeliveryPlugin>[] = [
  {
    id: "email",
    title: "Email (SMTP)",
    load: async () => (await import("./email/plugin.js")).emailPlugin,
  },
  {
    id: "google-drive",
    title: "Google Drive",
    load: async () =>
      (await import("./google-drive/plugin.js")).googleDrivePlugin,
  },
  {
    id: "s3",
    title: "S3-compatible storage",
    load: async () => (await import("./s3/delivery.js")).s3DeliveryPlugin,
  },
  {
    id: "sftp",
    title: "SFTP server",
    load: async () => (await import("./sftp/plugin.js")).sftpPlugin,
  },
];

export const shippedProviders: readonly Shipped<EsignProvider>[] = [
  {
    id: "docuseal",
    title: "DocuSeal",
    load: async () => (await import("./docuseal/plugin.js")).docusealPlugin,
  },
  {
    id: "documenso",
    title: "Documenso",
    load: async () => (await import("./documenso/plugin.js")).documensoPlugin,
  },
  {
    id: "demo-esign",
    title: "Demo (not legally binding)",
    load: async () => (await import("./demo-esign/plugin.js")).demoEsignPlugin,
  },
];

const listOfKind = (kind: PluginKind, plugins: readonly Shipped<unknown>[]) =>
  plugins.map((plugin) => ({ ...plugin, kind }));

export const shippedPlugins = [
  ...listOfKind("platform", shippedPlatforms),
  ...listOfKind("esign", shippedProviders),
  ...listOfKind("delivery", shippedDeliveries),
  ...listOfKind("file-store", shippedFileStores),
];
