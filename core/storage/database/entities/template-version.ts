import {
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from "typeorm";
import { count, hash, id, instant, json, text } from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";
import { User } from "./user.js";

/** A snapshot of a template's definition; never changed once written. */
@Entity("template_version")
@Index("ux_template_version_number", ["templateId", "version"], {
  unique: true,
})
export class TemplateVersion {
  /** `ver_` and a UUID. */
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_template_version_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Template, { name: "fk_template_version_template" })
  @Column(id)
  templateId!: string;
  @Column(count) version!: number;
  @Column(text) description!: string;
  @Column(json) definition!: Record<string, unknown>;
  @Column(hash) definitionHash!: string;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  @JoinColumn({
    name: "created_by_id",
    foreignKeyConstraintName: "fk_template_version_created_by",
  })
  createdBy?: User;
  @Column(instant) createdAt!: Date;
}
