import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, json, line, text, word } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** Saved access to an outside service through a plugin. */
@Entity("connection")
@Index("ix_connection_list", ["organizationId", "createdAt", "id"])
export class Connection {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_connection_organization" })
  @Column(id)
  organizationId!: string;
  @Column(word) kind!: "platform" | "esign";
  /** The plugin's id, kept while the plugin is not installed. */
  @Column(line) plugin!: string;
  @Column(line) name!: string;
  /** Encrypted; readable only with the key that `secretKeyId` names. */
  @Column({ type: "longtext" }) credentials!: string;
  @Column(word) secretKeyId!: string;
  /** Choices that are no secret. */
  @Column({ ...json, nullable: true }) settings!: Record<
    string,
    unknown
  > | null;
  @Column(word) state!: "untested" | "working" | "failing";
  @Column({ ...text, nullable: true }) lastError!: string | null;
  @Column({ ...instant, nullable: true }) lastCheckedAt!: Date | null;
  @ForeignKey(() => User, { name: "fk_connection_created_by" })
  @Column(id)
  createdById!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
