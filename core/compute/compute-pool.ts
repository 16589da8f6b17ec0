import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ProjectData, TemplateType } from "../definition/index.js";
import { clock, type Timer } from "../lib/clock.js";
import { FairSlots } from "../lib/fair-slots.js";
import { stringifyJson } from "../lib/json.js";
import { raceWithAbort } from "../lib/race-with-abort.js";
import { type Deadline, PlatenError } from "../plugin-api/index.js";
import type { Answer, Request } from "./compute-worker.js";
import { type ErrorParts, type TaskName, toError } from "./tasks.js";

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

/** A thread ends after this long without work. */
const IDLE_MS = 60_000;

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
 * Worker threads for work that grows with the input. They start when they are needed and end when they have been idle.
 * Organizations take turns, and there is always a thread that the calls of one organization alone cannot occupy: see
 * `FairSlots`. A call that takes too long or too much memory ends with its thread, and nothing else does.
 */
export class ComputePool {
  readonly #limits: PoolLimits;
  readonly #slots: FairSlots;
  readonly #threads = new Set<Thread>();
  #hasStopped = false;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { threads, maxWaiting } = this.#limits;
    this.#slots = new FairSlots(threads - 1, {
      what: "a thread that computes",
      maxWaiting,
      busy: "Too many large templates and documents are being computed. Try again in a moment.",
    });
  }

  /** Calls in threads, and calls that wait for one. */
  get load(): { running: number; waiting: number; threads: number } {
    const { busy: running, queued: waiting } = this.#slots;
    return { running, waiting, threads: this.#threads.size };
  }

  /** @throws PlatenError that the task throws, `timeout`, `too_large` for too much memory, or `busy`. */
  run(task: Task): Promise<Computed> {
    const { deadline, organizationId: owner } = task;
    return this.#slots.run({ deadline, owner }, () => this.#compute(task));
  }

  /** Ends all threads; the calls that run or wait fail. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.all(
      Array.from(this.#threads, (thread) => thread.end(createStopError())),
    );
  }

  async #compute(task: Task): Promise<Computed> {
    if (this.#hasStopped) throw createStopError();
    const { deadline, timeoutMs = this.#limits.timeoutMs } = task;
    const thread = this.#chooseThread(task);
    const computed = thread.run(task, timeoutMs);
    if (!deadline) return computed;
    computed.catch(() => null);
    return raceWithAbort(
      () => computed,
      deadline.signal,
      () => {
        const error = deadline.error("it was computed");
        void thread.end(error);
        return error;
      },
    );
  }

  /** An idle thread, if possible one that has compiled the program. */
  #chooseThread({ program }: Task): Thread {
    const idle = [...this.#threads].filter(({ isIdle }) => isIdle);
    const known = idle.find(
      ({ lastProgram }) => lastProgram === program?.definitionHash,
    );
    const thread = known ?? idle[0];
    if (thread) return thread;
    const started = new Thread(this.#limits.memoryMb, () => {
      this.#threads.delete(started);
    });
    this.#threads.add(started);
    return started;
  }
}

/** A call that runs. */
interface Call extends Task {
  resolve(result: Computed): void;
  reject(error: unknown): void;
}

/** A thread; one call at a time. It keeps the process alive only while it computes. */
class Thread {
  readonly #worker: Worker;
  #call: Call | null = null;
  #isEnding = false;
  /** The time limit of its call, or of its idle time. */
  #timer: Timer | undefined;
  #memoryTimer: Timer | undefined;
  /** The hash of the program that it used last. */
  lastProgram: string | undefined;

  constructor(
    private readonly memoryMb: number,
    private readonly onEnd: () => void,
  ) {
    this.#worker = startWorker();
    this.#worker.on("message", (answer: Answer) => this.#receive(answer));
    this.#worker.on("error", (error) => void this.end(this.#describe(error)));
    this.#worker.on("exit", () => void this.end(createCrashError()));
  }

  /** Whether it can take a call. */
  get isIdle(): boolean {
    return this.#call === null;
  }

  run(task: Task, timeoutMs: number): Promise<Computed> {
    return new Promise((resolve, reject) => {
      this.#start({ ...task, resolve, reject }, timeoutMs);
    });
  }

