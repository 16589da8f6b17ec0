import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { hash, id, instant } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** An address by which one person signs in once. */
@Entity("login_link")
@Index("ux_login_link_hash", ["hash"], { unique: true })
@Index("ix_login_link_user", ["userId", "createdAt"])
@Index("ix_login_link_expiry", ["expiresAt"])
export class LoginLink {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => User, { name: "fk_login_link_user" })
  @Column(id)
  userId!: string;
  @ForeignKey(() => Organization, { name: "fk_login_link_organization" })
  @Column(id)
  organizationId!: string;
  /** SHA-256 of the address's token, which itself is nowhere kept. */
  @Column(hash) hash!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) expiresAt!: Date;
  /** Set by the one sign-in that it was good for. */
  @Column({ ...instant, nullable: true }) usedAt!: Date | null;
}
