import { Column, Entity, Index, ManyToOne } from "typeorm";
import {
  boolean,
  datetime,
  hash,
  id,
  int,
  json,
  longtext,
  nullable,
  OrganizationRow,
  References,
  text,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";
import { User } from "./accounts.js";

/** The source of a template's records (its root connection). */
export interface DataSourceRef {
  platform: string | null;
  connectionId: string | null;
  baseId: string | null;
  tableId: string | null;
}

@Entity("template")
@Index("ix_template_created", ["organizationId", "createdAt", "id"])
@Index("ix_template_updated", ["organizationId", "updatedAt", "id"])
export class Template extends UpdatableOrganizationRow {
  @References("folder", { nullable: true }) folderId!: string | null;
  @Column(varchar(255)) name!: string;
  /** The name in lower case, so that every database searches all alphabets the same way. */
  @Column(varchar(512)) searchName!: string;
  @Column(nullable(text)) description!: string | null;
  @Column(varchar(32)) templateType!: "document" | "email";
  @Column(nullable(json)) dataSource!: DataSourceRef | null;
  @Column(nullable(varchar(255))) thumbnailKey!: string | null;
  @Column(boolean) isActive!: boolean;
  @Column(boolean) isFavorite!: boolean;
  /** When it was moved to the trash. */
  @Column(nullable(datetime)) trashedAt!: Date | null;
  @References("user", { nullable: true }) trashedById!: string | null;
  /** Number of the newest version. */
  @Column(int) version!: number;
  /** The live definition, normalized. */
  @Column(json) definition!: Record<string, unknown>;
  /** SHA-256 of the live definition: equal hashes have equal compiled programs. */
  @Column(hash) definitionHash!: string;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
}

/** A snapshot of a template's definition, never changed. Ids are `ver_` and a UUID. */
@Entity("template_version")
@Index("ux_template_version_number", ["templateId", "version"], {
  unique: true,
})
export class TemplateVersion extends OrganizationRow {
  @References("template") templateId!: string;
  @Column(int) version!: number;
  @Column(text) description!: string;
  @Column(json) definition!: Record<string, unknown>;
  @Column(hash) definitionHash!: string;
  @Column(id) createdById!: string;
  @ManyToOne(() => User)
  createdBy?: User;
}

/** Unpublished changes. All but the revision is null while there is no draft. */
@Entity("template_draft")
export class TemplateDraft {
  @References("template", { primary: true }) templateId!: string;
  @References("organization") organizationId!: string;
  /** Only ever grows, so that saving an outdated draft is detected even after a new draft was started. */
  @Column(int) revision!: number;
  /** As it was saved; it may be invalid. */
  @Column(nullable(json))
  definition!: Record<string, unknown> | null;
  /** The published definition that it is based on. */
  @Column(nullable(json))
  baseDefinition!: Record<string, unknown> | null;
  @Column(nullable(hash)) baseHash!: string | null;
  @Column(nullable(datetime)) baseUpdatedAt!: Date | null;
  @Column(nullable(int)) baseVersion!: number | null;
  @Column(nullable(id)) savedById!: string | null;
  @ManyToOne(() => User)
  savedBy?: User | null;
  @Column(nullable(datetime)) savedAt!: Date | null;
}

/** A record that the template was rendered with, offered in the studio; deleted soon. */
@Entity("recent_payload")
@Index("ix_recent_payload_template", ["templateId", "createdAt"])
@Index("ix_recent_payload_created", ["createdAt"])
export class RecentPayload extends OrganizationRow {
  @References("template") templateId!: string;
  @Column(varchar(32)) source!: "document" | "batch";
  /** The root record as JSON. */
  @Column(longtext) data!: string;
}
