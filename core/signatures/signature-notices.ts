import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import {
  type Notice,
  PlatenError,
  type RawNotice,
} from "../plugin-api/index.js";
import {
  insertRow,
  isDuplicate,
  isId,
  SeenNotice,
  SignatureRequest,
} from "../storage/database/index.js";
import type { SignaturePorts } from "./ports.js";
import { SIGNATURE_JOB, toSignatureJob } from "./signature-request.js";

/** A request is polled no more often than this, however many notices its provider sends. */
const minPollMs = 5000;

/** Webhooks from providers. A notice is only a hint: the request is polled again, as if it were due. */
export class SignatureNotices {
  constructor(
    private readonly ports: Pick<
      SignaturePorts,
      "store" | "queue" | "connections" | "now"
    >,
  ) {}

  /**
   * @throws PlatenError `not_found` for an unknown connection, `unauthorized` for a forged or outdated notice. One that
   * names no known request or was received before changes nothing and is not an error, as its sender need not know.
   */
  async receive(connectionId: string, raw: RawNotice): Promise<void> {
    const connection = isId(connectionId)
      ? await this.ports.connections.findEsign(connectionId)
      : null;
    if (connection === null)
      throw new PlatenError("not_found", "There is no such connection.");
    const notice = connection.provider.parseNotice(raw);
    if (notice === null)
      throw new PlatenError(
        "unauthorized",
        "The notice's signature is invalid or too old. Nothing was changed.",
      );
    const id = notice.id ?? sha256(raw.body);
    await this.noticed(connection.id, { ...notice, id });
  }

  /** Handles a notice whose origin is verified. */
  async noticed(
    connectionId: string,
    { externalId, id }: Notice,
  ): Promise<void> {
    const { store, queue } = this.ports;
    const handled = store.unitOfWork.run(async (tx) => {
      if (id !== undefined) await this.markSeen(tx, `${connectionId} ${id}`);
      await this.wake(tx, { connectionId, externalId });
    });
    try {
      await handled;
    } catch (error) {
      // It was received before.
      if (!isDuplicate(error)) throw error;
    }
    queue.nudge(SIGNATURE_JOB);
  }

  private async markSeen(tx: EntityManager, name: string): Promise<void> {
    const hash = sha256(name);
    await insertRow(tx, SeenNotice, { hash, receivedAt: this.ports.now() });
  }

  private async wake(
    tx: EntityManager,
    named: { connectionId: string; externalId: string },
  ): Promise<void> {
    const row = await tx.findOneBy(SignatureRequest, {
      ...named,
      status: "pending",
    });
    if (row === null) return;
    const age = this.ports.now().getTime() - row.updatedAt.getTime();
    const delayMs = Math.max(0, minPollMs - age);
    await this.ports.queue.enqueue(tx, [{ ...toSignatureJob(row), delayMs }]);
  }
}

function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
