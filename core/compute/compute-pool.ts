import { availableParallelism } from "node:os";
import type { ProjectData, TemplateType } from "../definition/index.js";
import { clock } from "../lib/clock.js";
import { FairQueue } from "../lib/fair-queue.js";
import { stringifyJson } from "../lib/json.js";
import { Thread, ThreadCrash, ThreadPool } from "../lib/threads.js";
import { type Deadline, PlatenError } from "../plugin-api/index.js";
import type { Answer, Request } from "./compute-worker.js";
import type { TaskName } from "./tasks.js";

/** On whose behalf something is computed, and how long that may take. */
export interface Caller {
  organizationId: string;
  /** For errors: `The template "Invoice"`. */
  subject: string;
  /** Of the job that it is a part of; its end aborts the call. */
  deadline?: Deadline | undefined;
}

/** A program that threads compile and keep. */
export interface ProgramKey {
  definitionHash: string;
  templateType: TemplateType;
  /** Called for a thread that has not compiled it yet. */
  definition: () => Promise<ProjectData>;
}

export interface Task extends Caller {
  name: TaskName;
  input: object;
  /**
   * The part of the input that may be large, or hold `JsonText`. It passes as JSON text, which takes a third of the time
   * of a copy.
   */
  large: object;
  /** For tasks of a program. */
  program?: ProgramKey;
  /** How long it may run; the pool's limit when left out. */
  timeoutMs?: number;
}

interface PoolLimits {
  threads: number;
  /** How long one call may run. */
  timeoutMs: number;
  /** How large the heap of one thread may become. */
  memoryMb: number;
  /** Calls that may wait; when there are as many, the organization with the most loses its latest one. */
  maxWaiting: number;
}

const DEFAULT_LIMITS: PoolLimits = {
  threads: Math.max(2, availableParallelism()),
  timeoutMs: 30_000,
  memoryMb: 768,
  maxWaiting: 500,
};

/**
 * The engine's own limit for a thread. It ends the whole process when one built-in function passes it, so it is far
 * beyond what can be sent in a request, and the heap is checked in intervals.
 */
const HARD_LIMIT_MB = 2048;
const MEMORY_CHECK_INTERVAL_MS = 100;
const MEGABYTE = 1024 ** 2;

export interface Computed {
  value: unknown;
  /** How long the thread computed. */
  milliseconds: number;
}

/**
 * Worker threads for work that grows with the input. Organizations take turns, and there is always a thread that the
 * calls of one organization alone cannot occupy: see `FairQueue`. A call that takes too long or too much memory ends with
 * its thread, and nothing else does.
 */
export class ComputePool {
  readonly #limits: PoolLimits;
  readonly #pool: ThreadPool;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { threads, maxWaiting } = this.#limits;
    const slots = new FairQueue(threads - 1, {
      what: "a thread that computes",
      maxWaiting,
      busy: "Too many large templates and documents are being computed. Try again in a moment.",
    });
    const options = { heapMb: HARD_LIMIT_MB };
    const start = () =>
      new Thread("./compute-worker", import.meta.url, options);
    this.#pool = new ThreadPool(start, slots);
  }

  /** Calls in threads, and calls that wait for one. */
  get load(): ThreadPool["load"] {
    return this.#pool.load;
  }

  /** @throws PlatenError that the task throws, `timeout`, `too_large` for too much memory, or `busy`. */
  async run(task: Task): Promise<Computed> {
    const job = {
      deadline: task.deadline,
      owner: task.organizationId,
      doing: "it was computed",
      key: task.program?.definitionHash,
    };
    try {
      return await this.#pool.use(job, (thread) => this.#run(task, thread));
    } catch (error) {
      if (!(error instanceof ThreadCrash)) throw error;
      throw isMemoryError(error.cause)
        ? this.#createMemoryError(task)
        : createCrashError(error.cause);
    }
  }

  /** Ends all threads; the calls that run or wait fail. */
  stop(): Promise<void> {
    return this.#pool.stop();
  }

  async #run(task: Task, thread: Thread): Promise<Computed> {
    const { timeoutMs = this.#limits.timeoutMs } = task;
    const timeout = clock.limit(timeoutMs, () => {
      void thread.end(createTimeoutError(task, timeoutMs));
    });
    let isRunning = true;
    const checkMemory = async () => {
      const bytes = (await thread.readHeapBytes()) ?? 0;
      // The thread may have another task by now.
      if (isRunning && bytes > this.#limits.memoryMb * MEGABYTE)
        await thread.end(this.#createMemoryError(task));
    };
    const memory = clock.watch(
      MEMORY_CHECK_INTERVAL_MS,
      () => void checkMemory(),
    );
    try {
      return await askThread(task, thread);
    } finally {
      isRunning = false;
      timeout.cancel();
      memory.cancel();
    }
  }

  #createMemoryError({ subject, name }: Task): PlatenError {
    return new PlatenError(
      "too_large",
      `${subject} needs more than ${this.#limits.memoryMb} MB of memory with this data. ${getAdvice(name)}`,
    );
  }
}

async function askThread(
  { name, input, large, program }: Task,
  thread: Thread,
): Promise<Computed> {
  const { definitionHash, templateType } = program ?? {};
  const request: Request = {
    kind: "task",
    name,
    input,
    large: stringifyJson(large),
    ...(definitionHash !== undefined &&
      templateType !== undefined && {
        program: { definitionHash, templateType },
      }),
  };
  const answer = await thread.ask<Answer>(request);
  if (answer !== "unknown program") return answer;
  const definition = await program?.definition();
  return thread.ask({ kind: "definition", definition });
}

/** What the caller can do about work that takes too much. */
function getAdvice(name: TaskName): string {
  if (name === "cleanSvg" || name === "readFont") return "Use a simpler file.";
  if (name === "parseBody") return "Send less data at once.";
  return "Send fewer records or shorter texts, or simplify the template: fewer codes and repeats inside repeats.";
}

function isMemoryError(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    "code" in cause &&
    cause.code === "ERR_WORKER_OUT_OF_MEMORY"
  );
}

function createTimeoutError(
  { subject, name }: Task,
  timeoutMs: number,
): PlatenError {
  return new PlatenError(
    "timeout",
    `${subject} took longer than ${timeoutMs / 1000} s to compute and was ended. ${getAdvice(name)}`,
  );
}

function createCrashError(cause?: unknown): PlatenError {
  return new PlatenError(
    "internal",
    "The thread that computed this ended unexpectedly. Try again.",
    { cause },
  );
}
