import {
  Between,
  type EntityManager,
  In,
  MoreThan,
  Not,
  type FindOptionsWhere,
} from "typeorm";
import { WebhookDelivery, getDatabaseTime } from "../storage/database/index.js";
import type { CompletionGate } from "./completion-gate.js";
import { DELIVERY_JOB, TEST_EVENT, toDeliveryJob } from "./events.js";
import type { EventPorts } from "./ports.js";

const rowsPerTransaction = 500;

const ENDED = ["delivered", "exhausted"] as const;
export type EndedStatus = (typeof ENDED)[number];

export interface ReplayRange {
  since: Date;
  until: Date;
  /** Default: both. */
  status?: EndedStatus | undefined;
}

/**
 * Sends ended deliveries again, with the same `webhook-id` and the full retry schedule. A batch's `documents.completed`
 * waits again for the batch's deliveries that are replayed with it.
 */
export class Replay {
  constructor(
    private readonly ports: Pick<EventPorts, "store" | "queue" | "settings">,
    private readonly gate: CompletionGate,
  ) {}

  /** @returns false when it has not ended, or does not exist. */
  async one(endpointId: string, id: string): Promise<boolean> {
    const replayed = await this.#restart({ id, endpointId, status: In(ENDED) });
    await this.#deliver(replayed);
    return replayed.length > 0;
  }

  /** Replays the deliveries created in the range, without tests. @returns how many. */
  async range(
    endpointId: string,
    { since, until, status }: ReplayRange,
  ): Promise<number> {
    const where = {
      endpointId,
      status: In(status ? [status] : ENDED),
      createdAt: Between(since, until),
      type: Not(TEST_EVENT),
    };
    const all: WebhookDelivery[] = [];
    for (let last = ""; ; last = all.at(-1)?.id ?? "") {
      const rows = await this.#restart({ ...where, id: MoreThan(last) });
      all.push(...rows);
      if (rows.length < rowsPerTransaction) break;
    }
    await this.#deliver(all);
    return all.length;
  }

  async #restart(
    where: FindOptionsWhere<WebhookDelivery>,
  ): Promise<WebhookDelivery[]> {
    const { store, queue } = this.ports;
    return store.unitOfWork.run(async (tx) => {
      const rows = await tx.find(WebhookDelivery, {
        where,
        order: { id: "ASC" },
        take: rowsPerTransaction,
      });
      const held = rows.filter(isBatchEvent);
      const due = rows.filter((row) => !isBatchEvent(row));
      await this.#reset(tx, held, "held");
      await this.#reset(tx, due, "pending");
      await queue.enqueue(tx, due.map(toDeliveryJob));
      return rows;
    });
  }

  async #reset(
    tx: EntityManager,
    rows: readonly WebhookDelivery[],
    status: "held" | "pending",
  ): Promise<void> {
    if (rows.length === 0) return;
    const now = await getDatabaseTime(tx);
    const holdUntil = new Date(now.getTime() + this.ports.settings.maxHoldMs);
    await tx.update(
      WebhookDelivery,
      { id: In(rows.map(({ id }) => id)) },
      {
        status,
        tries: 0,
        nextAttemptAt: status === "pending" ? now : null,
        holdUntil: status === "held" ? holdUntil : null,
        completedAt: null,
        updatedAt: now,
      },
    );
  }

  async #deliver(rows: readonly WebhookDelivery[]): Promise<void> {
    this.ports.queue.nudge(DELIVERY_JOB);
    for (const row of rows) {
      const { endpointId, batchId } = row;
      if (batchId !== null && isBatchEvent(row))
        await this.gate.release({ endpointId, batchId });
    }
  }
}

/** Whether it is about a batch as a whole, and so is held until the batch's documents are delivered. */
function isBatchEvent({ batchId, documentId }: WebhookDelivery): boolean {
  return batchId !== null && documentId === null;
}
