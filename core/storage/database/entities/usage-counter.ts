import { Entity, ForeignKey, PrimaryColumn, Column } from "typeorm";
import { big, id, word } from "../columns.js";
import { Organization } from "./organization.js";

/** What an organization used on one day; months are sums of days. */
@Entity("usage_counter")
export class UsageCounter {
  @ForeignKey(() => Organization, { name: "fk_usage_counter_organization" })
  @PrimaryColumn(id)
  organizationId!: string;
  /** In UTC, `2026-07-31`. */
  @PrimaryColumn({ type: "varchar", length: 10 }) day!: string;
  @PrimaryColumn(word) metric!: string;
  @Column(big) amount!: number;
}
