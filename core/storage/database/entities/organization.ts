import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import type { Plan } from "../../../plugin-api/index.js";
import { id, instant, json, line, word } from "../columns.js";
import { User } from "./user.js";

export { type Plan, PLANS } from "../../../plugin-api/index.js";

@Entity("organization")
export class Organization {
  @PrimaryColumn(id) id!: string;
  @Column(line) name!: string;
  @Column(word) plan!: Plan;
  /** Stands for the organization where no person acts, so that `createdBy` is never null. */
  @ForeignKey(() => User, { name: "fk_organization_service_user" })
  @Column(id)
  serviceUserId!: string;
  /** Limits and choices of this organization alone. */
  @Column({ ...json, nullable: true }) settings!: Record<
    string,
    unknown
  > | null;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
