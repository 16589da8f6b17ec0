import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { FieldBox, SignerStatus } from "../../../plugin-api/index.js";
import { count, id, instant, json, line, text, word } from "../columns.js";
import { Organization } from "./organization.js";

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

/** One who signs, and how far they are. */
export interface RequestSubmitter {
  role: string;
  email: string;
  name: string | null;
  /** From 0; equal ones sign side by side. */
  order: number;
  /** Filled in beforehand; empty once the provider has them. */
  values: Record<string, unknown>;
  status: SignerStatus;
  /** Where they sign, when the provider tells. */
  url: string | null;
  /** Why they declined. */
  reason: string | null;
}

/** The PDF that is to be signed. */
export interface SigningSource {
  storageKey: string;
  /** Without extension. */
  fileName: string;
  pages: number;
}

/** One document on its way through an e-signature provider; core/signatures/index.ts lists its states. */
@Entity("signature_request")
@Index("ix_signature_request_list", ["organizationId", "createdAt", "id"])
@Index("ux_signature_request_document", ["documentId"], { unique: true })
@Index("ix_signature_request_external", ["connectionId", "externalId"])
@Index("ix_signature_request_due", ["status", "nextLookAt"])
@Index("ix_signature_request_ended", ["completedAt"])
export class SignatureRequest {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_signature_request_organization" })
  @Column(id)
  organizationId!: string;
  @Column(id) documentId!: string;
  @Column({ ...id, nullable: true }) batchId!: string | null;
  @Column(id) connectionId!: string;
  /** The plugin's id. */
  @Column(line) provider!: string;
  @Column(word) status!: SignatureStatus;
  /** As the provider knows it; null until it has it. */
  @Column({ ...line, nullable: true }) externalId!: string | null;
  @Column(text) title!: string;
  @Column({ ...json, nullable: true }) message!: {
    subject?: string;
    body?: string;
  } | null;
  @Column({ ...instant, nullable: true }) expiresAt!: Date | null;
  @Column(json) submitters!: RequestSubmitter[];
  /** Empty once the provider has them. */
  @Column(json) boxes!: FieldBox[];
  /** What the provider could not take over, in words for users. */
  @Column(json) warnings!: string[];
  /** Null once the provider has it. */
  @Column({ ...json, nullable: true }) source!: SigningSource | null;
  /** When it was last sent without an answer: it may be at the provider. Null: it surely is not. */
  @Column({ ...instant, nullable: true }) sentAt!: Date | null;
  /** How often the provider was asked for it in vain since then. */
  @Column(count) lookups!: number;
  /** Starts that were refused, and may be tried again. */
  @Column(count) attempts!: number;
  /** Why it failed, or what is in its way at the moment, in words for the caller. */
  @Column({ ...text, nullable: true }) error!: string | null;
  /** When it is to be worked on next; null once it has ended. */
  @Column({ ...instant, nullable: true }) nextLookAt!: Date | null;
  @Column(id) createdById!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
  /** When the provider had it. */
  @Column({ ...instant, nullable: true }) startedAt!: Date | null;
  /** When it ended, well or badly. */
  @Column({ ...instant, nullable: true }) completedAt!: Date | null;
}
