import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { count, id, instant, json, text, word } from "../columns.js";
import { OutboxEvent } from "./outbox-event.js";
import { WebhookEndpoint } from "./webhook-endpoint.js";

const DELIVERY_STATUSES = [
  "held",
  "pending",
  "delivered",
  "exhausted",
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What stands beside the payload of a message. */
export interface DeliveryNotes {
  /** Documents of the batch that the endpoint could not be told of. */
  exhausted?: string[];
  /** Documents whose deliveries were still tried when the wait for them was over. */
  pending?: string[];
  /** The wait was ended before its time. */
  holdEnded?: boolean;
  /** What is not listed whole. */
  truncated?: string[];
}

/** One event on its way to one endpoint; there is never a second row for the two. */
@Entity("webhook_delivery")
@Index("ux_webhook_delivery", ["eventId", "endpointId"], { unique: true })
@Index("ix_webhook_delivery_due", ["status", "nextAttemptAt"])
@Index("ix_webhook_delivery_list", ["endpointId", "createdAt", "id"])
@Index("ix_webhook_delivery_state", ["endpointId", "status", "createdAt", "id"])
@Index("ix_webhook_delivery_ended", ["completedAt"])
@Index("ix_webhook_delivery_batch", ["batchId", "endpointId", "status"])
export class WebhookDelivery {
  /** Also the `webhook-id` of every attempt. */
  @PrimaryColumn(id) id!: string;
  @Column(id) organizationId!: string;
  @ForeignKey(() => OutboxEvent, { name: "fk_webhook_delivery_event" })
  @Column(id)
  eventId!: string;
  @ForeignKey(() => WebhookEndpoint, { name: "fk_webhook_delivery_endpoint" })
  @Column(id)
  endpointId!: string;
  @Column(word) type!: string;
  @Column({ ...id, nullable: true }) batchId!: string | null;
  @Column({ ...id, nullable: true }) documentId!: string | null;
  @Column(word) status!: DeliveryStatus;
  /** All attempts that ended, those before a replay too; whoever saves one names how many there were before it. */
  @Column(count) attempts!: number;
  /** Attempts that ended since the last replay: counts against the schedule. */
  @Column(count) tries!: number;
  /** When the next attempt is due; null when there is none to come, or not yet. */
  @Column({ ...instant, nullable: true }) nextAttemptAt!: Date | null;
  /** How long a held one waits at most. */
  @Column({ ...instant, nullable: true }) holdUntil!: Date | null;
  @Column({ ...json, nullable: true }) notes!: DeliveryNotes | null;
  /** Why the last attempt failed, or why there was none. */
  @Column({ ...text, nullable: true }) lastError!: string | null;
  /** The last answer's HTTP status. */
  @Column({ ...count, nullable: true }) lastStatus!: number | null;
  /** When it became delivered or exhausted. */
  @Column({ ...instant, nullable: true }) completedAt!: Date | null;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
