import { Column, Entity, Index, ManyToOne, PrimaryColumn } from "typeorm";
import type {
  DocumentStatus,
  Format,
  ImageType,
  Output,
} from "../../../plugin-api/index.js";
import {
  boolean,
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
import { User } from "./accounts.js";
import { Template } from "./templates.js";

export {
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from "../../../plugin-api/index.js";

/** One record rendered with one template. Ids are `doc_` and a UUID; rows outlive their files. */
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
