import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, json } from "../columns.js";
import { Link } from "./link.js";

/** One press of a link's button, written with the batch that it made: a second one with the same id makes nothing. */
@Entity("link_run")
@Index("ix_link_run_link", ["linkId", "createdAt"])
export class LinkRun {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Link, { name: "fk_link_run_link" })
  @Column(id)
  linkId!: string;
  @Column(id) organizationId!: string;
  @Column(id) batchId!: string;
  /** What people call the records, by their ids, as far as it is known. */
  @Column(json) names!: Record<string, string>;
  @Column(instant) createdAt!: Date;
}
