import { Column, Entity, Index, PrimaryColumn, ManyToOne } from "typeorm";
import type {
  Plan,
  Format,
  ImageType,
  Output,
  FieldBox,
  SignerStatus,
} from "../../plugin-api/index.js";
import {
  bigint,
  datetime,
  hash,
  id,
  int,
  json,
  longblob,
  longtext,
  nullable,
  OrganizationRow,
  References,
  varchar,
  UpdatableOrganizationRow,
  boolean,
  text,
} from "./columns.js";
import type { DocumentStatus, MemberRole } from "./views.js";

export { type Plan, PLANS } from "../../plugin-api/index.js";

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
  /** Its brand kit; null until it has one. */
  @Column(nullable(json)) brand!: Record<string, unknown> | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

/** `service` is the built-in user of an organization; no person has it. */
export type Role = MemberRole | "service";

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

/** A program that asks for access by OAuth: one that has registered itself, or one whose id is the URL of its description. */
@Entity("oauth_client")
@Index("ux_oauth_client_id", ["clientId"], { unique: true })
@Index("ix_oauth_client_age", ["createdAt"])
export class OauthClient {
  @PrimaryColumn(id) id!: string;
  /** What the client calls itself in requests. */
  @Column(varchar(512)) clientId!: string;
  @Column(varchar(255)) name!: string;
  @Column(json) redirectUris!: string[];
  @Column(datetime) createdAt!: Date;
}

/** What a person has allowed a client to do in one organization. */
@Entity("oauth_grant")
@Index("ix_oauth_grant_organization", ["organizationId", "createdAt"])
@Index("ix_oauth_grant_user", ["userId", "organizationId"])
@Index("ix_oauth_grant_client", ["clientId"])
@Index("ix_oauth_grant_expiry", ["expiresAt"])
export class OauthGrant extends OrganizationRow {
  @References("user") userId!: string;
  @References("oauth_client") clientId!: string;
  /** The client's, as the person has read it. */
  @Column(varchar(255)) name!: string;
  /** Where the person was sent back to. */
  @Column(varchar(255)) redirectHost!: string;
  @Column(json) scopes!: string[];
  @Column(nullable(datetime)) lastUsedAt!: Date | null;
  /** Each refresh extends it. */
  @Column(datetime) expiresAt!: Date;
  @Column(nullable(datetime)) revokedAt!: Date | null;
}

/** A code, an access token or a refresh token of a grant; it never outlives the grant's time. */
@Entity("oauth_token")
@Index("ux_oauth_token_hash", ["hash"], { unique: true })
@Index("ix_oauth_token_grant", ["grantId", "kind"])
@Index("ix_oauth_token_expiry", ["expiresAt"])
export class OauthToken {
  @PrimaryColumn(id) id!: string;
  @References("oauth_grant") grantId!: string;
  @Column(varchar(16)) kind!: "code" | "access" | "refresh";
  /** SHA-256 of the token, which itself is not stored. */
  @Column(hash) hash!: string;
  @Column(json) scopes!: string[];
  /** Of a code. */
  @Column(nullable(varchar(2048))) redirectUri!: string | null;
  /** Of a code: the SHA-256 that its redeemer must know the origin of. */
  @Column(nullable(varchar(64))) codeChallenge!: string | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) expiresAt!: Date;
  /** When a code or refresh token was exchanged, which each can be once, or when a token was revoked. */
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
  @Column(nullable(id)) keyId!: string | null;
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

/** A folder of templates or of assets. */
@Entity("folder")
@Index("ix_folder_list", ["organizationId", "kind", "createdAt", "id"])
export class Folder extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) parentId!: string | null;
  @Column(varchar(32)) kind!: "template" | "asset";
  @Column(varchar(255)) name!: string;
  @References("user") createdById!: string;
}

/** The source of a template's records (its root connection). */
export interface DataSourceRef {
  platform: string | null;
  connectionId: string | null;
  baseId: string | null;
  tableId: string | null;
}

@Entity("template")
@Index("ux_template_inline", ["organizationId", "inlineHash"], { unique: true })
@Index("ix_template_created", ["organizationId", "createdAt", "id"])
@Index("ix_template_updated", ["organizationId", "updatedAt", "id"])
export class Template extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The name in lower case, so that every database searches all alphabets the same way. */
  @Column(varchar(512)) searchName!: string;
  @Column(nullable(text)) description!: string | null;
  @Column(varchar(32)) templateType!: "document" | "email";
  @Column(nullable(json)) dataSource!: DataSourceRef | null;
  @Column(nullable(varchar(255))) thumbnailKey!: string | null;
  @Column(boolean) isActive!: boolean;
  @Column(boolean) isFavorite!: boolean;
  @Column(nullable(datetime)) trashedAt!: Date | null;
  @References("user", { nullable: true }) trashedById!: string | null;
  /** Number of the newest version. */
  @Column(int) version!: number;
  /** The live definition, normalized. */
  @Column(json) definition!: Record<string, unknown>;
  /** SHA-256 of the live definition: equal hashes have equal compiled programs. */
  @Column(hash) definitionHash!: string;
  /** Of the live definition, with their current hashes; null when it uses none. */
  @Column(nullable(json)) partials!: UsedPartials | null;
  /** Where its documents are delivered unless a batch or link says otherwise; null for nowhere. */
  @Column(nullable(json)) deliver!: DeliverEntry[] | null;
  /**
   * Of the definition and type of a request that was rendered without a template; null for templates that people made.
   * Such a template is in no list and cannot be changed. In the trash, its definition is empty.
   */
  @Column(nullable(hash)) inlineHash!: string | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
}

