import type { FieldType } from "./definition.js";
import type { FieldInfo, ViewInfo, WriteMode } from "./platform-plugin.js";
import type { PluginKind, SettingsSchema } from "./plugin.js";

// What the studio shows, and the capabilities make.

/** Roles in an organization. Each includes the permissions of those before it. */
export const APP_ROLES = ["viewer", "editor", "owner"] as const;
export type AppRole = (typeof APP_ROLES)[number];

/** A signed-in person in one of their organizations. */
export interface AppVisitor {
  sessionId: string;
  userId: string;
  organizationId: string;
  role: AppRole;
}

export interface AppFile {
  bytes: Uint8Array;
  mimeType: string;
  /** How long browsers may cache it, in seconds; not at all when left out. */
  maxAgeSeconds?: number;
}

export interface NewSession {
  token: string;
  expiresAt: Date;
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
  /** All organizations of the person. */
  organizations: { id: string; name: string }[];
  /** Those that the person has finished, hidden or declined, in any of their organizations. */
  endedGuides: Guide[];
}

/** What introduces people to the studio: the list of first steps, and the tour of the editor. */
export const GUIDES = ["first-steps", "tour"] as const;
export type Guide = (typeof GUIDES)[number];

/** Which of the first steps a person has done. */
export interface FirstSteps {
  /** Created a template. */
  template: boolean;
  /** Gave one of their templates a sample of their own, or a table. */
  data: boolean;
  /** Created a document with one of their templates. */
  document: boolean;
  /** Connected a service, an assistant or a program, created a button, or invited someone. */
  connection: boolean;
  /** Their newest template that is not in the trash. */
  templateId: string | null;
}

