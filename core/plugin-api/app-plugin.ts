import type { AppDrafts } from "./app-drafts.js";
import type { FieldType, ProjectData } from "./definition.js";
import type { Log } from "./observability.js";
import type { FieldInfo, WriteMode } from "./platform-plugin.js";
import type { PluginMeta, PluginKind, SettingsSchema } from "./plugin.js";

// An app is a plugin with pages: it adds files and routes below `/<its id>`, and is handed the services that it may
// use. The host does the rest, once for all apps: cookies, the proof that a request comes from our own page, roles, the
// limits of sign-in, caching, compression, the policy of what pages may load.

/** What a person may do in an organization; each may do what those before it may. */
export const APP_ROLES = ["viewer", "editor", "owner"] as const;
export type AppRole = (typeof APP_ROLES)[number];

/** The person who is signed in, in one of their organizations. */
export interface AppVisitor {
  sessionId: string;
  userId: string;
  organizationId: string;
  role: AppRole;
}

export interface AppRequest {
  /** Null on routes for anyone, when nobody is signed in. */
  visitor: AppVisitor | null;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What its JSON says, unchecked; `{}` without a body. */
  body: unknown;
  /** What the browser calls itself. */
  userAgent: string;
  /** What an earlier reply left with this browser as `flow`. */
  flow: string | null;
  /** Aborted when the browser goes away before its answer is out. */
  signal: AbortSignal;
}

/** Bytes that a route hands out. */
export interface AppFile {
  bytes: Uint8Array;
  mimeType: string;
  /** How long browsers may keep it, in seconds; not at all when left out. */
  maxAgeSeconds?: number;
}

/** At most one of `json`, `file` and `redirect`; none for 204. */
export interface AppReply {
  /** Default 200. */
  status?: number;
  json?: unknown;
  file?: AppFile;
  /** A path of the app, such as `sign-in`, or an http(s) address of another site. */
  redirect?: string;
  /** Signs the browser in, or out. */
  session?: NewSession | null;
  /** Kept in the browser for ten minutes, readable by the app's routes alone; null deletes it. */
  flow?: string | null;
}

export interface AppRoute {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** Below the app's own, as a router writes it: `/api/keys/:keyId`. */
  path: `/${string}`;
  /** Who may come here. */
  access: "anyone" | AppRole;
  /** Of its body; 1 MiB when left out. */
  maxBytes?: number;
  /** Counted among the attempts to sign in, of which each address has few a minute. */
  isSignIn?: true;
  /** Requests of one person in a minute, for what is dear and counts nowhere else; no limit when left out. */
  mostAMinute?: number;
  handle(request: AppRequest): Promise<AppReply>;
}

export interface AppFiles {
  /**
   * Absolute. Beside a file, `<name>.br` and `<name>.gz` are the same compressed. `index.html` answers every path that
   * is no file and no route; in it, `/app-base/` stands for the app's path.
   */
  folder: string;
  /** Files below this folder bear a hash of their content in their name: browsers keep them for ever. */
  hashed: string;
}

export interface App {
  routes: readonly AppRoute[];
  files: AppFiles;
}

/** What a sign-in leaves in the browser. */
export interface NewSession {
  token: string;
  expiresAt: Date;
}

/** Ways to become a visitor. Each rejects with PlatenError: `gone` for what was used or is too old, `forbidden` for strangers. */
export interface AppSignIn {
  offers(): { mail: boolean; openId: string | null };
  /** Of several at once, one succeeds. */
  byLink(token: string, userAgent: string): Promise<NewSession>;
  /** Sends a link, if there is such a user; does not say whether there is. */
  mailLink(email: string): Promise<void>;
  /** @returns where the browser is to go, and what must come back with it. */
  beginOpenId(): Promise<{ url: string; flow: string }>;
  finishOpenId(
    answer: URLSearchParams,
    flow: string | null,
    userAgent: string,
  ): Promise<NewSession>;
}

/** Times are ISO 8601. */
export interface SessionInfo {
  id: string;
  userAgent: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  isCurrent: boolean;
}

