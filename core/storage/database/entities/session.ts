import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { hash, id, instant, line } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** A browser in which a person is signed in. */
@Entity("session")
@Index("ux_session_hash", ["hash"], { unique: true })
@Index("ix_session_user", ["userId", "createdAt"])
@Index("ix_session_expiry", ["expiresAt"])
export class Session {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => User, { name: "fk_session_user" })
  @Column(id)
  userId!: string;
  /** The one of the person's organizations that the browser shows. */
  @ForeignKey(() => Organization, { name: "fk_session_organization" })
  @Column(id)
  organizationId!: string;
  /** SHA-256 of the cookie's token, which itself is nowhere kept. */
  @Column(hash) hash!: string;
  /** What the browser calls itself, by which a person knows it again. */
  @Column(line) userAgent!: string;
  @Column(instant) createdAt!: Date;
  @Column(instant) lastSeenAt!: Date;
  /** When it ends, however much it is used. */
  @Column(instant) expiresAt!: Date;
  @Column({ ...instant, nullable: true }) revokedAt!: Date | null;
}
