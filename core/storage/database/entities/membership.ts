import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, word } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

export const ROLES = ["owner", "editor", "viewer"] as const;
/** `service` is the built-in user of an organization; no person has it. */
export type Role = (typeof ROLES)[number] | "service";

@Entity("membership")
@Index("ix_membership_user", ["userId"])
export class Membership {
  @ForeignKey(() => Organization, { name: "fk_membership_organization" })
  @PrimaryColumn(id)
  organizationId!: string;
  @ForeignKey(() => User, { name: "fk_membership_user" })
  @PrimaryColumn(id)
  userId!: string;
  @Column(word) role!: Role;
  @Column(instant) createdAt!: Date;
}
