import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, word } from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";

/** A record that a template was rendered with, for whoever designs it; soon deleted. */
@Entity("recent_payload")
@Index("ix_recent_payload_template", ["templateId", "createdAt"])
@Index("ix_recent_payload_created", ["createdAt"])
export class RecentPayload {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_recent_payload_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Template, { name: "fk_recent_payload_template" })
  @Column(id)
  templateId!: string;
  /** How it came. */
  @Column(word) source!: "document" | "batch";
  /** The root record as JSON. */
  @Column({ type: "longtext" }) data!: string;
  @Column(instant) createdAt!: Date;
}
