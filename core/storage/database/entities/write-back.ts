import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import {
  count,
  hash,
  id,
  instant,
  json,
  line,
  text,
  word,
} from "../columns.js";

export type WriteBackStatus = "pending" | "succeeded" | "failed";

/**
 * One file on its way into a cell. `sent`: a write was begun, and whether it arrived is not known, or not written down
 * yet.
 */
export interface WrittenFile {
  label: string;
  state: "waiting" | "sent" | "written";
  /** As the platform knows it, where it told. */
  remoteId: string | null;
}

/** The files of one document on their way into a record's attachment field, and the ledger of what was written. */
@Entity("write_back")
@Index("ix_write_back_batch", ["batchId", "status"])
@Index("ix_write_back_cell", ["cell"])
export class WriteBack {
  @PrimaryColumn(id) documentId!: string;
  @Column(id) batchId!: string;
  @Column(id) organizationId!: string;
  @Column(line) recordId!: string;
  /** Equal for all that is written to the same cell. */
  @Column(hash) cell!: string;
  @Column(word) status!: WriteBackStatus;
  /** Failures since it was last asked for. */
  @Column(count) attempts!: number;
  @Column(json) files!: WrittenFile[];
  /** Why the last attempt failed, in words for the caller. */
  @Column({ ...text, nullable: true }) error!: string | null;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
  @Column({ ...instant, nullable: true }) completedAt!: Date | null;
}