  #start(call: Call, timeoutMs: number): void {
    this.#timer?.cancel();
    const { name, input, large, program } = call;
    this.#call = call;
    this.#timer = clock.limit(
      timeoutMs,
      () => void this.end(createTimeoutError(call, timeoutMs)),
    );
    this.#memoryTimer ??= clock
      .watch(MEMORY_CHECK_INTERVAL_MS, () => void this.#checkMemory())
      .unref();
    this.lastProgram = program?.definitionHash;
    const { definitionHash, templateType } = program ?? {};
    this.#worker.ref();
    this.#post({
      kind: "task",
      name,
      input,
      large: stringifyJson(large),
      ...(definitionHash !== undefined &&
        templateType !== undefined && {
          program: { definitionHash, templateType },
        }),
    });
  }

  /** Ends the thread at once, and its call with this error. */
  async end(error: unknown): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#timer?.cancel();
    this.#memoryTimer?.cancel();
    const call = this.#call;
    this.#call = null;
    this.onEnd();
    call?.reject(error);
    await this.#worker.terminate();
  }

  #post(request: Request): void {
    try {
      this.#worker.postMessage(request, []);
    } catch (error) {
      this.#finish((call) => call.reject(error));
    }
  }

  #receive(answer: Answer): void {
    if (this.#isEnding) return;
    if (answer.kind === "unknown program") void this.#sendDefinition();
    else if (answer.kind === "done")
      this.#finish((call) => call.resolve(answer));
    else this.#finish((call) => call.reject(toFailure(answer.error)));
  }

  async #sendDefinition(): Promise<void> {
    const call = this.#call;
    try {
      const definition = await call?.program?.definition();
      if (this.#call === call && definition)
        this.#post({ kind: "definition", definition });
    } catch (error) {
      if (this.#call === call) await this.end(error);
    }
  }

  #finish(settle: (call: Call) => void): void {
    const call = this.#call;
    this.#call = null;
    this.#timer?.cancel();
    this.#memoryTimer?.cancel();
    this.#memoryTimer = undefined;
    this.#worker.unref();
    this.#timer = clock
      .limit(IDLE_MS, () => void this.end(createStopError()))
      .unref();
    if (call) settle(call);
  }

  /** Node before 22.16 has only the hard limit. */
  async #checkMemory(): Promise<void> {
    try {
      const heap = await this.#worker.getHeapStatistics?.();
      if (heap && heap.used_heap_size > this.memoryMb * MEGABYTE)
        await this.end(this.#createMemoryError());
    } catch {
      // The thread has ended meanwhile.
    }
  }

  #describe(error: unknown): PlatenError {
    const isMemory =
      error instanceof Error &&
      "code" in error &&
      error.code === "ERR_WORKER_OUT_OF_MEMORY";
    return isMemory ? this.#createMemoryError() : createCrashError(error);
  }

  #createMemoryError(): PlatenError {
    return new PlatenError(
      "too_large",
      `${this.#call?.subject ?? "The template"} needs more than ${this.memoryMb} MB of memory with this data. ` +
        getAdvice(this.#call?.name),
    );
  }
}

/** What the caller can do about work that takes too much. */
function getAdvice(name: TaskName | undefined): string {
  if (name === "cleanSvg" || name === "readFont") return "Use a simpler file.";
  if (name === "parseBody") return "Send less data at once.";
  return "Send fewer records or shorter texts, or simplify the template: fewer codes and repeats inside repeats.";
}

/** The worker's file has this file's extension: `.js` when built, `.ts` when tests run the sources. */
function startWorker(): Worker {
  const ending = import.meta.url.slice(-3);
  return new Worker(new URL(`./compute-worker${ending}`, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HARD_LIMIT_MB },
  });
}

function toFailure(error: ErrorParts | { cause: unknown }): unknown {
  return "code" in error ? toError(error) : error.cause;
}

function createTimeoutError(
  { subject, name }: Call,
  timeoutMs: number,
): PlatenError {
  return new PlatenError(
    "timeout",
    `${subject} took longer than ${timeoutMs / 1000} s to compute and was ended. ${getAdvice(name)}`,
  );
}

function createStopError(): PlatenError {
  return new PlatenError("unavailable", "The service is shutting down.");
}

function createCrashError(cause?: unknown): PlatenError {
  return new PlatenError(
    "internal",
    "The thread that computed this ended unexpectedly. Try again.",
    { cause },
  );
}
