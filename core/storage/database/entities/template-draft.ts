import {
  Column,
  Entity,
  ForeignKey,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from "typeorm";
import { count, hash, id, instant, json } from "../columns.js";
import { Organization } from "./organization.js";
import { Template } from "./template.js";
import { User } from "./user.js";

/** What is designed and not published. All but the revision is null while there is no draft. */
@Entity("template_draft")
export class TemplateDraft {
  @ForeignKey(() => Template, { name: "fk_template_draft_template" })
  @PrimaryColumn(id)
  templateId!: string;
  @ForeignKey(() => Organization, { name: "fk_template_draft_organization" })
  @Column(id)
  organizationId!: string;
  /** Only ever grows: whoever saves an old one is found out, even when another draft was begun meanwhile. */
  @Column(count) revision!: number;
  /** As it was written; it may have problems. */
  @Column({ ...json, nullable: true })
  definition!: Record<string, unknown> | null;
  /** The published definition from which it was made. */
  @Column({ ...json, nullable: true })
  baseDefinition!: Record<string, unknown> | null;
  @Column({ ...hash, nullable: true }) baseHash!: string | null;
  @Column({ ...instant, nullable: true }) baseUpdatedAt!: Date | null;
  @Column({ ...count, nullable: true }) baseVersion!: number | null;
  @Column({ ...id, nullable: true }) savedById!: string | null;
  @ManyToOne(() => User)
  @JoinColumn({
    name: "saved_by_id",
    foreignKeyConstraintName: "fk_template_draft_saved_by",
  })
  savedBy?: User | null;
  @Column({ ...instant, nullable: true }) savedAt!: Date | null;
}
