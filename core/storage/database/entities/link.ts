import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { Format } from "../../../plugin-api/index.js";
import { flag, id, instant, json, line } from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";
import { User } from "./user.js";

/** What a link's token may do, and whether it still may. Never changed but for its end and its last use. */
@Entity("link")
@Index("ix_link_list", ["organizationId", "createdAt", "id"])
export class Link {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_link_organization" })
  @Column(id)
  organizationId!: string;
  @Column(line) name!: string;
  @ForeignKey(() => Template, { name: "fk_link_template" })
  @Column(id)
  templateId!: string;
  @Column(line) platform!: string;
  /** Kept when the connection is gone: the link then says so. */
  @Column(id) connectionId!: string;
  @Column({ ...line, nullable: true }) baseId!: string | null;
  @Column(line) tableId!: string;
  /** As people know the table. */
  @Column(line) tableName!: string;
  /** The field that names a record to people. */
  @Column({ ...line, nullable: true }) primaryFieldId!: string | null;
  /** Where the files go; null when they go nowhere. */
  @Column({ ...line, nullable: true }) fieldId!: string | null;
  /** As people know that field. */
  @Column({ ...line, nullable: true }) fieldName!: string | null;
  @Column(json) formats!: Format[];
  @Column(flag) overwriteExisting!: boolean;
  @Column({ ...instant, nullable: true }) expiresAt!: Date | null;
  @Column({ ...instant, nullable: true }) revokedAt!: Date | null;
  /** In whose name its documents are made. */
  @ForeignKey(() => User, { name: "fk_link_created_by" })
  @Column(id)
  createdById!: string;
  @Column(instant) createdAt!: Date;
}
