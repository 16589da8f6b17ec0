import {
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from "typeorm";
import {
  count,
  flag,
  hash,
  id,
  instant,
  json,
  line,
  text,
  word,
} from "../columns.js";
import { Folder } from "./folder.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** Where a template's records come from (its root connection). */
export interface DataSourceRef {
  platform: string | null;
  connectionId: string | null;
  baseId: string | null;
  tableId: string | null;
}

@Entity("template")
@Index("ix_template_created", ["organizationId", "createdAt", "id"])
@Index("ix_template_updated", ["organizationId", "updatedAt", "id"])
export class Template {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_template_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Folder, { name: "fk_template_folder" })
  @Column({ ...id, nullable: true })
  folderId!: string | null;
  @Column(line) name!: string;
  /** The name in lower case, so that every database searches all alphabets alike. */
  @Column({ ...line, length: 512 }) searchName!: string;
  @Column({ ...text, nullable: true }) description!: string | null;
  @Column(word) templateType!: "document" | "email";
  @Column({ ...json, nullable: true }) dataSource!: DataSourceRef | null;
  @Column({ ...line, nullable: true }) thumbnailKey!: string | null;
  @Column(flag) isActive!: boolean;
  @Column(flag) isFavorite!: boolean;
  /** When it was put into the trash; null when it is not there. */
  @Column({ ...instant, nullable: true }) trashedAt!: Date | null;
  @ForeignKey(() => User, { name: "fk_template_trashed_by" })
  @Column({ ...id, nullable: true })
  trashedById!: string | null;
  /** Number of the newest snapshot. */
  @Column(count) version!: number;
  /** The live definition, normalized. */
  @Column(json) definition!: Record<string, unknown>;
  /** SHA-256 of the live definition's text: same hash, same program. */
  @Column(hash) definitionHash!: string;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  @JoinColumn({
    name: "created_by_id",
    foreignKeyConstraintName: "fk_template_created_by",
  })
  createdBy?: User;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