/** The hashes of the partials that a definition uses, by name. */
export type UsedPartials = Record<string, string>;

/** A reusable block: components that templates use by name. */
@Entity("template_partial")
@Index("ux_template_partial_name", ["organizationId", "name"], { unique: true })
export class TemplatePartial extends UpdatableOrganizationRow {
  /** How definitions refer to it; never changed. */
  @Column(varchar(64)) name!: string;
  /** How people see it. */
  @Column(varchar(255)) title!: string;
  @Column(varchar(32)) templateType!: "document" | "email";
  @Column(json) components!: Record<string, unknown>[];
  /** SHA-256 of the components. */
  @Column(hash) hash!: string;
  /** Counts the changes. */
  @Column(int) version!: number;
  @Column(id) createdById!: string;
  @Column(id) updatedById!: string;
}

/** A snapshot of a template's definition, never changed. Ids are `ver_` and a UUID. */
@Entity("template_version")
@Index("ux_template_version_number", ["templateId", "version"], {
  unique: true,
})
export class TemplateVersion extends OrganizationRow {
  @References("template") templateId!: string;
  @Column(int) version!: number;
  @Column(text) description!: string;
  @Column(json) definition!: Record<string, unknown>;
  @Column(hash) definitionHash!: string;
  /** With their hashes at that time; null when it uses none. */
  @Column(nullable(json)) partials!: UsedPartials | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
}

/** Unpublished changes. All but the revision is null while there is no draft. */
@Entity("template_draft")
export class TemplateDraft {
  @References("template", { primary: true }) templateId!: string;
  @References("organization") organizationId!: string;
  /** Only ever grows, so that saving an outdated draft is detected even after a new draft was started. */
  @Column(int) revision!: number;
  /** As it was saved; it may be invalid. */
  @Column(nullable(json))
  definition!: Record<string, unknown> | null;
  /** The published definition that it is based on. */
  @Column(nullable(json))
  baseDefinition!: Record<string, unknown> | null;
  @Column(nullable(hash)) baseHash!: string | null;
  @Column(nullable(datetime)) baseUpdatedAt!: Date | null;
  @Column(nullable(int)) baseVersion!: number | null;
  @Column(nullable(id)) savedById!: string | null;
  @ManyToOne(() => User)
  savedBy?: User | null;
  @Column(nullable(datetime)) savedAt!: Date | null;
}

/** A record that the template was rendered with, offered in the studio; deleted soon. */
@Entity("recent_payload")
@Index("ix_recent_payload_template", ["templateId", "createdAt"])
@Index("ix_recent_payload_created", ["createdAt"])
export class RecentPayload extends OrganizationRow {
  @References("template") templateId!: string;
  @Column(varchar(32)) source!: "document" | "batch";
  /** The root record as JSON. */
  @Column(longtext) data!: string;
}

export type AssetType = "image" | "video" | "font" | "pdf";

/** An image, video, font or PDF; assets with equal content share one file. */
@Entity("asset")
@Index("ix_asset_list", ["organizationId", "createdAt", "id"])
@Index("ix_asset_type", ["organizationId", "assetType", "createdAt"])
@Index("ix_asset_content", ["organizationId", "contentHash"])
@Index("ix_asset_link", ["linkKey"])
export class Asset extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The name in lower case, so that every database searches all alphabets the same way. */
  @Column({ ...varchar(512), default: "" }) searchName!: string;
  @Column(varchar(32)) assetType!: AssetType;
  @Column(varchar(255)) mimeType!: string;
  @Column(bigint) sizeBytes!: number;
  @Column(hash) contentHash!: string;
  @Column(varchar(255)) storageKey!: string;
  /** The part of its URL that identifies it: cannot be guessed, and equal for equal files. */
  @Column({ ...id, default: "" }) linkKey!: string;
  /** Pixels; null for fonts and PDFs. */
  @Column(nullable(int)) width!: number | null;
  @Column(nullable(int)) height!: number | null;
  /** A still image of a video. */
  @Column(nullable(varchar(255))) posterKey!: string | null;
  /** By type: a font's family and weight, a video's duration. */
  @Column(nullable(json)) details!: Record<string, unknown> | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
  @Column(nullable(datetime)) trashedAt!: Date | null;
  @References("user", { nullable: true }) trashedById!: string | null;
}

/** Permission to upload one file without an API key; its id is the SHA-256 of the secret in its URL. */
@Entity("upload_link")
@Index("ix_upload_link_expiry", ["expiresAt"])
export class UploadLink extends OrganizationRow {
  @References("user") createdById!: string;
  /** The asset's folder, without a foreign key: it is checked when the file arrives. */
  @Column(nullable(id)) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The type that the file must have; null allows any. */
  @Column(nullable(varchar(32))) assetType!: "image" | "video" | null;
  @Column(datetime) expiresAt!: Date;
  /** The asset that was created; set once the link is used. */
  @Column(nullable(id)) assetId!: string | null;
}

