import { Column, Entity, Index } from "typeorm";
import { References, UpdatableOrganizationRow, varchar } from "./columns.js";

/** A folder of templates or of assets. */
@Entity("folder")
@Index("ix_folder_list", ["organizationId", "kind", "createdAt", "id"])
export class Folder extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) parentId!: string | null;
  @Column(varchar(32)) kind!: "template" | "asset";
  @Column(varchar(255)) name!: string;
  @References("user") createdById!: string;
}
