import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, line, word } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** A folder of templates or of assets. */
@Entity("folder")
@Index("ix_folder_list", ["organizationId", "kind", "createdAt", "id"])
export class Folder {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_folder_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Folder, { name: "fk_folder_parent" })
  @Column({ ...id, nullable: true })
  parentId!: string | null;
  @Column(word) kind!: "template" | "asset";
  @Column(line) name!: string;
  @ForeignKey(() => User, { name: "fk_folder_created_by" })
  @Column(id)
  createdById!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
