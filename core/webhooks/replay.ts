import {
  Between,
  type EntityManager,
  In,
  MoreThan,
  Not,
  type FindOptionsWhere,
} from "typeorm";
import type { Queue } from "../queue/index.js";
import {
  type Store,
  WebhookDelivery,
  databaseNow,
} from "../storage/database/index.js";
import type { CompletionGate, GateKey } from "./completion-gate.js";
import { DELIVERY_JOB, deliveryJob } from "./event-relay.js";
import { TEST_EVENT } from "./events.js";

const chunk = 500;

const ENDED = ["delivered", "exhausted"] as const;
export type EndedStatus = (typeof ENDED)[number];

export interface ReplayRange {
  since: Date;
  until: Date;
  /** Default: both. */
  status?: EndedStatus | undefined;
}

interface Ports {
  store: Store;
  queue: Pick<Queue, "enqueue" | "nudge">;
  gate: CompletionGate;
  maxHoldMs: number;
}

/**
 * Sends ended deliveries again, with their `webhook-id` and the whole schedule. A batch's `documents.completed` waits
 * again for what of the batch is replayed with it.
 */
export class Replay {
  constructor(private readonly ports: Ports) {}

  /** @returns false when it has not ended, or is not there. */
  async one(endpointId: string, id: string): Promise<boolean> {
    const replayed = await this.restart({ id, endpointId, status: In(ENDED) });
    await this.wake(replayed);
    return replayed.length > 0;
  }

  /** Those that were made in the range, in chunks; tests are left out. @returns how many. */
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
      const rows = await this.restart({ ...where, id: MoreThan(last) });
      all.push(...rows);
      if (rows.length < chunk) break;
    }
    await this.wake(all);
    return all.length;
  }

  private async restart(
    where: FindOptionsWhere<WebhookDelivery>,
  ): Promise<WebhookDelivery[]> {
    const { store, queue } = this.ports;
    return store.unitOfWork.run(async (tx) => {
      const rows = await tx.find(WebhookDelivery, {
        where,
        order: { id: "ASC" },
        take: chunk,
      });
      const held = rows.filter(isOfBatch);
      const due = rows.filter((row) => !isOfBatch(row));
      await this.begin(tx, held, "held");
      await this.begin(tx, due, "pending");
      await queue.enqueue(tx, due.map(deliveryJob));
      return rows;
    });
  }

  private async begin(
    tx: EntityManager,
    rows: readonly WebhookDelivery[],
    status: "held" | "pending",
  ): Promise<void> {
    if (rows.length === 0) return;
    const now = await databaseNow(tx);
    const holdUntil = new Date(now.getTime() + this.ports.maxHoldMs);
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

  private async wake(rows: readonly WebhookDelivery[]): Promise<void> {
    this.ports.queue.nudge(DELIVERY_JOB);
    for (const key of rows.flatMap(gateOf)) await this.ports.gate.release(key);
  }
}

function isOfBatch({ batchId, documentId }: WebhookDelivery): boolean {
  return batchId !== null && documentId === null;
}

function gateOf(row: WebhookDelivery): GateKey[] {
  const { endpointId, batchId } = row;
  return isOfBatch(row) && batchId !== null ? [{ endpointId, batchId }] : [];
}
