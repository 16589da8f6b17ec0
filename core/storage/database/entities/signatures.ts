import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import type { FieldBox, SignerStatus } from "../../../plugin-api/index.js";
import {
  datetime,
  hash,
  id,
  int,
  json,
  nullable,
  text,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";

const SIGNATURE_STATUSES = [
  "starting",
  "pending",
  "completed",
  "declined",
  "expired",
  "canceled",
  "failed",
] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

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
