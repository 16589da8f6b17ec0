import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { hash, instant } from "../columns.js";

/** A provider's notice that was taken: the same one is not taken again. */
@Entity("seen_notice")
@Index("ix_seen_notice_received", ["receivedAt"])
export class SeenNotice {
  /** Of its connection and of what names it. */
  @PrimaryColumn(hash) hash!: string;
  @Column(instant) receivedAt!: Date;
}
