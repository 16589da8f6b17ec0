import { type Log, PlatenError } from "../plugin-api/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import {
  GroupCommit,
  OutboxEvent,
  type Store,
  WebhookDelivery,
  WebhookEndpoint,
  databaseNow,
} from "../storage/database/index.js";
import type { SecretBox } from "../lib/secrets.js";
import type { AttemptCounts } from "./attempt-counts.js";
import type { CompletionGate } from "./completion-gate.js";
import type { EventSettings } from "./event-settings.js";
import { TEST_EVENT } from "./events.js";
import { messageOf } from "./message.js";
import type { Parcel } from "./parcel.js";
import type { NoteAct } from "./ports.js";
import { type AttemptResult, sendMessage, unsent } from "./send-message.js";
import { type MadeAttempt, settleAttempts } from "./settle-attempt.js";
import { signedHeaders } from "./signature.js";

/** Beyond this, a delivery's time is not yet come: its job was woken early. */
const toleranceMs = 1000;

/** Answers that come so close together are recorded together. */
const together = { gatherMs: 10, most: 16 };

interface Ports {
  store: Store;
  outbound: Pick<Outbound, "fetch">;
  secrets: SecretBox;
  gate: CompletionGate;
  counts: AttemptCounts;
  noteAct: NoteAct;
  settings: EventSettings;
  log: Log;
  userAgent: string;
}

/**
 * Makes the attempts. An attempt that a crash cut off is made again under the same `webhook-id`, by which the receiver
 * knows it.
 */
export class Deliverer {
  readonly #settled: GroupCommit<MadeAttempt, number | null>;

  constructor(private readonly ports: Ports) {
    this.#settled = new GroupCommit(
      ports.store.unitOfWork,
      (tx, attempts) => settleAttempts(tx, attempts, ports),
      together,
    );
  }

  /** What a job does: one attempt, unless the delivery has ended or its time is not yet come. */
  async run(job: RunningJob): Promise<JobOutcome> {
    const parcel = await this.load(job.rowId);
    if (parcel === null || parcel.delivery.status !== "pending") return;
    const early = await this.untilDue(parcel.delivery);
    if (early > 0) return { again: early };
    const next = await this.attempt(parcel, (tx) => job.forget(tx));
    return next === null ? undefined : { again: next };
  }

  /** One attempt and its record. @returns in how many milliseconds the next one is due; null when it has ended. */
  async attempt(
    parcel: Parcel,
    forget: RunningJob["forget"],
  ): Promise<number | null> {
    const { gate, counts, log } = this.ports;
    const { delivery } = parcel;
    const { endpointId, batchId } = delivery;
    const result = isOpen(parcel) ? await this.send(parcel) : null;
    if (result !== null) counts.add(result.outcome);
    const wait = await this.#settled.run({ parcel, result, forget });
    log.debug(
      { deliveryId: delivery.id, endpointId, batchId, ...result, body: null },
      "webhook attempt",
    );
    if (wait === null && batchId !== null)
      await gate.release({ endpointId, batchId });
    return wait;
  }

  /** Null when the row is gone. */
  async load(id: string): Promise<Parcel | null> {
    const { read } = this.ports.store;
    const delivery = await read.findOneBy(WebhookDelivery, { id });
    if (delivery === null) return null;
    const [event, endpoint] = await Promise.all([
      read.findOneByOrFail(OutboxEvent, { id: delivery.eventId }),
      read.findOneByOrFail(WebhookEndpoint, { id: delivery.endpointId }),
    ]);
    return { delivery, event, endpoint };
  }

  /** The database is asked only when our own clock says that it is early: ours may be wrong. */
  private async untilDue({ nextAttemptAt }: WebhookDelivery): Promise<number> {
    const due = nextAttemptAt?.getTime() ?? 0;
    if (due <= Date.now() + toleranceMs) return 0;
    const now = await databaseNow(this.ports.store.read);
    const early = due - now.getTime();
    return early > toleranceMs ? early : 0;
  }

  private async send({
    delivery,
    event,
    endpoint,
  }: Parcel): Promise<AttemptResult> {
    const { outbound, settings, userAgent } = this.ports;
    const sentAt = new Date();
    try {
      const body = messageOf(event, delivery.notes);
      const message = { id: delivery.id, sentAt, body };
      const headers = {
        "content-type": "application/json",
        "user-agent": userAgent,
        ...signedHeaders(await this.secretsOf(endpoint, sentAt), message),
      };
      const outgoing = { url: endpoint.url, headers, body };
      return await sendMessage(outbound, outgoing, settings.timeoutMs);
    } catch (error) {
      if (!(error instanceof PlatenError))
        this.ports.log.error(
          { err: error, deliveryId: delivery.id },
          "a webhook was not sent",
        );
      return unsent(error, sentAt);
    }
  }

  private async secretsOf(
    { id, secret, previousSecret, previousSecretUntil }: WebhookEndpoint,
    now: Date,
  ): Promise<string[]> {
    const hasPrevious =
      previousSecret !== null &&
      previousSecretUntil !== null &&
      previousSecretUntil > now;
    const sealed = hasPrevious ? [secret, previousSecret] : [secret];
    return Promise.all(sealed.map((text) => this.ports.secrets.open(text, id)));
  }
}

/** A test goes out whether the endpoint is enabled or not. */
function isOpen({ endpoint, event }: Parcel): boolean {
  if (endpoint.deletedAt !== null) return false;
  return endpoint.isEnabled || event.type === TEST_EVENT;
}
