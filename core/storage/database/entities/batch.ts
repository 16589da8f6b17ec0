import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { Format, ImageType } from "../../../plugin-api/index.js";
import { count, hash, id, instant, json, line, word } from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";
import { User } from "./user.js";

/** `accepting`: not all of its documents are written yet, and nobody is shown any of it. */
const BATCH_STATUSES = ["accepting", "queued", "running", "completed"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Records that were sent together: each is one document. */
@Entity("batch")
@Index("ix_batch_created", ["organizationId", "createdAt", "id"])
@Index("ix_batch_status", ["status", "organizationId"])
@Index("ix_batch_records", ["recordsPurgeAt"])
@Index("ux_batch_retry_of", ["retryOf"], { unique: true })
export class Batch {
  /** `batch_` and a UUID. */
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_batch_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Template, { name: "fk_batch_template" })
  @Column(id)
  templateId!: string;
  /** All of its documents are made from this snapshot, whatever becomes of the template meanwhile. */
  @Column(count) templateVersion!: number;
  @Column(hash) definitionHash!: string;
  @Column(word) status!: BatchStatus;
  @Column(count) totalCount!: number;
  /** Documents that are not terminal yet. */
  @Column(count) remaining!: number;
  /** Of documents that do not bring their own. */
  @Column(json) formats!: Format[];
  @Column(word) imageType!: ImageType;
  @Column({ ...json, nullable: true }) renderOptions!: Record<
    string,
    unknown
  > | null;
  /** Where its records are: their data is fetched after it was accepted. Null when they came with the request. */
  @Column({ ...line, nullable: true }) platform!: string | null;
  /** How its documents go to signing; null when they do not. */
  @Column({ ...json, nullable: true }) signing!: {
    /** Of a saved connection; without it, the template's. */
    esignConnection?: string;
  } | null;
  /** The batch whose failed documents these are; it can be retried once. */
  @Column({ ...id, nullable: true }) retryOf!: string | null;
  @Column({ ...instant, nullable: true }) cancelledAt!: Date | null;
  /** When the records of its documents are to be deleted; null while it runs, and when they are gone. */
  @Column({ ...instant, nullable: true }) recordsPurgeAt!: Date | null;
  @ForeignKey(() => User, { name: "fk_batch_created_by" })
  @Column(id)
  createdById!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
  @Column({ ...instant, nullable: true }) completedAt!: Date | null;
}