/** Times are ISO 8601. */
export interface KeyInfo {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  /** CIDR blocks from which it may be used; null: from everywhere. */
  networks: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

/** What a person is asked before a program gets access by OAuth. */
export interface ConsentQuestion {
  client: {
    name: string;
    /** The host that has proven to be the client's; null when nothing is proven. */
    verifiedHost: string | null;
  };
  /** Where the answer is sent: a host, or the scheme of a program on the person's device. */
  redirectHost: string;
  /** Whether that is a program on the person's own device. */
  isLocal: boolean;
  /** The person's organizations, and what the client would be allowed in each: what it asks for and their role permits. */
  organizations: {
    id: string;
    name: string;
    scopes: readonly string[];
    isCurrent: boolean;
  }[];
  /** Why the request cannot be granted, and where the client can be told so; null when it can. */
  problem: { message: string; redirect: string } | null;
}

/** An assistant that a person has connected by OAuth. Times are ISO 8601. */
export interface AssistantInfo {
  id: string;
  /** Who has allowed it, and in whose name it acts. */
  user: { id: string; name: string; email: string };
  /** What it calls itself. */
  name: string;
  /** Where the person was sent back to: a host, or the scheme of a program on their device. */
  redirectHost: string;
  /** As the person has allowed them; their role may permit less now. */
  scopes: string[];
  createdAt: string;
  lastUsedAt: string | null;
  /** Unless it is used until then. */
  expiresAt: string;
}

/** A platform or delivery method where a person's consent gives credentials. */
export interface AuthorizationOffer {
  kind: "platform" | "delivery";
  /** Of the plugin. */
  id: string;
  /** Names the account there, as in "Continue with Google". */
  title: string;
  /** The credentials that are entered before. */
  needs: readonly string[];
  /** The credentials that the consent gives. */
  grants: readonly string[];
}

/** The connection to authorize: a new one or, by its id, a saved one, with its saved credentials unless there are new ones. */
export type AuthorizationTarget =
  | { platform: string; name: string; credentials: object }
  | { delivery: string; name: string; credentials: object }
  | { connectionId: string; credentials: object | null };

/** An administrative action. */
export interface AuditEntry {
  id: string;
  /** An `AuditAction`, or a name that an older version wrote. */
  action: string;
  /** The interface that was used. */
  origin: "cli" | "rest" | "mcp" | "studio" | "service";
  /** The person who acted; null for the operator and for the service itself. */
  person: { id: string; name: string } | null;
  /** The name of the API key that was used, if any. */
  key: string | null;
  /** The affected object; its name is null when it is unknown or was deleted. */
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
  /** Only actions of this person. */
  userId: string | null;
  /** Only actions at or after this time. */
  from: Date | null;
  /** Only actions before this time. */
  until: Date | null;
}

/** All audited actions, as `<object>.<action>`. */
export const AUDIT_ACTIONS = [
  "organization.created",
  "organization.changed",
  "user.created",
  "user.joined",
  "user.role_changed",
  "user.removed",
  "login_link.created",
  "session.started",
  "session.revoked",
  "api_key.created",
  "api_key.revoked",
  "assistant.connected",
  "assistant.revoked",
  "template.imported",
  "template.created",
  "template.redefined",
  "template.draft_discarded",
  "template.trashed",
  "template.restored",
  "partial.created",
  "partial.changed",
  "partial.deleted",
  "brand.changed",
  "sequence.changed",
  "signing_certificate.changed",
  "signing_certificate.deleted",
  "signing_certificate.resealed",
  "asset.created",
  "asset.trashed",
  "asset.restored",
  "asset.deleted",
  "link.created",
  "link.changed",
  "link.revoked",
  "automation.created",
  "automation.changed",
  "automation.paused",
  "automation.deleted",
  "automation.started",
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

/** A template that uses a reusable block. */
export interface PartialUser {
  id: string;
  name: string;
  /** False when only its draft does. */
  isPublished: boolean;
}

/** A reusable block: components that templates use by name. Times are ISO 8601. */
export interface PartialView {
  /** How definitions refer to it; never changed. */
  name: string;
  /** How people see it. */
  title: string;
  templateType: "document" | "email";
  components: Record<string, unknown>[];
  /** Counts the changes. */
  version: number;
  usedBy: PartialUser[];
  createdAt: string;
  updatedAt: string;
}

/** The certificate with which an organization signs PDFs, without its private key. Times are ISO 8601. */
export interface SigningCertificateView {
  /** `CN=Invoices, O=Example, C=DE`. */
  subject: string;
  issuer: string;
  /** Hexadecimal. */
  serialNumber: string;
  /** SHA-256, hexadecimal with colons. */
  fingerprint: string;
  /** `RSA 2048` or `EC P-256`. */
  key: string;
  validFrom: string;
  validUntil: string;
  /** How many certificates are put into each signature: its own, and those of the authorities that issued it. */
  chainLength: number;
  timestampUrl: string | null;
  createdAt: string;
}

/** The colors, fonts, logo and text styles of an organization. */
export interface BrandKit {
  /** By name, such as `primary`: `#` and six hexadecimal digits. */
  colors: Record<string, string>;
  /** A font family; null for none. */
  headingFont: string | null;
  bodyFont: string | null;
  /** The id of an image; null for none. */
  logo: string | null;
  /** CSS by the name of the style. */
  textStyles: Record<string, Record<string, string>>;
}

export interface BrandView {
  kit: BrandKit;
  /** Counts the changes; 0 before the first. */
  version: number;
  /** ISO 8601; null before the first change. */
  updatedAt: string | null;
}

/** A template that uses values of a kit. */
export interface BrandUse {
  id: string;
  name: string;
}

/** The keys that lead from a definition to a value in it. */
export type KeyPath = readonly (string | number)[];

export interface FieldReference {
  definition: unknown;
  collectionId: string;
  /** The field's name in the data. */
  name: string;
}

/** A value to set in a definition. */
export interface ValueChange {
  path: KeyPath;
  value: unknown;
}

/** Times are ISO 8601. */
export interface BatchLine {
  id: string;
  status: "queued" | "running" | "completed";
  template: { id: string; name: string };
  totalCount: number;
  /** Documents that are not finished yet. */
  remaining: number;
  failed: number;
  /** Documents by what became of saving their files to the records. */
  writeBack: { pending: number; failed: number };
  /** The platform of the records; null when they were sent with the request. */
  platform: string | null;
  /** The file whose rows the records are; null for other batches. */
  fileName: string | null;
  createdBy: string;
  createdAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}

/** Times are ISO 8601. */
export interface TemplateCard {
  id: string;
  name: string;
  description: string | null;
  templateType: "document" | "email";
  thumbnailUrl: string;
  isActive: boolean;
  isFavorite: boolean;
  /** null: in no folder. */
  folderId: string | null;
  /** Whether its draft differs from the published definition. */
  hasUnpublishedChanges: boolean;
  updatedAt: string;
}

export const TEMPLATE_FILTERS = [
  "all",
  "favorites",
  "recent",
  "trash",
] as const;
export type TemplateFilter = (typeof TEMPLATE_FILTERS)[number];

export const DOCUMENT_STATUSES = [
  "queued",
  "rendering",
  "succeeded",
  "failed",
  "expired",
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Times are ISO 8601. */
export interface DocumentLine {
  id: string;
  status: DocumentStatus;
  isTest: boolean;
  template: { id: string; name: string };
  /** Without its extension; null before the document is merged. */
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
  /** Why its files could not be saved to the record; null when they could, or nothing was to be saved. */
  saveError: string | null;
  /** Why it was not delivered, or may not have been: each error once. */
  deliveryErrors: string[];
}

export interface BatchFailures {
  data: { error: string; count: number }[];
  /** How many documents failed with these and other errors. */
  total: number;
}

/** A member of the organization. Times are ISO 8601. */
export interface PersonInfo {
  id: string;
  name: string;
  email: string;
  role: AppRole;
  joinedAt: string;
  /** Whether this is the visitor. */
  isYou: boolean;
}

/** A sign-in link for a person, which works once. */
export interface PersonLink {
  /** null when the person belongs to other organizations too: the link would give access to those as well. */
  url: string | null;
  expiresAt: string;
  /** `off`: no mail server is configured. */
  mail: "sent" | "failed" | "off";
}

/** An optional capability of a plugin. */
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
  /** null when the package cannot be read. */
  kind: PluginKind | null;
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, the name of the package, or its folder. */
  source: string;
  /** Why it cannot be used and how to fix that; null when it works. */
  fault: string | null;
  abilities: readonly PluginAbility[];
  /** The JSON Schema of its connections, with secrets as `writeOnly`; null when it has no connections. */
  settings: SettingsSchema | null;
}

/** A table of a platform, reached through a connection of the organization. */
export interface TableLocation {
  connectionId: string;
  /** Null when the platform has no bases. */
  baseId: string | null;
  tableId: string;
}

export interface ShownTable {
  id: string;
  name: string;
  fields: FieldInfo[];
}

/** A table, and where its documents can be stored. */
export interface OpenedTable extends ShownTable {
  connectionName: string;
  platform: { id: string; title: string };
  /** The field that names a record; null when there is none. */
  primaryFieldId: string | null;
  /** The fields that accept files. */
  fileFieldIds: string[];
  /** How long the links in fields that store an `expiring-link` work. */
  linkLifetimeHours: number;
  /** What can happen to the files that a cell already contains. */
  modes: readonly WriteMode[];
  /** The views whose records a button can take. */
  views: ViewInfo[];
  /** Whether a button can take all records without a file. */
  listsRows: boolean;
}

export interface TableRecord {
  id: string;
  /** From the primary field; its id without one. */
  name: string;
}

/** A field of a template, and the field of the table that fills it. */
export interface MappedField {
  name: string;
  label: string;
  type: FieldType;
  /** The collection that a link leads to. */
  target: string | null;
  /** The id of the table's field; "": the field remains empty; null: no field matches, and the user has to choose. */
  source: string | null;
}

/** A collection of a template, and the table that fills it. */
export interface MappedCollection {
  id: string;
  label: string;
  table: ShownTable;
  fields: MappedField[];
  /** The values of the first record as text, by the id of the table's field. */
  samples: Record<string, string>;
}

/** The user's choices of table fields, by `collection.field`; `""` for fields that remain empty. */
export type ChosenSources = Readonly<Record<string, string>>;
