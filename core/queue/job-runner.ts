import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  type Claim,
  forgetJobs,
  postponeJob,
  type Postponement,
  releaseJobs,
  type JobTable,
} from "./job-table.js";
import type { Leases } from "./leases.js";
import type {
  QueuePorts,
  JobHandler,
  JobOutcome,
  PoisonHandler,
  RunningJob,
} from "./queue.js";

export interface Work {
  maxInterruptions: number;
  handler: JobHandler;
  onPoison: PoisonHandler;
}

const longestBackoffMs = 60_000;

/** Runs the jobs that this node holds, and ends each one in the table. */
export class JobRunner {
  readonly #claims = new WeakMap<RunningJob, Claim>();

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly leases: Leases,
    private readonly endings: Endings,
  ) {}

  /** Never rejects: a job whose end cannot be written runs again when its lease is over. */
  async run(claim: Claim, work: Work): Promise<void> {
    try {
      await this.#run(claim, work);
    } catch (error) {
      this.#report(claim, error, "job not ended");
    } finally {
      this.leases.drop(claim);
    }
  }

  async #run(claim: Claim, work: Work): Promise<void> {
    const signal = this.leases.signalOf(claim);
    try {
      const outcome = await this.#handle(claim, work, signal);
      if (outcome) await this.#postpone(claim, outcome.again);
      else await this.#forget(claim);
    } catch (error) {
      if (signal.aborted) return this.#giveBack(claim);
      this.#report(claim, error, "job failed");
      const delayMs = Math.min(1000 * 2 ** claim.attempt, longestBackoffMs);
      await this.#postpone(claim, delayMs, true);
    }
  }

  async #handle(
    claim: Claim,
    { handler, onPoison, maxInterruptions }: Work,
    signal: AbortSignal,
  ): Promise<JobOutcome> {
    const { rowId, attempt } = claim;
    if (attempt > maxInterruptions) return onPoison(rowId, attempt - 1);
    const forget = (tx: EntityManager) => this.#forgetIn(tx, [claim]);
    const job: RunningJob = { rowId, attempt, signal, forget };
    this.#claims.set(job, claim);
    return handler(job);
  }

  /** See `Queue.forget`. */
  async forget(tx: EntityManager, jobs: readonly RunningJob[]): Promise<void> {
    const claims = jobs.flatMap((job) => this.#claims.get(job) ?? []);
    await this.#forgetIn(tx, claims);
  }

  /** From here on the lease is not prolonged: the job is gone, or the handler's transaction fails and it is postponed. */
  async #forgetIn(tx: EntityManager, claims: readonly Claim[]): Promise<void> {
    const [first] = claims;
    if (!first) return;
    const held = await forgetJobs(tx, first.kind, claims);
    if (held < claims.length)
      throw new PlatenError(
        "conflict",
        `The lease of the ${first.kind} job ${claims.map(({ rowId }) => rowId).join(" or ")} was lost: another node has taken it, and this run's result is not kept.`,
      );
    for (const claim of claims) this.leases.drop(claim);
  }

  /** A job that is not held any more was forgotten by its handler, or lost. */
  async #forget(claim: Claim): Promise<void> {
    if (!this.leases.isHeld(claim)) return;
    this.leases.drop(claim);
    await this.endings.forget(claim);
  }

  async #postpone(
    claim: Claim,
    delayMs: number,
    keepAttempts = false,
  ): Promise<void> {
    const postponement: Postponement = { delayMs, keepAttempts };
    this.leases.drop(claim);
    await this.ports.write((tx) =>
      postponeJob(tx, this.table, claim, postponement),
    );
  }

  /** The run was cut off by us, which is not the job's fault. */
  async #giveBack(claim: Claim): Promise<void> {
    if (!this.leases.isHeld(claim)) return;
    this.leases.drop(claim);
    await this.ports.write((tx) =>
      releaseJobs(tx, this.table, claim.kind, [claim]),
    );
  }

  #report({ kind, rowId, attempt }: Claim, error: unknown, what: string) {
    this.ports.log.error({ kind, rowId, attempt, err: error }, what);
  }
}

interface Ending {
  claim: Claim;
  done: () => void;
  fail: (error: unknown) => void;
}

/** Forgets finished jobs: those that end while a transaction is under way share the next one. */
export class Endings {
  #waiting: Ending[] = [];
  #isWriting = false;

  constructor(private readonly ports: QueuePorts) {}

  /** Resolves when the job is deleted, or another node's, for good. */
  forget(claim: Claim): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ claim, done, fail });
      if (!this.#isWriting) setImmediate(() => void this.#write());
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const endings = this.#waiting.splice(0);
    try {
      await this.#forgetAll(endings.map(({ claim }) => claim));
      for (const { done } of endings) done();
    } catch (error) {
      for (const { fail } of endings) fail(error);
    }
    this.#isWriting = false;
    await this.#write();
  }

  async #forgetAll(claims: readonly Claim[]): Promise<void> {
    const kinds = new Set(claims.map(({ kind }) => kind));
    await this.ports.write(async (tx) => {
      for (const kind of kinds) {
        const ofKind = claims.filter((claim) => claim.kind === kind);
        await forgetJobs(tx, kind, ofKind);
      }
    });
  }
}
