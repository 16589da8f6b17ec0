import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { Claim, JobTable } from "./job-table.js";
import type { Leases } from "./leases.js";
import type {
  JobHandler,
  JobOutcome,
  PoisonHandler,
  QueuePorts,
  RunningJob,
} from "./queue.js";

export interface Worker {
  maxInterruptions: number;
  handler: JobHandler;
  onPoison: PoisonHandler;
}

const maxBackoffMs = 60_000;

/** Runs the jobs that this node holds, and ends each one in the table. */
export class JobRunner {
  readonly #claims = new WeakMap<RunningJob, Claim>();
  readonly #completions: CompletionWriter;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly leases: Leases,
  ) {
    this.#completions = new CompletionWriter(ports, table);
  }

  /** Never rejects: a job whose end cannot be written runs again when its lease ends. */
  async run(claim: Claim, worker: Worker): Promise<void> {
    try {
      await this.#run(claim, worker);
    } catch (error) {
      this.#logError(claim, error, "could not end a job");
    } finally {
      this.leases.drop(claim);
    }
  }

  async #run(claim: Claim, worker: Worker): Promise<void> {
    const signal = this.leases.getSignal(claim);
    try {
      const outcome = await this.#handle(claim, worker, signal);
      if (outcome) await this.#postpone(claim, outcome.again, false);
      else if (this.leases.isHeld(claim)) {
        this.leases.drop(claim);
        await this.#completions.complete(claim);
      }
    } catch (error) {
      if (signal.aborted) return this.#release(claim);
      this.#logError(claim, error, "job failed");
      const delayMs = Math.min(1000 * 2 ** claim.attempt, maxBackoffMs);
      await this.#postpone(claim, delayMs, true);
    }
  }

  async #handle(
    claim: Claim,
    { handler, onPoison, maxInterruptions }: Worker,
    signal: AbortSignal,
  ): Promise<JobOutcome> {
    const { rowId, attempt } = claim;
    if (attempt > maxInterruptions) return onPoison(rowId, attempt - 1);
    const complete = (tx: EntityManager) => this.#complete(tx, [claim]);
    const job: RunningJob = { rowId, attempt, signal, complete };
    this.#claims.set(job, claim);
    return handler(job);
  }

  /** See `Queue.complete`. */
  async complete(
    tx: EntityManager,
    jobs: readonly RunningJob[],
  ): Promise<void> {
    const claims = jobs.flatMap((job) => this.#claims.get(job) ?? []);
    await this.#complete(tx, claims);
  }

  /** Also stops renewing the lease: either the job is gone, or the transaction fails and the job is postponed. */
  async #complete(tx: EntityManager, claims: readonly Claim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    const held = await this.table.complete(tx, first.kind, claims);
    if (held < claims.length)
      throw new PlatenError(
        "conflict",
        `The lease of the ${first.kind} job ${claims.map(({ rowId }) => rowId).join(" or ")} was lost: another node has taken it, and this run's result is discarded.`,
      );
    for (const claim of claims) this.leases.drop(claim);
  }

  async #postpone(
    claim: Claim,
    delayMs: number,
    keepAttempts: boolean,
  ): Promise<void> {
    this.leases.drop(claim);
    await this.ports.write((tx) =>
      this.table.postpone(tx, claim, { delayMs, keepAttempts }),
    );
  }

  /** This node aborted the run, so the attempt does not count. */
  async #release(claim: Claim): Promise<void> {
    if (!this.leases.isHeld(claim)) return;
    this.leases.drop(claim);
    const { kind } = claim;
    await this.ports.write((tx) => this.table.release(tx, kind, [claim]));
  }

  #logError({ kind, rowId, attempt }: Claim, error: unknown, what: string) {
    this.ports.log.error({ kind, rowId, attempt, err: error }, what);
  }
}

interface Completion {
  claim: Claim;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Deletes finished jobs: those that end while a transaction is in progress share the next one. */
class CompletionWriter {
  #waiting: Completion[] = [];
  #isWriting = false;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
  ) {}

  /** Resolves when the job is deleted, or held by another node. */
  complete(claim: Claim): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ claim, resolve, reject });
      if (!this.#isWriting) setImmediate(() => void this.#write());
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const completions = this.#waiting.splice(0);
    const claims = completions.map(({ claim }) => claim);
    try {
      await this.ports.write(async (tx) => {
        for (const kind of new Set(claims.map((claim) => claim.kind))) {
          const ofKind = claims.filter((claim) => claim.kind === kind);
          await this.table.complete(tx, kind, ofKind);
        }
      });
      for (const { resolve } of completions) resolve();
    } catch (error) {
      for (const { reject } of completions) reject(error);
    }
    this.#isWriting = false;
    await this.#write();
  }
}
