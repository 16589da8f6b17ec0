import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import type { Format } from "../../../plugin-api/index.js";
import {
  boolean,
  datetime,
  hash,
  id,
  int,
  json,
  longtext,
  nullable,
  OrganizationRow,
  References,
  text,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";

/** Saved access to an outside service through a plugin. */
@Entity("connection")
@Index("ix_connection_list", ["organizationId", "createdAt", "id"])
export class Connection extends UpdatableOrganizationRow {
  @Column(varchar(32)) kind!: "platform" | "esign";
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

/** What a run link's token allows; only `revokedAt` ever changes. */
@Entity("link")
@Index("ix_link_list", ["organizationId", "createdAt", "id"])
export class Link extends OrganizationRow {
  @Column(varchar(255)) name!: string;
  @References("template") templateId!: string;
  @Column(varchar(255)) platform!: string;
  /** Stays when the connection is deleted, which the link then reports. */
  @Column(id) connectionId!: string;
  @Column(nullable(varchar(255))) baseId!: string | null;
  @Column(varchar(255)) tableId!: string;
  /** As shown to people. */
  @Column(varchar(255)) tableName!: string;
  /** The field with the name of each record. */
  @Column(nullable(varchar(255))) primaryFieldId!: string | null;
  /** The attachment field that files are written to; null when they are not written. */
  @Column(nullable(varchar(255))) fieldId!: string | null;
  /** As shown to people. */
  @Column(nullable(varchar(255))) fieldName!: string | null;
  @Column(json) formats!: Format[];
  @Column(boolean) overwriteExisting!: boolean;
  @Column(nullable(datetime)) expiresAt!: Date | null;
  @Column(nullable(datetime)) revokedAt!: Date | null;
  /** The user on whose behalf its documents are created. */
  @References("user") createdById!: string;
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
  /** Why the last attempt failed, as shown to the caller. */
  @Column(nullable(text)) error!: string | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
  @Column(nullable(datetime)) completedAt!: Date | null;
}
