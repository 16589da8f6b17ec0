import { createHash } from "node:crypto";
import { ConnectionService } from "../integrations/connections/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import {
  type Notice,
  PlatenError,
  type RawNotice,
} from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  insertRow,
  isDuplicate,
  SeenNotice,
  SignatureRequest,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { SIGNATURE_JOB, toSignatureJob } from "./signature-request.js";

/** A request is polled no more often than this, however many notices its provider sends. */
const minPollMs = 5000;

/** Webhooks from providers. A notice is only a hint: the request is polled again, as if it were due. */
@scoped(Lifecycle.ContainerScoped)
export class SignatureNotices {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "findEsign">,
  ) {}

  /**
   * @throws PlatenError `not_found` for an unknown connection, `unauthorized` for a forged or outdated notice. One that
   * names no known request or was received before changes nothing and is not an error, as its sender need not know.
   */
  async receive(connectionId: string, raw: RawNotice): Promise<void> {
    const connection = await this.connections.findEsign(connectionId);
    if (connection === null)
      throw new PlatenError("not_found", "There is no such connection.");
    const notice = await connection.provider.parseNotice(raw);
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
    const handled = this.store.unitOfWork.run(async (tx) => {
      if (id !== undefined) {
        const hash = sha256(`${connectionId} ${id}`);
        await insertRow(tx, SeenNotice, { hash, receivedAt: clock.date() });
      }
      const row = await tx.findOneBy(SignatureRequest, {
        connectionId,
        externalId,
        status: "pending",
      });
      if (row === null) return;
      const age = clock.now() - row.updatedAt.getTime();
      const delayMs = Math.max(0, clock.pause(minPollMs) - age);
      await this.queue.enqueue(tx, [{ ...toSignatureJob(row), delayMs }]);
    });
    try {
      await handled;
    } catch (error) {
      // It was received before.
      if (!isDuplicate(error)) throw error;
    }
    this.queue.nudge(SIGNATURE_JOB);
  }
}

function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
