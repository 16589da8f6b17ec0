import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { id } from "../columns.js";

/** The data of a batch's document, apart from its row, so that lists stay quick and it can be deleted by itself. */
@Entity("document_record")
@Index("ix_document_record_batch", ["batchId"])
export class DocumentRecord {
  @PrimaryColumn(id) documentId!: string;
  @Column(id) batchId!: string;
  /** The root record as JSON, read only when it is merged. */
  @Column({ type: "longtext" }) data!: string;
}
