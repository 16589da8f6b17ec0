import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import type { Format, ImageType } from "../../../plugin-api/index.js";
import {
  datetime,
  hash,
  id,
  int,
  json,
  longtext,
  nullable,
  References,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";

/** `accepting`: its documents are still being written, and the batch is not visible yet. */
const BATCH_STATUSES = ["accepting", "queued", "running", "completed"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

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
  /** The platform whose records are fetched after acceptance; null when the request contains the data. */
  @Column(nullable(varchar(255))) platform!: string | null;
  /** Null when its documents are not sent for signature. */
  @Column(nullable(json)) signing!: {
    /** Id of a saved connection; defaults to the template's. */
    esignConnection?: string;
  } | null;
  /** The batch whose failed documents are repeated; a batch can be retried once. */
  @Column(nullable(id)) retryOf!: string | null;
  @Column(nullable(datetime)) cancelledAt!: Date | null;
  /** When the records of its documents are deleted; null while it runs and after the deletion. */
  @Column(nullable(datetime)) recordsPurgeAt!: Date | null;
  @References("user") createdById!: string;
  @Column(nullable(datetime)) completedAt!: Date | null;
}

/** The data of a batch's document, in its own table so that lists stay fast and it can be deleted earlier. */
@Entity("document_record")
@Index("ix_document_record_batch", ["batchId"])
export class DocumentRecord {
  @PrimaryColumn(id) documentId!: string;
  @Column(id) batchId!: string;
  /** The root record as JSON. */
  @Column(longtext) data!: string;
}
