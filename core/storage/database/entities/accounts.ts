import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import type { Plan } from "../../../plugin-api/index.js";
import {
  bigint,
  datetime,
  hash,
  id,
  int,
  json,
  longtext,
  nullable,
  OrganizationRow,
  References,
  varchar,
} from "./columns.js";

export { type Plan, PLANS } from "../../../plugin-api/index.js";

@Entity("user")
@Index("ux_user_email", ["email"], { unique: true })
export class User {
  @PrimaryColumn(id) id!: string;
  @Column(varchar(255)) name!: string;
  /** In lower case: the same address belongs to one user. */
  @Column(varchar(255)) email!: string;
  /** URL of a portrait. */
  @Column(nullable(varchar(2048))) image!: string | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

@Entity("organization")
export class Organization {
  @PrimaryColumn(id) id!: string;
  @Column(varchar(255)) name!: string;
  @Column(varchar(32)) plan!: Plan;
  /** The creator of what no person creates, so that `createdBy` is never null. */
  @References("user") serviceUserId!: string;
  /** Limits and preferences of this organization. */
  @Column(nullable(json)) settings!: Record<string, unknown> | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

export const ROLES = ["owner", "editor", "viewer"] as const;
/** `service` is the built-in user of an organization; no person has it. */
export type Role = (typeof ROLES)[number] | "service";

@Entity("membership")
@Index("ix_membership_user", ["userId"])
export class Membership {
  @References("organization", { primary: true }) organizationId!: string;
  @References("user", { primary: true }) userId!: string;
  @Column(varchar(32)) role!: Role;
  @Column(datetime) createdAt!: Date;
}

@Entity("api_key")
@Index("ux_api_key_hash", ["hash"], { unique: true })
@Index("ix_api_key_organization", ["organizationId", "createdAt", "id"])
export class ApiKey extends OrganizationRow {
  /** The user on whose behalf the key acts. */
  @References("user") userId!: string;
  @Column(varchar(255)) name!: string;
  /** The first characters of the key, so that people can recognize it. */
  @Column(varchar(32)) prefix!: string;
  /** SHA-256 of the key, which itself is not stored. */
  @Column(hash) hash!: string;
  @Column(json) scopes!: string[];
  /** Limits of this key. */
  @Column(nullable(json)) settings!: Record<string, unknown> | null;
  @Column(nullable(datetime)) expiresAt!: Date | null;
  @Column(nullable(datetime)) revokedAt!: Date | null;
  @Column(nullable(datetime)) lastUsedAt!: Date | null;
}

/** A browser in which a person is signed in; its organization is the one that the browser shows. */
@Entity("session")
@Index("ux_session_hash", ["hash"], { unique: true })
@Index("ix_session_user", ["userId", "createdAt"])
@Index("ix_session_expiry", ["expiresAt"])
export class Session extends OrganizationRow {
  @References("user") userId!: string;
  /** SHA-256 of the cookie's token, which itself is not stored. */
  @Column(hash) hash!: string;
  /** So that people can recognize the browser. */
  @Column(varchar(255)) userAgent!: string;
  @Column(datetime) lastSeenAt!: Date;
  /** Use does not extend it. */
  @Column(datetime) expiresAt!: Date;
  @Column(nullable(datetime)) revokedAt!: Date | null;
}

/** A URL with which one person signs in once. */
@Entity("login_link")
@Index("ux_login_link_hash", ["hash"], { unique: true })
@Index("ix_login_link_user", ["userId", "createdAt"])
@Index("ix_login_link_expiry", ["expiresAt"])
export class LoginLink extends OrganizationRow {
  @References("user") userId!: string;
  /** SHA-256 of the URL's token, which itself is not stored. */
  @Column(hash) hash!: string;
  @Column(datetime) expiresAt!: Date;
  @Column(nullable(datetime)) usedAt!: Date | null;
}

/** An administrative action; written in the same transaction, never changed. */
@Entity("audit_event")
@Index("ix_audit_event_list", ["organizationId", "createdAt", "id"])
export class AuditEvent {
  @PrimaryColumn(id) id!: string;
  @References("organization", { nullable: true }) organizationId!:
    string | null;
  /** Null for the operator of the machine. */
  @Column(nullable(id)) userId!: string | null;
  /** The API key that was used, if any. */
  @Column(nullable(id)) keyId!: string | null;
  /** The interface that was used. */
  @Column(varchar(32)) origin!: "cli" | "rest" | "mcp" | "studio" | "service";
  /** `<thing>.<act>`, such as `api_key.revoked`. */
  @Column(varchar(64)) action!: string;
  /** The id of the object of the action. */
  @Column(id) subject!: string;
  @Column(nullable(json)) details!: Record<string, unknown> | null;
  @Column(datetime) createdAt!: Date;
}

/** What an organization used on one day; months are sums of days. */
@Entity("usage_counter")
export class UsageCounter {
  @References("organization", { primary: true }) organizationId!: string;
  /** In UTC, `2026-07-31`. */
  @PrimaryColumn(varchar(10)) day!: string;
  @PrimaryColumn(varchar(32)) metric!: string;
  @Column(bigint) amount!: number;
}

/** A request that its sender may repeat: it gets the response of the first one. */
@Entity("idempotency_key")
@Index("ix_idempotency_key_forget", ["forgetAt"])
export class IdempotencyKey {
  @References("organization", { primary: true }) organizationId!: string;
  /** As the sender wrote it. */
  @PrimaryColumn(varchar(255)) key!: string;
  /** Identifies the process that handles the request. */
  @Column(id) claim!: string;
  /** An expired claim belongs to a process that died. */
  @Column(datetime) claimedUntil!: Date;
  /** Keyed hash of the request; null until it has a response. */
  @Column(nullable(hash)) fingerprint!: string | null;
  /** What is needed to send the response again. */
  @Column(nullable(longtext)) answer!: string | null;
  @Column(datetime) forgetAt!: Date;
}

/** The number of requests in one minute. */
@Entity("request_count")
export class RequestCount {
  /** An organization or an API key. */
  @PrimaryColumn(varchar(255)) bucket!: string;
  /** Minutes since 1970. */
  @PrimaryColumn(bigint) minute!: number;
  @Column(int) requests!: number;
}
