import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { hash, id, instant, json, line, word } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

@Entity("api_key")
@Index("ux_api_key_hash", ["hash"], { unique: true })
@Index("ix_api_key_organization", ["organizationId", "createdAt", "id"])
export class ApiKey {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_api_key_organization" })
  @Column(id)
  organizationId!: string;
  /** In whose name the key acts. */
  @ForeignKey(() => User, { name: "fk_api_key_user" })
  @Column(id)
  userId!: string;
  @Column(line) name!: string;
  /** The first characters of the key, by which a person knows it again. */
  @Column(word) prefix!: string;
  /** SHA-256 of the whole key, which itself is nowhere kept. */
  @Column(hash) hash!: string;
  @Column(json) scopes!: string[];
  /** Limits of this key alone. */
  @Column({ ...json, nullable: true }) settings!: Record<
    string,
    unknown
  > | null;
  @Column(instant) createdAt!: Date;
  @Column({ ...instant, nullable: true }) expiresAt!: Date | null;
  @Column({ ...instant, nullable: true }) revokedAt!: Date | null;
  @Column({ ...instant, nullable: true }) lastUsedAt!: Date | null;
}
