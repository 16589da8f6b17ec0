import { In, LessThan } from "typeorm";
import { SeenNotice, SignatureRequest } from "../storage/database/index.js";
import { changeRequest } from "./change-request.js";
import type { EsignParts } from "./ports.js";
import { SIGNATURE_JOB, signatureJob } from "./signature-job.js";

const chunk = 200;
/** So long past its time, a request may have lost its job. */
const forgottenMs = 10 * 60_000;
/** Longer than any provider repeats a notice of which it has no answer. */
const noticeMs = 7 * 24 * 60 * 60_000;

type Parts = Pick<EsignParts, "store" | "queue" | "now" | "times">;

/** Each of them once in a while: its job may be there all the same. */
export async function wakeForgotten({
  store,
  queue,
  now,
}: Pick<Parts, "store" | "queue" | "now">): Promise<void> {
  const at = now();
  const rows = await store.read.find(SignatureRequest, {
    where: {
      status: In(["starting", "pending"]),
      nextLookAt: LessThan(new Date(at.getTime() - forgottenMs)),
    },
    select: { id: true, organizationId: true, batchId: true, status: true },
    order: { nextLookAt: "ASC" },
    take: chunk,
  });
  if (rows.length === 0) return;
  await store.unitOfWork.run(async (tx) => {
    await queue.enqueue(tx, rows.map(signatureJob));
    for (const { id, status } of rows)
      await changeRequest(tx, { id, status }, { nextLookAt: at });
  });
  queue.nudge(SIGNATURE_JOB);
}

/** Deletes requests that ended so long ago that their files are gone too, and all that is known of who signed. */
export async function forgetEnded(
  { store, now, times }: Pick<Parts, "store" | "now" | "times">,
  signal: AbortSignal,
): Promise<void> {
  const at = now().getTime();
  const limit = new Date(Math.max(0, at - times.retentionMs));
  const ended = { completedAt: LessThan(limit) };
  while (!signal.aborted) {
    const rows = await store.read.find(SignatureRequest, {
      where: ended,
      select: { id: true },
      take: chunk,
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await store.unitOfWork.run((tx) =>
        tx.delete(SignatureRequest, { id: In(ids), ...ended }),
      );
    if (ids.length < chunk) break;
  }
  const old = { receivedAt: LessThan(new Date(at - noticeMs)) };
  await store.unitOfWork.run((tx) => tx.delete(SeenNotice, old));
}
