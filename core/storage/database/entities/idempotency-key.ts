import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { hash, id, instant, line } from "../columns.js";
import { Organization } from "./organization.js";

/** A request that its sender may repeat: the first answer is given again. */
@Entity("idempotency_key")
@Index("ix_idempotency_key_forget", ["forgetAt"])
export class IdempotencyKey {
  @ForeignKey(() => Organization, { name: "fk_idempotency_key_organization" })
  @PrimaryColumn(id)
  organizationId!: string;
  /** The sender's own word. */
  @PrimaryColumn(line) key!: string;
  /** Proof of who works on it. */
  @Column(id) claim!: string;
  /** A claim whose time is over belongs to a process that died. */
  @Column(instant) claimedUntil!: Date;
  /** Keyed hash of the request; null until it is answered. */
  @Column({ ...hash, nullable: true }) fingerprint!: string | null;
  /** What whoever keeps it needs to answer again. */
  @Column({ type: "longtext", nullable: true }) answer!: string | null;
  @Column(instant) forgetAt!: Date;
}
