import { In, LessThan } from "typeorm";
import type { JobOutcome, Queue, RunningJob } from "../queue/index.js";
import { SeenNotice, SignatureRequest } from "../storage/database/index.js";
import type { SignaturePorts } from "./ports.js";
import {
  changeRequest,
  endRequest,
  SIGNATURE_JOB,
  toSignatureJob,
} from "./signature-request.js";
import { RequestStarter } from "./start-request.js";
import { RequestWatcher } from "./watch-request.js";

/** Requests that this process starts or polls at once; the plugin host limits the rate of each provider. */
const concurrency = 16;
const maxInterruptions = 50;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const rowsPerTransaction = 200;
/** A request overdue for this long may have lost its job. */
const forgottenMs = 10 * minuteMs;
/** Longer than any provider repeats a notice that was not answered. */
const noticeRetentionMs = 7 * 24 * hourMs;

export interface SignatureWorkerPorts extends SignaturePorts {
  queue: Queue;
  /** After how long a silent process's requests go to others, in milliseconds. */
  leaseMs: number;
}

/** Starts and polls signature requests. */
export class SignatureWorker {
  readonly #starter: RequestStarter;
  readonly #watcher: RequestWatcher;

  constructor(private readonly ports: SignatureWorkerPorts) {
    this.#starter = new RequestStarter(ports);
    this.#watcher = new RequestWatcher(ports);
  }

  /** Has this process work on requests; call before the queue starts. */
  register(): void {
    const { queue, leaseMs } = this.ports;
    queue.work(
      SIGNATURE_JOB,
      { concurrency, maxInterruptions, leaseMs },
      (job) => this.#work(job),
      (id, runs) => this.#endPoison(id, runs),
    );
    queue.every("signatures", minuteMs, () => requeueLostRequests(this.ports));
    queue.every("signature-retention", hourMs, (signal) =>
      deleteEndedRequests(this.ports, signal),
    );
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const row = await this.#find(job.rowId);
    if (row?.status === "starting") return this.#starter.work(row, job);
    if (row?.status === "pending") return this.#watcher.work(row, job);
  }

  /** The process ended during each run. A request that may be at the provider is polled again later. */
  async #endPoison(id: string, runs: number): Promise<void> {
    const { store, now } = this.ports;
    const row = await this.#find(id);
    if (row === null) return;
    const { status, sentAt } = row;
    if (status === "starting" && sentAt === null) {
      const error = `The process that should send it ended ${runs} times. Render the document again.`;
      await endRequest(this.ports, row, { status: "failed", error }, null);
    } else if (status === "starting" || status === "pending") {
      const nextLookAt = new Date(now().getTime() + hourMs);
      await store.unitOfWork.run((tx) =>
        changeRequest(tx, { id, status }, { nextLookAt }),
      );
    }
  }

  #find(id: string): Promise<SignatureRequest | null> {
    return this.ports.store.read.findOneBy(SignatureRequest, { id });
  }
}

/** Enqueues overdue requests, each only once in a while: its job may exist after all. */
export async function requeueLostRequests({
  store,
  queue,
  now,
}: Pick<SignaturePorts, "store" | "queue" | "now">): Promise<void> {
  const at = now();
  const rows = await store.read.find(SignatureRequest, {
    where: {
      status: In(["starting", "pending"]),
      nextLookAt: LessThan(new Date(at.getTime() - forgottenMs)),
    },
    select: { id: true, organizationId: true, batchId: true, status: true },
    order: { nextLookAt: "ASC" },
    take: rowsPerTransaction,
  });
  if (rows.length === 0) return;
  await store.unitOfWork.run(async (tx) => {
    await queue.enqueue(tx, rows.map(toSignatureJob));
    for (const { id, status } of rows)
      await changeRequest(tx, { id, status }, { nextLookAt: at });
  });
  queue.nudge(SIGNATURE_JOB);
}

/** Deletes requests whose files have expired too, with all personal data of the signers, and old notices. */
export async function deleteEndedRequests(
  { store, now, times }: Pick<SignaturePorts, "store" | "now" | "times">,
  signal: AbortSignal,
): Promise<void> {
  const at = now().getTime();
  const limit = new Date(Math.max(0, at - times.retentionMs));
  const ended = { completedAt: LessThan(limit) };
  while (!signal.aborted) {
    const rows = await store.read.find(SignatureRequest, {
      where: ended,
      select: { id: true },
      take: rowsPerTransaction,
    });
    const id = In(rows.map((row) => row.id));
    if (rows.length > 0)
      await store.unitOfWork.run((tx) =>
        tx.delete(SignatureRequest, { id, ...ended }),
      );
    if (rows.length < rowsPerTransaction) break;
  }
  const old = { receivedAt: LessThan(new Date(at - noticeRetentionMs)) };
  await store.unitOfWork.run((tx) => tx.delete(SeenNotice, old));
}
