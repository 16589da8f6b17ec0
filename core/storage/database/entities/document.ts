import {
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from "typeorm";
import type {
  DocumentStatus,
  Format,
  ImageType,
  Output,
} from "../../../plugin-api/index.js";
import {
  count,
  flag,
  hash,
  id,
  instant,
  json,
  line,
  text,
  word,
} from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";
import { User } from "./user.js";

export {
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from "../../../plugin-api/index.js";

/** One record merged into one template, from acceptance to its outputs and beyond their expiry. */
@Entity("document")
@Index("ix_document_created", ["organizationId", "createdAt", "id"])
@Index("ix_document_status", ["organizationId", "status", "createdAt", "id"])
@Index("ix_document_template", [
  "organizationId",
  "templateId",
  "createdAt",
  "id",
])
@Index("ix_document_batch", ["batchId", "status"])
@Index("ux_document_batch_index", ["batchId", "batchIndex"], { unique: true })
@Index("ix_document_expiry", ["status", "expiresAt"])
@Index("ix_document_purge", ["purgeAt"])
export class Document {
  /** `doc_` and a UUID. */
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_document_organization" })
  @Column(id)
  organizationId!: string;
  @Column(id) templateId!: string;
  @ManyToOne(() => Template)
  @JoinColumn({
    name: "template_id",
    foreignKeyConstraintName: "fk_document_template",
  })
  template?: Template;
  /** Number of the snapshot that was asked for, or of the newest one at that time. */
  @Column(count) templateVersion!: number;
  /** The definition that was merged: the live one may differ from its newest snapshot. */
  @Column(hash) definitionHash!: string;
  @Column(word) status!: DocumentStatus;
  @Column(json) formats!: Format[];
  @Column(word) imageType!: ImageType;
  @Column(flag) isTest!: boolean;
  @Column(json) outputs!: Output[];
  /** The caller's keys; ours stand below `platen`. */
  @Column({ ...json, nullable: true }) metadata!: Record<
    string,
    unknown
  > | null;
  /** Merged file name without extension, for downloads. */
  @Column({ ...line, nullable: true }) fileName!: string | null;
  /** Why it failed, in words for the caller. */
  @Column({ ...text, nullable: true }) error!: string | null;
  /** Renders begun that ended by themselves, well or badly. */
  @Column(count) attempts!: number;
  /** Renders that a crash of their process cut off. */
  @Column(count) interruptions!: number;
  @Column(flag) isRetrying!: boolean;
  @Column({ ...id, nullable: true }) batchId!: string | null;
  /** 0-based place in its batch. */
  @Column({ ...count, nullable: true }) batchIndex!: number | null;
  /** Proof of the claim by which a worker holds this row; every save of the worker names it. */
  @Column({ ...id, nullable: true }) lockToken!: string | null;
  @Column({ ...instant, nullable: true }) lockedUntil!: Date | null;
  /** When links stop working; an unfinished document expires then. */
  @Column(instant) expiresAt!: Date;
  /** When the files are to be deleted; null when there are none, or none any more. */
  @Column({ ...instant, nullable: true }) purgeAt!: Date | null;
  /** When it reached a terminal status. */
  @Column({ ...instant, nullable: true }) completedAt!: Date | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  @JoinColumn({
    name: "created_by_id",
    foreignKeyConstraintName: "fk_document_created_by",
  })
  createdBy?: User;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
