import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, json, word } from "../columns.js";
import { Organization } from "./organization.js";

/** What happened; written in the transaction that made it true, never changed but for `dispatchedAt`. */
@Entity("outbox_event")
@Index("ix_outbox_event_dispatch", ["dispatchedAt", "id"])
@Index("ix_outbox_event_batch", ["batchId", "dispatchedAt"])
@Index("ix_outbox_event_created", ["createdAt"])
export class OutboxEvent {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_outbox_event_organization" })
  @Column(id)
  organizationId!: string;
  /** Such as `document.succeeded`. */
  @Column(word) type!: string;
  @Column({ ...id, nullable: true }) batchId!: string | null;
  /** Null for what is of a whole batch, or of none. */
  @Column({ ...id, nullable: true }) documentId!: string | null;
  /** The payload, as the specification lists it. */
  @Column(json) data!: Record<string, unknown>;
  @Column(instant) createdAt!: Date;
  /** When its deliveries were made; null while they are not. */
  @Column({ ...instant, nullable: true }) dispatchedAt!: Date | null;
}
