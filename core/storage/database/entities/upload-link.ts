import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { hash, id, instant, line, word } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** Leave to store one file without a key, once and for a short time. */
@Entity("upload_link")
@Index("ix_upload_link_expiry", ["expiresAt"])
export class UploadLink {
  /** SHA-256 of the secret that is in its address. */
  @PrimaryColumn(hash) id!: string;
  @ForeignKey(() => Organization, { name: "fk_upload_link_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => User, { name: "fk_upload_link_created_by" })
  @Column(id)
  createdById!: string;
  /** Where the asset is to lie; looked up when the file comes, since the folder may be gone by then. */
  @Column({ ...id, nullable: true }) folderId!: string | null;
  @Column(line) name!: string;
  /** What the file has to be; null: whatever it is. */
  @Column({ ...word, nullable: true }) assetType!: "image" | "video" | null;
  @Column(instant) expiresAt!: Date;
  /** The asset that came of it: the link has been used. */
  @Column({ ...id, nullable: true }) assetId!: string | null;
  @Column(instant) createdAt!: Date;
}