/** One record rendered with one template. Ids are `doc_` and a UUID; rows outlive their files. */
@Entity("document")
@Index("ix_document_status", ["organizationId", "status", "createdAt", "id"])
@Index("ix_document_template", [
  "organizationId",
  "templateId",
  "createdAt",
  "id",
])
@Index("ix_document_template_status", [
  "organizationId",
  "templateId",
  "status",
  "createdAt",
  "id",
])
@Index("ix_document_search", [
  "organizationId",
  "createdAt",
  "id",
  "fileName",
  "templateId",
  "status",
])
@Index("ix_document_batch", ["batchId", "status"])
@Index("ux_document_batch_index", ["batchId", "batchIndex"], { unique: true })
@Index("ix_document_expiry", ["status", "expiresAt"])
@Index("ix_document_purge", ["purgeAt"])
export class Document extends UpdatableOrganizationRow {
  @Column(id) templateId!: string;
  @ManyToOne(() => Template)
  template?: Template;
  /** The requested version, or the newest one at that time. */
  @Column(int) templateVersion!: number;
  /** The definition that is rendered: the live one may differ from the newest version. */
  @Column(hash) definitionHash!: string;
  @Column(varchar(32)) status!: DocumentStatus;
  @Column(json) formats!: Format[];
  /** The locale that the request names; null for that of the record or the template. */
  @Column(nullable(varchar(64))) locale!: string | null;
  @Column(varchar(32)) imageType!: ImageType;
  @Column(boolean) isTest!: boolean;
  @Column(json) outputs!: Output[];
  /** The caller's keys, and the service's own below `platen`. */
  @Column(nullable(json)) metadata!: Record<string, unknown> | null;
  /** Without extension, for downloads. */
  @Column(nullable(varchar(255))) fileName!: string | null;
  /** Why it failed, as shown to the caller. */
  @Column(nullable(text)) error!: string | null;
  /** Renders that succeeded or failed. */
  @Column(int) attempts!: number;
  /** Renders that a process crash interrupted. */
  @Column(int) interruptions!: number;
  @Column(boolean) isRetrying!: boolean;
  @Column(nullable(id)) batchId!: string | null;
  /** 0-based position in its batch. */
  @Column(nullable(int)) batchIndex!: number | null;
  /** Fencing token of the worker that claimed this row; every update by the worker checks it. */
  @Column(nullable(id)) lockToken!: string | null;
  @Column(nullable(datetime)) lockedUntil!: Date | null;
  /** When links stop working and an unfinished document expires. */
  @Column(datetime) expiresAt!: Date;
  /** When the files are deleted; null when there are none. */
  @Column(nullable(datetime)) purgeAt!: Date | null;
  /** When it reached a terminal status. */
  @Column(nullable(datetime)) completedAt!: Date | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
}

/** A document's file that outlives the document's expiry. */
@Entity("kept_file")
@Index("ix_kept_file_document", ["documentId"])
export class KeptFile {
  @PrimaryColumn(varchar(255)) storageKey!: string;
  @Column(id) documentId!: string;
  /** Null: until this row is deleted. */
  @Column(nullable(datetime)) keepUntil!: Date | null;
}

/** `accepting`: its documents are still being written, and the batch is not visible yet. */
export type BatchStatus = "accepting" | "queued" | "running" | "completed";

/** Records that were sent together, each one document. Ids are `batch_` and a UUID. */
@Entity("batch")
@Index("ix_batch_created", ["organizationId", "createdAt", "id"])
@Index("ix_batch_status", ["status", "organizationId"])
@Index("ix_batch_records", ["recordsPurgeAt"])
@Index("ux_batch_retry_of", ["retryOf"], { unique: true })
export class Batch extends UpdatableOrganizationRow {
  @References("template") templateId!: string;
  /** All documents are rendered from this snapshot, even when the template changes meanwhile. */
  @Column(int) templateVersion!: number;
  @Column(hash) definitionHash!: string;
  @Column(varchar(32)) status!: BatchStatus;
  @Column(int) totalCount!: number;
  /** Documents that are not terminal yet. */
  @Column(int) remaining!: number;
  /** The default for its documents. */
  @Column(json) formats!: Format[];
  @Column(varchar(32)) imageType!: ImageType;
  @Column(nullable(json)) renderOptions!: Record<string, unknown> | null;
  /** Whether a document with any problem fails. */
  @Column({ ...boolean, default: false }) strict!: boolean;
  /** What happens to fields of its records that the schema does not declare. */
  @Column({ ...varchar(32), default: "allow" }) unknownFields!:
    "allow" | "warn" | "error";
  /** The platform whose records are fetched after acceptance; null when the request contains the data. */
  @Column(nullable(varchar(255))) platform!: string | null;
  /** The table of the file whose rows the records are; null for other batches. */
  @Column(nullable(json)) source!: {
    fileName: string;
    /** Null for a file that is one table. */
    sheet: string | null;
    columns: string[];
  } | null;
  /** Null when its documents are not sent for signature. */
  @Column(nullable(json)) signing!: {
    /** Id of a saved connection; defaults to the template's. */
    esignConnection?: string;
  } | null;
  /** Where its documents are delivered; null for nowhere. */
  @Column(nullable(json)) deliver!: PreparedDelivery[] | null;
  /** The batch whose failed documents are repeated; a batch can be retried once. */
  @Column(nullable(id)) retryOf!: string | null;
  @Column(nullable(datetime)) cancelledAt!: Date | null;
  /** When the records of its documents are deleted; null while it runs and after the deletion. */
  @Column(nullable(datetime)) recordsPurgeAt!: Date | null;
  /** The template's lists that are empty in its records; null until it is completed. */
  @Column(nullable(json)) emptyLists!: string[] | null;
  @References("user") createdById!: string;
  @Column(nullable(datetime)) completedAt!: Date | null;
}

/** How the documents of a batch become one file. */
export interface MergeOptions {
  /** `request`, or the path of the field of the record by which they are sorted. */
  order: string;
  descending: boolean;
  /** Id of the template that is rendered once and comes first. */
  cover?: string | undefined;
  /** `blank`: each document begins on an odd page. */
  separators?: "blank" | undefined;
  bookmarks: boolean;
  pageNumbers: boolean;
}

/** A document that is not in the merged file. */
export interface LeftOutDocument {
  documentId: string;
  batchIndex: number;
  reason: string;
}

