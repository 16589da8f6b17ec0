import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { id, instant, line } from "../columns.js";

/** A document's file that is kept beyond its document's expiry; the sweeps leave it alone until then. */
@Entity("kept_file")
@Index("ix_kept_file_document", ["documentId"])
export class KeptFile {
  @PrimaryColumn(line) storageKey!: string;
  @Column(id) documentId!: string;
  /** Null: until whoever keeps it lets it go. */
  @Column({ ...instant, nullable: true }) keepUntil!: Date | null;
}
