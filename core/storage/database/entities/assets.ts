import { Column, Entity, Index, ManyToOne } from "typeorm";
import {
  bigint,
  datetime,
  hash,
  id,
  int,
  json,
  nullable,
  OrganizationRow,
  References,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";
import { User } from "./accounts.js";

export type AssetType = "image" | "video" | "font" | "pdf";

/** An image, video, font or PDF; assets with equal content share one file. */
@Entity("asset")
@Index("ix_asset_list", ["organizationId", "createdAt", "id"])
@Index("ix_asset_type", ["organizationId", "assetType", "createdAt"])
@Index("ix_asset_content", ["organizationId", "contentHash"])
@Index("ix_asset_link", ["linkKey"])
export class Asset extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The name in lower case, so that every database searches all alphabets the same way. */
  @Column({ ...varchar(512), default: "" }) searchName!: string;
  @Column(varchar(32)) assetType!: AssetType;
  @Column(varchar(255)) mimeType!: string;
  @Column(bigint) sizeBytes!: number;
  @Column(hash) contentHash!: string;
  @Column(varchar(255)) storageKey!: string;
  /** The part of its URL that identifies it: cannot be guessed, and equal for equal files. */
  @Column({ ...id, default: "" }) linkKey!: string;
  /** Pixels; null for fonts and PDFs. */
  @Column(nullable(int)) width!: number | null;
  @Column(nullable(int)) height!: number | null;
  /** A still image of a video. */
  @Column(nullable(varchar(255))) posterKey!: string | null;
  /** By type: a font's family and weight, a video's duration. */
  @Column(nullable(json)) details!: Record<string, unknown> | null;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
  @Column(nullable(datetime)) trashedAt!: Date | null;
  @References("user", { nullable: true }) trashedById!: string | null;
}

/** Permission to upload one file without an API key; its id is the SHA-256 of the secret in its URL. */
@Entity("upload_link")
@Index("ix_upload_link_expiry", ["expiresAt"])
export class UploadLink extends OrganizationRow {
  @References("user") createdById!: string;
  /** The asset's folder, without a foreign key: it is checked when the file arrives. */
  @Column(nullable(id)) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The type that the file must have; null allows any. */
  @Column(nullable(varchar(32))) assetType!: "image" | "video" | null;
  @Column(datetime) expiresAt!: Date;
  /** The asset that was created; set once the link is used. */
  @Column(nullable(id)) assetId!: string | null;
}
