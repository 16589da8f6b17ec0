import { In, LessThan, MoreThan } from "typeorm";
import type { Queue } from "../queue/index.js";
import { Document, type Store } from "../storage/database/index.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { findAcceptingBatchIds, notIn } from "../documents/index.js";

const chunk = 500;
/** An acceptance that is under way may not have written its jobs yet. */
const youngestMs = 2 * 60_000;

/**
 * Wakes documents that wait without a job, which a crash in the middle of an acceptance leaves. As long as there are as
 * many jobs as documents, nothing is missing and no document is looked at. @returns how many were looked at.
 */
export async function sweepForgotten(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  queue: Queue,
  now: Date,
): Promise<number> {
  const unfinished = { status: In(["queued", "rendering"]) };
  const stats = await queue.stats();
  const jobs = stats.find(({ kind }) => kind === DOCUMENT_JOB);
  const known = jobs ? jobs.ready + jobs.delayed + jobs.running : 0;
  if ((await read.countBy(Document, unfinished)) <= known) return 0;
  const hidden = await findAcceptingBatchIds(read);
  const updatedAt = LessThan(new Date(now.getTime() - youngestMs));
  let after = "";
  for (let total = 0; ;) {
    const rows = await read.find(Document, {
      where: {
        ...unfinished,
        updatedAt,
        id: MoreThan(after),
        ...notIn(hidden),
      },
      select: { id: true, organizationId: true },
      order: { id: "ASC" },
      take: chunk,
    });
    const last = rows.at(-1);
    if (!last) return total;
    await unitOfWork.run((tx) => queue.enqueue(tx, rows.map(jobOf)));
    total += rows.length;
    after = last.id;
  }
}

function jobOf({ id, organizationId }: Document) {
  return { kind: DOCUMENT_JOB, rowId: id, share: organizationId };
}