/** The one file of a batch's documents, by the id of the batch. */
@Entity("batch_merge")
@Index("ix_batch_merge_status", ["status"])
@Index("ix_batch_merge_expires", ["expiresAt"])
export class BatchMerge {
  @PrimaryColumn(id) batchId!: string;
  @Column(id) organizationId!: string;
  @Column(json) options!: MergeOptions;
  /** `waiting` for the end of the batch. */
  @Column(varchar(32)) status!: "waiting" | "pending" | "succeeded" | "failed";
  @Column(nullable(int)) pageCount!: number | null;
  @Column(nullable(bigint)) sizeBytes!: number | null;
  /** Null until the file is stored, and after its expiry. */
  @Column(nullable(varchar(255))) storageKey!: string | null;
  @Column(nullable(json)) leftOut!: {
    count: number;
    /** At most 100. */
    documents: LeftOutDocument[];
  } | null;
  @Column(nullable(text)) error!: string | null;
  @Column(nullable(datetime)) expiresAt!: Date | null;
  @Column(datetime) updatedAt!: Date;
}

/** The data of a batch's document, in its own table so that lists stay fast and it can be deleted earlier. */
@Entity("document_record")
@Index("ix_document_record_batch", ["batchId"])
export class DocumentRecord {
  @PrimaryColumn(id) documentId!: string;
  @Column(id) batchId!: string;
  /** The root record as JSON. */
  @Column(longtext) data!: string;
  /** The cells of the row of a file as JSON, in the order of `Batch.source.columns`. */
  @Column(nullable(longtext)) source!: string | null;
}

/** A wake-up for a row of another table; only `core/queue` uses it. */
@Entity("job")
@Index("ix_job_ready", ["kind", "share", "readyAt"])
export class Job {
  @PrimaryColumn(id) kind!: string;
  @PrimaryColumn(id) rowId!: string;
  /** The partition among which workers are shared fairly; may be empty. */
  @Column(id) share!: string;
  /** When it may be claimed: its scheduled time, or the end of its lease while it runs. */
  @Column(datetime) readyAt!: Date;
  /** Runs that started and did not finish. */
  @Column(int) attempts!: number;
  /** Fencing token of the claim. */
  @Column(nullable(id)) lockToken!: string | null;
  /** The process that runs it, for diagnosis. */
  @Column(nullable(varchar(255))) lockedBy!: string | null;
  /** When it was requested again while it ran. */
  @Column(nullable(datetime)) wokenAt!: Date | null;
}

/** Saved access to an outside service through a plugin. */
@Entity("connection")
@Index("ix_connection_list", ["organizationId", "createdAt", "id"])
export class Connection extends UpdatableOrganizationRow {
  @Column(varchar(32)) kind!: "platform" | "esign" | "delivery";
  /** The plugin's id, kept while the plugin is not installed. */
  @Column(varchar(255)) plugin!: string;
  @Column(varchar(255)) name!: string;
  /** Encrypted; readable only with the key that `secretKeyId` names. */
  @Column(longtext) credentials!: string;
  @Column(varchar(32)) secretKeyId!: string;
  /** Settings that are not secret. */
  @Column(nullable(json)) settings!: Record<string, unknown> | null;
  @Column(varchar(32)) state!: "untested" | "working" | "failing";
  @Column(nullable(text)) lastError!: string | null;
  @Column(nullable(datetime)) lastCheckedAt!: Date | null;
  @References("user") createdById!: string;
}

/** A person who is at a platform to authorize a connection. Deleted when they come back. */
@Entity("connection_authorization")
@Index("ux_connection_authorization_hash", ["hash"], { unique: true })
@Index("ix_connection_authorization_expiry", ["expiresAt"])
export class ConnectionAuthorization extends OrganizationRow {
  /** The browser that may finish it. */
  @Column(id) sessionId!: string;
  /** SHA-256 of the `state`, which itself is not stored. */
  @Column(hash) hash!: string;
  /** Encrypted: the connection to save, and the PKCE verifier. */
  @Column(longtext) request!: string;
  @Column(datetime) expiresAt!: Date;
}

/** A view by id, with its name as shown to people; what the platform takes as a filter; or all records without a file. */
export type LinkRecords =
  | { viewId: string; viewName: string }
  | { filter: unknown }
  | { emptyAttachment: true };

/** What makes documents of a platform's table. */
abstract class TableRow extends OrganizationRow {
  @Column(varchar(255)) name!: string;
  @References("template") templateId!: string;
  @Column(varchar(255)) platform!: string;
  /** Stays when the connection is deleted, which the next use then reports. */
  @Column(id) connectionId!: string;
  @Column(nullable(varchar(255))) baseId!: string | null;
  @Column(varchar(255)) tableId!: string;
  /** As shown to people. */
  @Column(varchar(255)) tableName!: string;
  /** The attachment field that files are written to; null when they are not written. */
  @Column(nullable(varchar(255))) fieldId!: string | null;
  /** As shown to people. */
  @Column(nullable(varchar(255))) fieldName!: string | null;
  @Column(json) formats!: Format[];
  @Column(boolean) overwriteExisting!: boolean;
  /** Where its documents are delivered; null: where the template says. */
  @Column(nullable(json)) deliver!: DeliverEntry[] | null;
  /** The user on whose behalf its documents are created. */
  @References("user") createdById!: string;
}

