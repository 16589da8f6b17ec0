import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { id, instant, json, line, word } from "../columns.js";
import { Organization } from "./organization.js";

/** An administrative act; written in the transaction that did it, never changed. */
@Entity("audit_event")
@Index("ix_audit_event_list", ["organizationId", "createdAt", "id"])
export class AuditEvent {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => Organization, { name: "fk_audit_event_organization" })
  @Column({ ...id, nullable: true })
  organizationId!: string | null;
  /** Who acted: a user's id, or null for whoever runs the machine. */
  @Column({ ...id, nullable: true }) userId!: string | null;
  /** The key by which they acted, if by one. */
  @Column({ ...id, nullable: true }) keyId!: string | null;
  /** The door through which they came. */
  @Column(word) origin!: "cli" | "rest" | "mcp" | "studio" | "service";
  /** `<thing>.<act>`, such as `api_key.revoked`. */
  @Column({ ...line, length: 64 }) action!: string;
  /** The id of what it was done to. */
  @Column(id) subject!: string;
  @Column({ ...json, nullable: true }) details!: Record<string, unknown> | null;
  @Column(instant) createdAt!: Date;
}
