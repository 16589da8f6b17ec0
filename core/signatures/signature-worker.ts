import { In, LessThan } from "typeorm";
import type { JobOutcome, RunningJob, Queue } from "../queue/index.js";
import { SignatureRequest, SeenNotice } from "../storage/database/index.js";
import type { EsignParts } from "./ports.js";
import {
  changeRequest,
  endRequest,
  SIGNATURE_JOB,
  signatureJob,
} from "./signature-request.js";
import { RequestStarter } from "./start-request.js";
import { RequestWatcher } from "./watch-request.js";

const hourMs = 60 * 60_000;

/** What the jobs of requests do: whatever the row says is next. */
class SignatureWorker {
  readonly #starter: RequestStarter;
  readonly #watcher: RequestWatcher;

  constructor(private readonly parts: EsignParts) {
    this.#starter = new RequestStarter(parts);
    this.#watcher = new RequestWatcher(parts);
  }

  async work(job: RunningJob): Promise<JobOutcome> {
    const row = await this.#find(job.rowId);
    if (row?.status === "starting") return this.#starter.work(row, job);
    if (row?.status === "pending") return this.#watcher.work(row, job);
  }

  /** Runs ended with their process, time after time. What is at the provider is looked at again later. */
  async poison(id: string, runs: number): Promise<void> {
    const row = await this.#find(id);
    if (row === null) return;
    const { status, sentAt } = row;
    if (status === "starting" && sentAt === null) {
      const error = `The process that was to send it ended ${runs} times. Render the document again.`;
      await endRequest(this.parts, row, { status: "failed", error }, null);
    } else if (status === "starting" || status === "pending") {
      const nextLookAt = new Date(this.parts.now().getTime() + hourMs);
      await this.parts.store.unitOfWork.run((tx) =>
        changeRequest(tx, { id, status }, { nextLookAt }),
      );
    }
  }

  #find(id: string): Promise<SignatureRequest | null> {
    return this.parts.store.read.findOneBy(SignatureRequest, { id });
  }
}

export interface EsignWorkParts extends EsignParts {
  queue: Queue;
  /** After how long a silent process's requests go to others, in milliseconds. */
  leaseMs: number;
}

/** Requests that this process starts or looks at, at once; the pace of each provider is the host's matter. */
const concurrency = 16;
const maxInterruptions = 50;
const minuteMs = 60_000;

/** Has this process start requests and watch them, once its queue is started. */
export function workSignatures(parts: EsignWorkParts): void {
  const worker = new SignatureWorker(parts);
  const { queue, leaseMs } = parts;
  queue.work(
    SIGNATURE_JOB,
    { concurrency, maxInterruptions, leaseMs },
    (job) => worker.work(job),
    (id, runs) => worker.poison(id, runs),
  );
  queue.every("signatures", minuteMs, () => wakeForgotten(parts));
  queue.every("signature-retention", hourMs, (signal) =>
    forgetEnded(parts, signal),
  );
}

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