/** What a run link's token allows; only `revokedAt` ever changes. */
@Entity("link")
@Index("ix_link_list", ["organizationId", "createdAt", "id"])
export class Link extends TableRow {
  /** The field with the name of each record. */
  @Column(nullable(varchar(255))) primaryFieldId!: string | null;
  /** The records that it takes; null when its address names them. */
  @Column(nullable(json)) records!: LinkRecords | null;
  @Column(nullable(datetime)) expiresAt!: Date | null;
  @Column(nullable(datetime)) revokedAt!: Date | null;
  /** Since when it creates nothing; null when it works. */
  @Column(nullable(datetime)) pausedAt!: Date | null;
}

/** One use of a link, written with its batch: a second one with the same id creates nothing. */
@Entity("link_run")
@Index("ix_link_run_link", ["linkId", "createdAt"])
export class LinkRun {
  @PrimaryColumn(id) id!: string;
  @References("link") linkId!: string;
  @Column(id) organizationId!: string;
  @Column(id) batchId!: string;
  /** Names of the records by id, where known. */
  @Column(json) names!: Record<string, string>;
  @Column(datetime) createdAt!: Date;
}

/** When an automation runs: at the times of a schedule, or whenever it finds records that changed. */
export type AutomationTrigger =
  | { cron: string; timeZone: string }
  | { everyMinutes: number; startFrom: "now" | "beginning" };

/** Makes batches of a platform's records at set times. */
@Entity("automation")
@Index("ix_automation_list", ["organizationId", "createdAt", "id"])
@Index("ix_automation_due", ["nextRunAt"])
export class Automation extends TableRow {
  @Column(datetime) updatedAt!: Date;
  @Column(json) records!: LinkRecords;
  /** Passed to each batch. */
  @Column(nullable(json)) merge!: unknown;
  @Column(json) schedule!: AutomationTrigger;
  /** What happens to times at which no process was running. */
  @Column(varchar(32)) missedRuns!: "run-once" | "skip";
  /** Which records that were done are done again. */
  @Column(varchar(32)) repeatMode!: "changed" | "never" | "always";
  /** Since when it does not run by itself; null when it does. */
  @Column(nullable(datetime)) pausedAt!: Date | null;
  /** Why the service paused it; null when a person did. */
  @Column(nullable(text)) pausedReason!: string | null;
  /** Failed runs since the last one that did not fail. */
  @Column(int) failures!: number;
  /** When the records that exist at its start were noted; null until then, if they are to be noted. */
  @Column(nullable(datetime)) baselineAt!: Date | null;
  /** By the database's clock; null while it is paused. */
  @Column(nullable(datetime)) nextRunAt!: Date | null;
}

export type AutomationRunStatus =
  "waiting" | "running" | "accepted" | "empty" | "noted" | "skipped" | "failed";

/** A run of an automation, written before its work. There is one for each time at which it was due. */
@Entity("automation_run")
@Index("ux_automation_run_due", ["automationId", "dueAt"], { unique: true })
@Index("ix_automation_run_list", ["automationId", "createdAt", "id"])
@Index("ix_automation_run_status", ["status", "automationId"])
@Index("ix_automation_run_created", ["createdAt"])
export class AutomationRun extends OrganizationRow {
  @References("automation") automationId!: string;
  @Column(datetime) dueAt!: Date;
  @Column(varchar(32)) origin!: "schedule" | "change" | "manual";
  @Column(varchar(32)) status!: AutomationRunStatus;
  /** Attempts that failed for a reason that may pass. */
  @Column(int) attempts!: number;
  @Column(nullable(id)) batchId!: string | null;
  /** How many records the source selected; null until they are listed. */
  @Column(nullable(int)) selectedCount!: number | null;
  /** How many of them the batch has. */
  @Column(nullable(int)) documentCount!: number | null;
  @Column(nullable(text)) message!: string | null;
  @Column(nullable(datetime)) startedAt!: Date | null;
  @Column(nullable(datetime)) endedAt!: Date | null;
}

/** A record that an automation has done, written with its batch. */
@Entity("automation_record")
export class AutomationRecord {
  @References("automation", { primary: true }) automationId!: string;
  @PrimaryColumn(varchar(255)) recordId!: string;
  /** The version that was done; see `RecordVersions`. */
  @Column(text) version!: string;
}

/**
 * A webhook by which a platform reports changes for an automation, written before it is created. It outlives its
 * automation until the webhook is deleted.
 */
