import { Column, Entity, PrimaryColumn } from "typeorm";
import { id, instant, json, line, word } from "../columns.js";

/** Of a batch of a platform's records: where their data is fetched, and where the files are written to. */
@Entity("record_batch")
export class RecordBatch {
  @PrimaryColumn(id) batchId!: string;
  @Column(id) organizationId!: string;
  @Column(id) connectionId!: string;
  @Column({ ...line, nullable: true }) baseId!: string | null;
  @Column(line) tableId!: string;
  /** The attachment field; null when nothing is written back. */
  @Column({ ...line, nullable: true }) fieldId!: string | null;
  /** As people know that field. */
  @Column({ ...line, nullable: true }) fieldName!: string | null;
  @Column(word) mode!: "append" | "replace";
  /** How links are walked and fields are mapped: checked when the batch was accepted, and kept to. */
  @Column(json) plan!: unknown;
  @Column(instant) createdAt!: Date;
}
