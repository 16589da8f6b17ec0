import type { AppDrafts } from "./app-drafts.js";
import type { AppFields } from "./app-fields.js";
import type { AppAudit } from "./app-audit.js";
import type { AppPeople } from "./app-people.js";
import type { AppPlugins } from "./app-plugins.js";
import type { AppBatches, AppUsage } from "./app-ledgers.js";
import type { AppDocuments, AppTemplates } from "./app-lists.js";
import type { AppWizard } from "./app-wizard.js";
import type { Log } from "./log.js";
import type { PluginMeta } from "./plugin.js";

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
