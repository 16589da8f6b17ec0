import {
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from "typeorm";
import { big, count, hash, id, instant, json, line, word } from "../columns.js";
import { Folder } from "./folder.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

export type AssetType = "image" | "video" | "font" | "pdf";

/** A picture, video, font or PDF of an organization; several may share one file, kept by its content's hash. */
@Entity("asset")
@Index("ix_asset_list", ["organizationId", "createdAt", "id"])
@Index("ix_asset_type", ["organizationId", "assetType", "createdAt"])
@Index("ix_asset_content", ["organizationId", "contentHash"])
@Index("ix_asset_link", ["linkKey"])
export class Asset {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_asset_organization" })
  @Column(id)
  organizationId!: string;
  @ForeignKey(() => Folder, { name: "fk_asset_folder" })
  @Column({ ...id, nullable: true })
  folderId!: string | null;
  @Column(line) name!: string;
  /** The name in lower case, so that every database searches all alphabets alike. */
  @Column({ ...line, length: 512, default: "" }) searchName!: string;
  @Column(word) assetType!: AssetType;
  @Column(line) mimeType!: string;
  @Column(big) sizeBytes!: number;
  @Column(hash) contentHash!: string;
  @Column(line) storageKey!: string;
  /** What its address has in the place of a name: cannot be guessed, and is the same for equal files. */
  @Column({ ...id, default: "" }) linkKey!: string;
  /** Pixels; null for what has no size. */
  @Column({ ...count, nullable: true }) width!: number | null;
  @Column({ ...count, nullable: true }) height!: number | null;
  /** A video's still picture. */
  @Column({ ...line, nullable: true }) posterKey!: string | null;
  /** What else its kind needs: a font's family and weight, a video's length. */
  @Column({ ...json, nullable: true }) details!: Record<string, unknown> | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  @JoinColumn({
    name: "created_by_id",
    foreignKeyConstraintName: "fk_asset_created_by",
  })
  createdBy?: User;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
  @Column({ ...instant, nullable: true }) trashedAt!: Date | null;
  @ForeignKey(() => User, { name: "fk_asset_trashed_by" })
  @Column({ ...id, nullable: true })
  trashedById!: string | null;
}
