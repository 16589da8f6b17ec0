import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { count, id, instant, text, word } from "../columns.js";
import { WebhookDelivery } from "./webhook-delivery.js";

/** How one attempt ended: an answer of 2xx, any other answer, or none at all. */
export type AttemptOutcome = "delivered" | "refused" | "unreachable";

/** One request to an endpoint, and what came of it. */
@Entity("webhook_attempt")
@Index("ix_webhook_attempt_list", ["deliveryId", "number"])
export class WebhookAttempt {
  @PrimaryColumn(id) id!: string;
  @ForeignKey(() => WebhookDelivery, { name: "fk_webhook_attempt_delivery" })
  @Column(id)
  deliveryId!: string;
  /** From 1, replays counted on. */
  @Column(count) number!: number;
  /** Where it went: the endpoint may have been moved since. */
  @Column({ type: "varchar", length: 2048 }) url!: string;
  @Column(word) outcome!: AttemptOutcome;
  @Column({ ...count, nullable: true }) responseStatus!: number | null;
  /** Its first 16 kB. */
  @Column({ type: "longtext", nullable: true }) responseBody!: string | null;
  @Column({ ...text, nullable: true }) error!: string | null;
  @Column(count) durationMs!: number;
  @Column(instant) createdAt!: Date;
}