@Entity("change_subscription")
@Index("ux_change_subscription_token", ["token"], { unique: true })
@Index("ix_change_subscription_due", ["nextAttemptAt"])
export class ChangeSubscription {
  /** No reference, since it outlives the automation. */
  @PrimaryColumn(id) automationId!: string;
  @Column(id) organizationId!: string;
  @Column(id) connectionId!: string;
  @Column(nullable(varchar(255))) baseId!: string | null;
  @Column(varchar(255)) tableId!: string;
  /** The secret part of the address. It only lets its holder make the automation look for changes. */
  @Column(varchar(64)) token!: string;
  /** The address that the platform was given last; null before the first time. */
  @Column(nullable(text)) url!: string | null;
  /** The platform's id of the webhook; null while there is none. */
  @Column(nullable(varchar(255))) remoteId!: string | null;
  /** Encrypted; null when the platform does not sign its notices. */
  @Column(nullable(longtext)) secret!: string | null;
  /** Why there is no webhook, as shown to people; null while none was tried, and when there is one. */
  @Column(nullable(text)) message!: string | null;
  /** Since when it is no longer wanted; null while it is. */
  @Column(nullable(datetime)) endedAt!: Date | null;
  /** Failures in a row. */
  @Column(int) attempts!: number;
  /** When it is created, extended or deleted next, by the database's clock. */
  @Column(datetime) nextAttemptAt!: Date;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

@Entity("signing_certificate")
@Index("ux_signing_certificate_organization", ["organizationId"], {
  unique: true,
})
export class SigningCertificate extends OrganizationRow {
  /** As base64 of DER: its own, then those of the authorities that issued it. */
  @Column(json) certificates!: string[];
  /** As base64 of PKCS#8, encrypted. */
  @Column(longtext) privateKey!: string;
  @Column(nullable(text)) timestampUrl!: string | null;
  /** How long a timestamp of the server was when it was tried. */
  @Column(nullable(int)) timestampBytes!: number | null;
}

/** One period of a sequence of numbers, such as the invoices of a year; see core/documents/numbers.ts. */
@Entity("number_sequence")
@Index("ux_number_sequence_period", ["organizationId", "name", "period"], {
  unique: true,
})
export class NumberSequence extends UpdatableOrganizationRow {
  @Column(varchar(64)) name!: string;
  /** Such as "2026" or "2026-03"; empty when its numbers never restart. */
  @Column(varchar(16)) period!: string;
  /** How the document that got the newest number writes it. */
  @Column(varchar(64)) pattern!: string;
  @Column(int) nextValue!: number;
}

/** A number of a sequence. Without `confirmedAt`, it is reserved, or free once `reservedUntil` has passed or is null. */
@Entity("sequence_number")
@Index("ux_sequence_number_value", ["sequenceId", "value"], { unique: true })
@Index("ix_sequence_number_document", ["documentId"])
@Index("ix_sequence_number_open", ["sequenceId", "confirmedAt", "value"])
export class SequenceNumber {
  @PrimaryColumn(id) id!: string;
  @References("number_sequence") sequenceId!: string;
  @Column(int) value!: number;
  /** As its document prints it. */
  @Column(varchar(80)) text!: string;
  /** No reference: a number is reserved before its document has a row, and outlives it. */
  @Column(nullable(id)) documentId!: string | null;
  /** Of the reservation. */
  @Column(nullable(id)) token!: string | null;
  @Column(nullable(datetime)) reservedUntil!: Date | null;
  @Column(nullable(datetime)) confirmedAt!: Date | null;
  @Column(datetime) createdAt!: Date;
}

/**
 * A text that a document was rendered to. One row is written and read faster than a file, and it is committed with its
 * document.
 */
@Entity("document_text")
export class DocumentText {
  /** No reference, which each insert would check: it is written with its document, and rows of documents stay. */
  @PrimaryColumn(id) documentId!: string;
  @PrimaryColumn(varchar(16)) format!: string;
  /** UTF-8, compressed to about a third, so that less has to reach the disk. See `createText`. */
  @Column(longblob) content!: Buffer;
  @Column(datetime) createdAt!: Date;
}

/** How many rows of a long list were created before a moment; see `ListCounts`. */
@Entity("list_count")
export class ListCount {
  @PrimaryColumn(varchar(255)) list!: string;
  @Column(int) rowCount!: number;
  @Column(datetime) createdBefore!: Date;
  /** When all of them were last counted; later rows were added to that. */
  @Column(datetime) countedAt!: Date;
}

/** For a batch of a platform's records: where to fetch data and where to write files. */
@Entity("record_batch")
export class RecordBatch {
  @PrimaryColumn(id) batchId!: string;
  @Column(id) organizationId!: string;
  @Column(id) connectionId!: string;
  @Column(nullable(varchar(255))) baseId!: string | null;
  @Column(varchar(255)) tableId!: string;
  /** The attachment field that files are written to; null when they are not written. */
  @Column(nullable(varchar(255))) fieldId!: string | null;
  /** As shown to people. */
  @Column(nullable(varchar(255))) fieldName!: string | null;
  @Column(varchar(32)) mode!: "append" | "replace";
  /** The validated plan for fetching linked records and mapping fields. */
  @Column(json) plan!: unknown;
  /** Whether someone waits for it: its jobs go before the organization's others. */
  @Column({ ...boolean, default: false }) isUrgent!: boolean;
  @Column(datetime) createdAt!: Date;
}

export type WriteBackStatus = "pending" | "succeeded" | "failed";

/**
 * One file to write into a cell. `sent`: a write was started and its result is not recorded.
 */
export interface WrittenFile {
  label: string;
  state: "waiting" | "sent" | "written";
  /** The platform's id, if it returned one. */
  remoteId: string | null;
}

/** The files of one document to write into a record's attachment field, and which of them are written. */
@Entity("write_back")
@Index("ix_write_back_batch", ["batchId", "status"])
@Index("ix_write_back_cell", ["cell"])
export class WriteBack {
  @PrimaryColumn(id) documentId!: string;
  @Column(id) batchId!: string;
  @Column(id) organizationId!: string;
  @Column(varchar(255)) recordId!: string;
  /** Equal for rows that write to the same cell. */
  @Column(hash) cell!: string;
  @Column(varchar(32)) status!: WriteBackStatus;
  /** Failures since the last request. */
  @Column(int) attempts!: number;
  @Column(json) files!: WrittenFile[];
  /** Why the last attempt failed or what it waits for, as shown to the caller. */
  @Column(nullable(text)) error!: string | null;
  /** When a pending one may be tried, by the database's clock; null when it has ended. */
  @Column(nullable(datetime)) nextAttemptAt!: Date | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
  @Column(nullable(datetime)) completedAt!: Date | null;
}

/**
 * Where documents are delivered, as a request says it: a connection and the options of a delivery. Its other properties
 * are the target, which the connection's delivery method declares.
 */
export type DeliverEntry = {
  /** The id of a connection; `email`, or left out: the mail server of the service. */
  connection?: string | undefined;
  /** Which files; default: all that were requested. */
  formats?: Format[] | undefined;
  /** The name of the file without extension; a text with expressions. */
  filename?: string | undefined;
  /** A text with expressions. */
  subject?: string | undefined;
  /** A text with expressions. */
  body?: string | undefined;
  /** The id of an email template, which is the body. */
  template?: string | undefined;
  files?: "attach" | "link" | undefined;
};

/** A checked entry, and what it refers to. */
export interface PreparedDelivery {
  /** Null: the mail server of the service. */
  connectionId: string | null;
  /** The id of the delivery method. */
  plugin: string;
  settings: DeliverEntry;
}

/**
 * `sending`: an attempt was started and its result is not recorded. `unknown`: it may have arrived, and is not sent again
 * unless a person asks for that.
 */
export type DeliveryState =
  "pending" | "sending" | "succeeded" | "failed" | "unknown";

/** One document on its way to one target; core/deliveries/index.ts describes its states. */
@Entity("delivery")
@Index("ix_delivery_batch", ["batchId", "status"])
@Index("ux_delivery_document", ["documentId", "position"], { unique: true })
@Index("ux_delivery_place", ["batchId", "place"], { unique: true })
export class Delivery extends UpdatableOrganizationRow {
  @Column(id) documentId!: string;
  @Column(nullable(id)) batchId!: string | null;
  /** Among the deliveries of its document. */
  @Column(int) position!: number;
  /** Null: the mail server of the service. */
  @Column(nullable(id)) connectionId!: string | null;
  /** The id of the delivery method. */
  @Column(varchar(255)) plugin!: string;
  @Column(varchar(32)) status!: DeliveryState;
  @Column(json) settings!: DeliverEntry;
  /** With the values of the expressions, from the first attempt on. */
  @Column(nullable(json)) target!: object | null;
  /** Identifies a file's place among those of its batch; null where two may be equal, as in a mailbox. */
  @Column(nullable(hash)) place!: string | null;
  @Column(nullable(json)) receipt!: {
    id: string;
    url?: string;
    warnings?: string[];
  } | null;
  /** Why the last attempt failed or what it waits for, as shown to the caller. */
  @Column(nullable(text)) error!: string | null;
  /** Attempts since the last request; waiting for a rate limit is none. */
  @Column(int) attempts!: number;
  /** Fencing token of the running attempt. */
  @Column(nullable(id)) lockToken!: string | null;
  /** When a pending one may be tried, by the database's clock; null when it has ended. */
  @Column(nullable(datetime)) nextAttemptAt!: Date | null;
  /** When a person last asked for another attempt. */
  @Column(nullable(datetime)) retriedAt!: Date | null;
  @Column(nullable(datetime)) completedAt!: Date | null;
}

export type SignatureStatus =
  | "starting"
  | "pending"
  | "completed"
  | "declined"
  | "expired"
  | "canceled"
  | "failed";

/** A signer and their progress. */
export interface RequestSubmitter {
  role: string;
  email: string;
  name: string | null;
  /** From 0; signers with the same order sign in parallel. */
  order: number;
  /** Prefilled values; empty once the provider has them. */
  values: Record<string, unknown>;
  status: SignerStatus;
  /** Where they sign, if the provider returns it. */
  url: string | null;
  /** Why they declined. */
  reason: string | null;
}

/** The PDF to sign. */
export interface SigningSource {
  storageKey: string;
  /** Without extension. */
  fileName: string;
  pages: number;
  /** Where signers go after they have signed. */
  redirectUrl?: string;
}

/** One document at an e-signature provider; core/signatures/index.ts describes its states. */
@Entity("signature_request")
@Index("ix_signature_request_list", ["organizationId", "createdAt", "id"])
@Index("ux_signature_request_document", ["documentId"], { unique: true })
@Index("ix_signature_request_external", ["connectionId", "externalId"])
@Index("ix_signature_request_due", ["status", "nextLookAt"])
@Index("ix_signature_request_ended", ["completedAt"])
export class SignatureRequest extends UpdatableOrganizationRow {
  @Column(id) documentId!: string;
  @Column(nullable(id)) batchId!: string | null;
  @Column(id) connectionId!: string;
  /** The plugin's id. */
  @Column(varchar(255)) provider!: string;
  @Column(varchar(32)) status!: SignatureStatus;
  /** The provider's id; null until it has the request. */
  @Column(nullable(varchar(255))) externalId!: string | null;
  @Column(text) title!: string;
  @Column(nullable(json)) message!: {
    subject?: string;
    body?: string;
  } | null;
  @Column(nullable(datetime)) expiresAt!: Date | null;
  @Column(json) submitters!: RequestSubmitter[];
  /** Empty once the provider has them. */
  @Column(json) boxes!: FieldBox[];
  /** What the provider does not support, as shown to users. */
  @Column(json) warnings!: string[];
  /** Null once the provider has it. */
  @Column(nullable(json)) source!: SigningSource | null;
  /** When it was last sent without a response, so that the provider may have it; null: it does not. */
  @Column(nullable(datetime)) sentAt!: Date | null;
  /** Unsuccessful lookups at the provider since then. */
  @Column(int) lookups!: number;
  /** Starts that failed and may be retried. */
  @Column(int) attempts!: number;
  /** Why it failed or is delayed, as shown to the caller. */
  @Column(nullable(text)) error!: string | null;
  /** When it is processed next; null once it has ended. */
  @Column(nullable(datetime)) nextLookAt!: Date | null;
  @Column(id) createdById!: string;
  /** When the provider accepted it. */
  @Column(nullable(datetime)) startedAt!: Date | null;
  /** When it reached a final status. */
  @Column(nullable(datetime)) completedAt!: Date | null;
}

/** A provider's notification that was processed, so that duplicates are ignored. */
@Entity("seen_notice")
@Index("ix_seen_notice_received", ["receivedAt"])
export class SeenNotice {
  /** Hash of the connection and the notification's identity. */
  @PrimaryColumn(hash) hash!: string;
  @Column(datetime) receivedAt!: Date;
}

/** An event, written in the transaction of its change; only `dispatchedAt` ever changes. */
@Entity("outbox_event")
@Index("ix_outbox_event_dispatch", ["dispatchedAt", "id"])
@Index("ix_outbox_event_batch", ["batchId", "dispatchedAt"])
@Index("ix_outbox_event_created", ["createdAt"])
export class OutboxEvent extends OrganizationRow {
  /** Such as `document.succeeded`. */
  @Column(varchar(32)) type!: string;
  @Column(nullable(id)) batchId!: string | null;
  /** Null for events of a batch or of neither. */
  @Column(nullable(id)) documentId!: string | null;
  @Column(json) data!: Record<string, unknown>;
  /** When its deliveries were created. */
  @Column(nullable(datetime)) dispatchedAt!: Date | null;
}

@Entity("webhook_endpoint")
@Index("ix_webhook_endpoint_list", ["organizationId", "createdAt", "id"])
export class WebhookEndpoint extends UpdatableOrganizationRow {
  @Column(varchar(2048)) url!: string;
  @Column(nullable(text)) description!: string | null;
  /** The event types that it receives. */
  @Column(json) events!: string[];
  /** Encrypted. */
  @Column(longtext) secret!: string;
  /** The secret before a rotation, encrypted; also signs until `previousSecretUntil`. */
  @Column(nullable(longtext)) previousSecret!: string | null;
  @Column(nullable(datetime)) previousSecretUntil!: Date | null;
  @Column(boolean) isEnabled!: boolean;
  /** Why and when it was disabled; null while it is enabled. */
  @Column(nullable(text)) disabledReason!: string | null;
  @Column(nullable(datetime)) disabledAt!: Date | null;
  /** The first failed attempt since the last success. */
  @Column(nullable(datetime)) failingSince!: Date | null;
  /** Null when the operator created it on the command line. */
  @References("user", { nullable: true }) createdById!: string | null;
  /** The row is deleted with the last of its deliveries, which are kept for a while. */
  @Column(nullable(datetime)) deletedAt!: Date | null;
}

export type DeliveryStatus = "held" | "pending" | "delivered" | "exhausted";

/** What is added to the payload of a delivery. */
export interface DeliveryNotes {
  /** Documents of the batch whose deliveries failed. */
  exhausted?: string[];
  /** Documents whose deliveries were still pending when the wait ended. */
  pending?: string[];
  /** The wait was cut short. */
  holdEnded?: boolean;
  /** The lists that are incomplete. */
  truncated?: string[];
}

/** One event for one endpoint; unique for the two. */
@Entity("webhook_delivery")
@Index("ux_webhook_delivery", ["eventId", "endpointId"], { unique: true })
@Index("ix_webhook_delivery_due", ["status", "nextAttemptAt"])
@Index("ix_webhook_delivery_list", ["endpointId", "createdAt", "id"])
@Index("ix_webhook_delivery_state", ["endpointId", "status", "createdAt", "id"])
@Index("ix_webhook_delivery_ended", ["completedAt"])
@Index("ix_webhook_delivery_batch", ["batchId", "endpointId", "status"])
export class WebhookDelivery {
  /** Sent as `webhook-id` with every attempt. */
  @PrimaryColumn(id) id!: string;
  @Column(id) organizationId!: string;
  @References("outbox_event") eventId!: string;
  @References("webhook_endpoint") endpointId!: string;
  @Column(varchar(32)) type!: string;
  @Column(nullable(id)) batchId!: string | null;
  @Column(nullable(id)) documentId!: string | null;
  @Column(varchar(32)) status!: DeliveryStatus;
  /** All finished attempts, including those before a replay; also the expected value when an attempt is saved. */
  @Column(int) attempts!: number;
  /** Attempts since the last replay, which the retry schedule counts. */
  @Column(int) tries!: number;
  /** When the next attempt is due; null when none is scheduled. */
  @Column(nullable(datetime)) nextAttemptAt!: Date | null;
  /** When a held delivery is sent at the latest. */
  @Column(nullable(datetime)) holdUntil!: Date | null;
  @Column(nullable(json)) notes!: DeliveryNotes | null;
  /** Why the last attempt failed or was not made. */
  @Column(nullable(text)) lastError!: string | null;
  /** HTTP status of the last response. */
  @Column(nullable(int)) lastStatus!: number | null;
  /** When it became delivered or exhausted. */
  @Column(nullable(datetime)) completedAt!: Date | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

/** A 2xx response, any other response, or none. */
export type AttemptOutcome = "delivered" | "refused" | "unreachable";

/** One request to an endpoint and its result. */
@Entity("webhook_attempt")
@Index("ix_webhook_attempt_list", ["deliveryId", "number"])
export class WebhookAttempt {
  @PrimaryColumn(id) id!: string;
  @References("webhook_delivery") deliveryId!: string;
  /** From 1; replays continue the count. */
  @Column(int) number!: number;
  /** The URL at that time. */
  @Column(varchar(2048)) url!: string;
  @Column(varchar(32)) outcome!: AttemptOutcome;
  @Column(nullable(int)) responseStatus!: number | null;
  /** Its first 16 kB. */
  @Column(nullable(longtext)) responseBody!: string | null;
  @Column(nullable(text)) error!: string | null;
  @Column(int) durationMs!: number;
  @Column(datetime) createdAt!: Date;
}
