import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { flag, id, instant, json, text } from "../columns.js";
import { Organization } from "./organization.js";
import { User } from "./user.js";

/** An address that is told of events. */
@Entity("webhook_endpoint")
@Index("ix_webhook_endpoint_list", ["organizationId", "createdAt", "id"])
export class WebhookEndpoint {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_webhook_endpoint_organization" })
  @Column(id)
  organizationId!: string;
  @Column({ type: "varchar", length: 2048 }) url!: string;
  @Column({ ...text, nullable: true }) description!: string | null;
  /** The types that it is told of. */
  @Column(json) events!: string[];
  /** Encrypted. */
  @Column({ type: "longtext" }) secret!: string;
  /** The one before a rotation, encrypted; signs too until its time is over. */
  @Column({ type: "longtext", nullable: true }) previousSecret!: string | null;
  @Column({ ...instant, nullable: true }) previousSecretUntil!: Date | null;
  @Column(flag) isEnabled!: boolean;
  /** Why it was disabled, and when; null while it is enabled. */
  @Column({ ...text, nullable: true }) disabledReason!: string | null;
  @Column({ ...instant, nullable: true }) disabledAt!: Date | null;
  /** The first of the failed attempts since the last good one; null after a good one. */
  @Column({ ...instant, nullable: true }) failingSince!: Date | null;
  /** Null when whoever runs the machine made it. */
  @ForeignKey(() => User, { name: "fk_webhook_endpoint_created_by" })
  @Column({ ...id, nullable: true })
  createdById!: string | null;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
  /** Its deliveries are kept for a while, so the row is swept with the last of them. */
  @Column({ ...instant, nullable: true }) deletedAt!: Date | null;
}
