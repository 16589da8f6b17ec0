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
import type { EsignParts } from "./ports.js";
import { SIGNATURE_JOB, signatureJob } from "./signature-request.js";

/** However often a provider gives notice, a request is looked at no oftener than this. */
const leastMs = 5000;

type Parts = Pick<EsignParts, "store" | "queue" | "connections" | "now">;

/** What providers tell of their own accord. It is a hint: the request is looked at again, as if its time had come. */
export class SignatureNotices {
  constructor(private readonly parts: Parts) {}

  /**
   * @throws PlatenError `not_found` for no connection of ours, `unauthorized` for a forged or too old one. One that is
   * not about a request of ours, or came before, changes nothing and is no error: its sender need not know.
   */
  async receive(connectionId: string, raw: RawNotice): Promise<void> {
    const connection = isId(connectionId)
      ? await this.parts.connections.findEsign(connectionId)
      : null;
    if (connection === null)
      throw new PlatenError("not_found", "There is no such connection.");
    const notice = connection.provider.parseNotice(raw);
    if (notice === null)
      throw new PlatenError(
        "unauthorized",
        "This notice does not prove that it comes from the provider, or is too old. Nothing was changed.",
      );
    const id = notice.id ?? hashOf(raw.body);
    await this.noticed(connection.id, { ...notice, id });
  }

  /** Of a notice whose origin is proven. */
  async noticed(
    connectionId: string,
    { externalId, id }: Notice,
  ): Promise<void> {
    const { store, queue } = this.parts;
    const wakes = store.unitOfWork.run(async (tx) => {
      if (id !== undefined) await this.markSeen(tx, `${connectionId} ${id}`);
      await this.wake(tx, { connectionId, externalId });
    });
    try {
      await wakes;
    } catch (error) {
      // Seen before.
      if (!isDuplicate(error)) throw error;
    }
    queue.nudge(SIGNATURE_JOB);
  }

  private async markSeen(tx: EntityManager, name: string): Promise<void> {
    const hash = hashOf(name);
    await insertRow(tx, SeenNotice, { hash, receivedAt: this.parts.now() });
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
    const age = this.parts.now().getTime() - row.updatedAt.getTime();
    const delayMs = Math.max(0, leastMs - age);
    await this.parts.queue.enqueue(tx, [{ ...signatureJob(row), delayMs }]);
  }
}

function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
