import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import {
  boolean,
  datetime,
  id,
  int,
  json,
  longtext,
  nullable,
  OrganizationRow,
  References,
  text,
  UpdatableOrganizationRow,
  varchar,
} from "./columns.js";

/** An event, written in the transaction of its change; only `dispatchedAt` ever changes. */
@Entity("outbox_event")
@Index("ix_outbox_event_dispatch", ["dispatchedAt", "id"])
@Index("ix_outbox_event_batch", ["batchId", "dispatchedAt"])
@Index("ix_outbox_event_created", ["createdAt"])
export class OutboxEvent extends OrganizationRow {
  /** Such as `document.succeeded`. */
  @Column(varchar(32)) type!: string;
  @Column(nullable(id)) batchId!: string | null;
  /** Null for events of a batch or of neither. */
  @Column(nullable(id)) documentId!: string | null;
  /** The payload. */
  @Column(json) data!: Record<string, unknown>;
  /** When its deliveries were created. */
  @Column(nullable(datetime)) dispatchedAt!: Date | null;
}

/** A URL that receives events. */
@Entity("webhook_endpoint")
@Index("ix_webhook_endpoint_list", ["organizationId", "createdAt", "id"])
export class WebhookEndpoint extends UpdatableOrganizationRow {
  @Column(varchar(2048)) url!: string;
  @Column(nullable(text)) description!: string | null;
  /** The event types that it receives. */
  @Column(json) events!: string[];
  /** Encrypted. */
  @Column(longtext) secret!: string;
  /** The secret before a rotation, encrypted; also signs until `previousSecretUntil`. */
  @Column(nullable(longtext)) previousSecret!: string | null;
  @Column(nullable(datetime)) previousSecretUntil!: Date | null;
  @Column(boolean) isEnabled!: boolean;
  /** Why and when it was disabled; null while it is enabled. */
  @Column(nullable(text)) disabledReason!: string | null;
  @Column(nullable(datetime)) disabledAt!: Date | null;
  /** The first failed attempt since the last success. */
  @Column(nullable(datetime)) failingSince!: Date | null;
  /** Null when the operator created it on the command line. */
  @References("user", { nullable: true }) createdById!: string | null;
  /** The row is deleted with the last of its deliveries, which are kept for a while. */
  @Column(nullable(datetime)) deletedAt!: Date | null;
}

const DELIVERY_STATUSES = [
  "held",
  "pending",
  "delivered",
  "exhausted",
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What is added to the payload of a delivery. */
export interface DeliveryNotes {
  /** Documents of the batch whose deliveries failed. */
  exhausted?: string[];
  /** Documents whose deliveries were still pending when the wait ended. */
  pending?: string[];
  /** The wait was cut short. */
  holdEnded?: boolean;
  /** The lists that are incomplete. */
  truncated?: string[];
}

/** One event for one endpoint; unique for the two. */
@Entity("webhook_delivery")
@Index("ux_webhook_delivery", ["eventId", "endpointId"], { unique: true })
@Index("ix_webhook_delivery_due", ["status", "nextAttemptAt"])
@Index("ix_webhook_delivery_list", ["endpointId", "createdAt", "id"])
@Index("ix_webhook_delivery_state", ["endpointId", "status", "createdAt", "id"])
@Index("ix_webhook_delivery_ended", ["completedAt"])
@Index("ix_webhook_delivery_batch", ["batchId", "endpointId", "status"])
export class WebhookDelivery {
  /** Sent as `webhook-id` with every attempt. */
  @PrimaryColumn(id) id!: string;
  @Column(id) organizationId!: string;
  @References("outbox_event") eventId!: string;
  @References("webhook_endpoint") endpointId!: string;
  @Column(varchar(32)) type!: string;
  @Column(nullable(id)) batchId!: string | null;
  @Column(nullable(id)) documentId!: string | null;
  @Column(varchar(32)) status!: DeliveryStatus;
  /** All finished attempts, including those before a replay; also the expected value when an attempt is saved. */
  @Column(int) attempts!: number;
  /** Attempts since the last replay, which the retry schedule counts. */
  @Column(int) tries!: number;
  /** When the next attempt is due; null when none is scheduled. */
  @Column(nullable(datetime)) nextAttemptAt!: Date | null;
  /** When a held delivery is sent at the latest. */
  @Column(nullable(datetime)) holdUntil!: Date | null;
  @Column(nullable(json)) notes!: DeliveryNotes | null;
  /** Why the last attempt failed or was not made. */
  @Column(nullable(text)) lastError!: string | null;
  /** HTTP status of the last response. */
  @Column(nullable(int)) lastStatus!: number | null;
  /** When it became delivered or exhausted. */
  @Column(nullable(datetime)) completedAt!: Date | null;
  @Column(datetime) createdAt!: Date;
  @Column(datetime) updatedAt!: Date;
}

/** A 2xx response, any other response, or none. */
export type AttemptOutcome = "delivered" | "refused" | "unreachable";

/** One request to an endpoint and its result. */
@Entity("webhook_attempt")
@Index("ix_webhook_attempt_list", ["deliveryId", "number"])
export class WebhookAttempt {
  @PrimaryColumn(id) id!: string;
  @References("webhook_delivery") deliveryId!: string;
  /** From 1; replays continue the count. */
  @Column(int) number!: number;
  /** The URL at that time. */
  @Column(varchar(2048)) url!: string;
  @Column(varchar(32)) outcome!: AttemptOutcome;
  @Column(nullable(int)) responseStatus!: number | null;
  /** Its first 16 kB. */
  @Column(nullable(longtext)) responseBody!: string | null;
  @Column(nullable(text)) error!: string | null;
  @Column(int) durationMs!: number;
  @Column(datetime) createdAt!: Date;
}
