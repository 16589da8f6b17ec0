import type { MemberRole } from "../storage/database/views.js";

export type { MemberRole };

// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** A signed-in person in one of their organizations. */
export interface Visitor {
  sessionId: string;
  userId: string;
  organizationId: string;
  role: MemberRole;
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

export interface UserProfile {
  user: { id: string; name: string; email: string };
  organization: { id: string; name: string; plan: string };
  role: MemberRole;
  /** All organizations of the person. */
  organizations: { id: string; name: string }[];
  /** Those that the person has finished, hidden or declined, in any of their organizations. */
  endedGuides: Guide[];
}

/** What introduces people to the studio: the list of first steps, and the tour of the editor. */
export const GUIDES = ["first-steps", "tour"] as const;
export type Guide = (typeof GUIDES)[number];

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

export interface AuditEntry {
  id: string;
  /** An `AuditAction`, or a name that an older version wrote. */
  action: string;
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

/** Times are ISO 8601. */
export interface PersonInfo {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  joinedAt: string;
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

export interface ChangeAuthor {
  userId: string | null;
  /** Null for the operator of the machine and for the service. */
  name: string | null;
  origin: "cli" | "rest" | "mcp" | "studio" | "service";
}