export interface AppProfile {
  user: { id: string; name: string; email: string };
  organization: { id: string; name: string; plan: string };
  role: AppRole;
  /** All that the person belongs to. */
  organizations: { id: string; name: string }[];
}

/** A person's own sessions. */
export interface AppSessions {
  profile(visitor: AppVisitor): Promise<AppProfile>;
  list(visitor: AppVisitor): Promise<SessionInfo[]>;
  /** @throws PlatenError `not_found`. */
  end(visitor: AppVisitor, sessionId: string): Promise<void>;
  endOthers(visitor: AppVisitor): Promise<void>;
  /** Shows another of the person's organizations. @throws PlatenError `not_found`. */
  enter(visitor: AppVisitor, organizationId: string): Promise<void>;
}

/** Times are ISO 8601. */
export interface KeyInfo {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

/** The organization's API keys. */
export interface AppKeys {
  scopes: readonly string[];
  list(visitor: AppVisitor): Promise<KeyInfo[]>;
  /** @throws PlatenError `invalid_request`. */
  create(
    visitor: AppVisitor,
    input: { name: string; scopes: string[]; expiresAt: Date | null },
  ): Promise<KeyInfo & { key: string }>;
  /** @throws PlatenError `not_found`. */
  revoke(visitor: AppVisitor, keyId: string): Promise<KeyInfo>;
}

export interface AppServices {
  signIn: AppSignIn;
  sessions: AppSessions;
  keys: AppKeys;
  templates: AppTemplates;
  documents: AppDocuments;
  batches: AppBatches;
  usage: AppUsage;
  audit: AppAudit;
  people: AppPeople;
  plugins: AppPlugins;
  drafts: AppDrafts;
  fields: AppFields;
  wizard: AppWizard;
  log: Log;
}

export interface AppPlugin {
  meta: PluginMeta & { kind: "app" };
  /** Called once, when the service starts. */
  open(services: AppServices): App;
}

/** An administrative act. */
export interface AuditLine {
  id: string;
  /** An `AuditAction`, unless an older service wrote another. */
  action: string;
  /** The door through which whoever acted came. */
  origin: "cli" | "rest" | "mcp" | "studio" | "service";
  /** Whoever acted; null for whoever runs the machine, and for the service itself. */
  person: { id: string; name: string } | null;
  /** The name of the key by which they acted, if by one. */
  key: string | null;
  /** What it was done to; its name is null when it is not known (any more). */
  subject: { id: string; name: string | null };
  details: Record<string, unknown> | null;
  /** ISO 8601. */
  at: string;
}

export interface AuditQuery {
  /** From 1. */
  page: number;
  /** At most 100. */
  pageSize: number;
  action: AuditAction | null;
  /** Acts of this person alone. */
  userId: string | null;
  /** Acts from this moment on. */
  from: Date | null;
  /** Acts before this moment. */
  until: Date | null;
}

/** The trail of the organization's administrative acts, the newest first. */
export interface AppAudit {
  list(
    visitor: AppVisitor,
    query: AuditQuery,
  ): Promise<{ data: AuditLine[]; total: number }>;
}

/** Every administrative act that is noted, as `<thing>.<act>`. */
export const AUDIT_ACTIONS = [
  "organization.created",
  "user.created",
  "user.joined",
  "user.role_changed",
  "user.removed",
  "login_link.created",
  "session.started",
  "session.revoked",
  "api_key.created",
  "api_key.revoked",
  "template.imported",
  "template.created",
  "template.redefined",
  "template.draft_discarded",
  "template.trashed",
  "template.restored",
  "asset.created",
  "asset.trashed",
  "asset.restored",
  "asset.deleted",
  "link.created",
  "link.revoked",
  "signature.canceled",
  "signature.resent",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
  "webhook.disabled",
  "connection.created",
  "connection.changed",
  "connection.deleted",
  "connection.resealed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

// The fields of a definition's schema, and where they are read.

/** Keys from the definition inward. */
export type KeyPath = readonly (string | number)[];

export interface FieldQuestion {
  definition: unknown;
  /** Of the schema. */
  collectionId: string;
  /** The field's name in the data. */
  name: string;
}

/** A value that stands at a place of the definition from now on. */
export interface ValueChange {
  path: KeyPath;
  value: unknown;
}

/** Whatever the definition's problems are: what is ill-formed reads nothing. */
export interface AppFields {
  /** Where the strings stand that read the field, once for each time. */
  uses(question: FieldQuestion): KeyPath[];
  /**
   * What to change so that the field has another name wherever it is read, and in the sample.
   * @throws PlatenError `invalid_request` for a name that is taken, or that would mean something else somewhere.
   */
  rename(question: FieldQuestion, to: string): ValueChange[];
}

// What became of an organization's work as a whole. Times are ISO 8601.

export interface BatchLine {
  id: string;
  status: "queued" | "running" | "completed";
  template: { id: string; name: string };
  totalCount: number;
  /** Documents that have not ended yet. */
  remaining: number;
  failed: number;
  /** Whose records these are; null when they came with a request. */
  platform: string | null;
  createdBy: string;
  createdAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}

/** The organization's batches, the newest first. */
export interface AppBatches {
  list(
    visitor: AppVisitor,
    query: {
      /** From 1. */
      page: number;
      /** At most 100. */
      pageSize: number;
      /** Null for all; else this one alone. */
      batchId: string | null;
    },
  ): Promise<{ data: BatchLine[]; total: number }>;
}

/** What the organization used. */
export interface AppUsage {
  /** @param month in UTC, such as `2026-07`; its days, such as `2026-07-31`, in order, without those on which nothing was made. */
  days(
    visitor: AppVisitor,
    month: string,
  ): Promise<{ day: string; documents: number }[]>;
}

// Lists that apps show and the public API does not have. Times are ISO 8601; lists have the newest first.

export interface TemplateCard {
  id: string;
  name: string;
  description: string | null;
  templateType: "document" | "email";
  thumbnailUrl: string;
  isActive: boolean;
  isFavorite: boolean;
  /** null: it lies in none. */
  folderId: string | null;
  updatedAt: string;
}

export const TEMPLATE_SHOWS = ["all", "favorites", "recent", "trash"] as const;
export type TemplateShow = (typeof TEMPLATE_SHOWS)[number];

export const DOCUMENT_STATUSES = [
  "queued",
  "rendering",
  "succeeded",
  "failed",
  "expired",
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

export interface DocumentLine {
  id: string;
  status: DocumentStatus;
  isTest: boolean;
  template: { id: string; name: string };
  /** Without its ending; null before it is merged. */
  fileName: string | null;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  outputs: {
    label: string;
    url: string;
    mimeType: string;
    sizeBytes: number;
  }[];
  /** Why it failed. */
  error: string | null;
}

/** From 1, of at most 100. */
interface Slice {
  page: number;
  pageSize: number;
}

/** The organization's templates; those in the trash only where `show` asks for them. */
export interface AppTemplates {
  list(
    visitor: AppVisitor,
    query: Slice & {
      q: string;
      show: TemplateShow;
      /** Those in this folder alone; null for all. */
      folderId: string | null;
    },
  ): Promise<{ data: TemplateCard[]; total: number }>;
}

/** The organization's documents. */
export interface AppDocuments {
  list(
    visitor: AppVisitor,
    query: Slice & {
      /** Empty for all. */
      statuses: readonly DocumentStatus[];
      templateId: string | null;
      batchId: string | null;
    },
  ): Promise<{ data: DocumentLine[]; total: number }>;
}

/** Someone in the organization. Times are ISO 8601. */
export interface PersonInfo {
  id: string;
  name: string;
  email: string;
  role: AppRole;
  joinedAt: string;
  /** The visitor. */
  isYou: boolean;
}

/** A way in for someone, once. */
export interface PersonLink {
  /** null when it is not shown: the person belongs to other organizations too, into which it would lead as well. */
  url: string | null;
  expiresAt: string;
  /** `off`: no mail server is set up. */
  mail: "sent" | "failed" | "off";
}

/** The people of the organization, for its owners. */
export interface AppPeople {
  /** The first joined first. */
  list(visitor: AppVisitor): Promise<PersonInfo[]>;
  /** @throws PlatenError `invalid_request`; `conflict` for someone who is there already. */
  invite(
    visitor: AppVisitor,
    input: { name: string; email: string; role: AppRole },
  ): Promise<PersonLink>;
  /** Another link for someone. @throws PlatenError `not_found`. */
  link(visitor: AppVisitor, userId: string): Promise<PersonLink>;
  /** @throws PlatenError `not_found`; `conflict` for the last owner. */
  changeRole(visitor: AppVisitor, userId: string, role: AppRole): Promise<void>;
  /** @returns how many keys in their name still work. @throws PlatenError `not_found`; `conflict` for the last owner. */
  remove(visitor: AppVisitor, userId: string): Promise<{ keys: number }>;
}

/** What a plugin may be able to do, beyond what all of its kind do. */
export type PluginAbility =
  | "linked-records"
  | "files-in-cells"
  | "links-in-cells"
  | "row-search"
  | "signing-order"
  | "prefilled-fields"
  | "cancelling"
  | "reminders"
  | "proven-notices";

/** An installed plugin. */
export interface PluginInfo {
  /** null, of one whose package cannot be read. */
  kind: PluginKind | null;
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, or the package's name, or its folder. */
  source: string;
  /** Why it cannot be used, and how to mend it; null when it can. */
  fault: string | null;
  abilities: readonly PluginAbility[];
  /** What a connection to it asks for: a JSON Schema whose secrets are `writeOnly`; null for what takes none. */
  settings: SettingsSchema | null;
}

/** What is installed beside the service; the same for every organization. */
export interface AppPlugins {
  /** Those that ship first. */
  list(visitor: AppVisitor): Promise<PluginInfo[]>;
}

// What it takes to lay a button into somebody's table: the table as it is, its first records, a template made of it, and
// which of its fields fill a template.

/** A table of a platform, through one of the organization's connections. */
export interface TablePlace {
  connectionId: string;
  /** Null where the platform has no bases. */
  baseId: string | null;
  tableId: string;
}

export interface ShownTable {
  id: string;
  name: string;
  fields: FieldInfo[];
}

/** A table, and where its documents can go. */
export interface OpenedTable extends ShownTable {
  connectionName: string;
  platform: { id: string; title: string };
  /** By which people know a record; null when none does. */
  primaryFieldId: string | null;
  /** Ids of the fields that take files. */
  fileFieldIds: string[];
  /** What can be done with a file that a cell holds already. */
  modes: readonly WriteMode[];
}

export interface TableRecord {
  id: string;
  /** As people know it; its id when that is all there is. */
  name: string;
}

/** A field of a template, and what fills it. */
export interface MappedField {
  name: string;
  label: string;
  type: FieldType;
  /** The collection that a link leads to. */
  target: string | null;
  /** Of the table's field; "": it stays empty; null: nothing fits, and somebody has to choose. */
  source: string | null;
}

/** A collection of a template, and the table from which it is filled. */
export interface MappedCollection {
  id: string;
  label: string;
  table: ShownTable;
  fields: MappedField[];
  /** What the fields of the first record hold, by the field's id, as text. */
  samples: Record<string, string>;
}

/** Fields that somebody has chosen, as `collection.field`; `""` for what stays empty. */
export type ChosenSources = Readonly<Record<string, string>>;

/** Steps towards a button in a table. All reject with PlatenError, in the platform's own words where it refuses. */
export interface AppWizard {
  table(visitor: AppVisitor, place: TablePlace): Promise<OpenedTable>;
  /** The first that hold the text in the field by which people know them; null: this platform cannot look for records. */
  records(
    visitor: AppVisitor,
    place: TablePlace,
    text: string,
  ): Promise<TableRecord[] | null>;
  /** A first template of the table's own fields, not saved; its sample is the first record. */
  draft(visitor: AppVisitor, place: TablePlace): Promise<ProjectData>;
  /** Which fields fill the template: those chosen, those it names itself, and for the rest what comes nearest. */
  mapping(
    visitor: AppVisitor,
    place: TablePlace,
    templateId: string,
    chosen: ChosenSources,
  ): Promise<MappedCollection[]>;
}
