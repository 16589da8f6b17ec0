import { parentPort, Worker } from "node:worker_threads";
import {
  type Deadline,
  type ErrorCode,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import { clock, type Timer } from "./clock.js";
import type { FairQueue } from "./fair-queue.js";
import { raceWithAbort } from "./race-with-abort.js";

// Worker threads. `Thread` is one, `ThreadPool` starts several when they are needed, and `answerRequests` runs in them.

/** A pooled thread ends after this long without work. */
const IDLE_MS = 60_000;

/** From a thread: parts of an answer, then the answer or the error. */
type Message =
  | { part: unknown }
  | { value: unknown }
  | { error: ErrorParts }
  | { fault: unknown };

interface ThreadOptions {
  /** The engine ends the thread when its heap is larger. */
  heapMb?: number;
  /** The thread's `workerData`. */
  data?: unknown;
}

/** A thread that ended by itself, for lack of memory or because of an uncaught error, which is the cause. */
export class ThreadCrash extends Error {}

/** A worker thread. It answers one request at a time, and keeps the process alive only while it does. */
export class Thread {
  readonly #worker: Worker;
  readonly #end = new AbortController();
  #receive: (message: Message) => void = () => undefined;

  /**
   * @param file that calls `answerRequests`, without its extension, which is that of the caller: `.js` when built, `.ts`
   * when tests run the sources
   * @param caller its `import.meta.url`
   */
  constructor(
    file: string,
    caller: string,
    { heapMb, data }: ThreadOptions = {},
  ) {
    this.#worker = new Worker(new URL(file + caller.slice(-3), caller), {
      workerData: data,
      ...(heapMb && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    });
    this.#worker.unref();
    this.#worker.on("message", (message: Message) => this.#receive(message));
    this.#worker.on("error", (cause) => {
      this.#end.abort(new ThreadCrash("The thread failed.", { cause }));
    });
    this.#worker.on("exit", () => {
      this.#end.abort(new ThreadCrash("The thread ended."));
    });
  }

  /** Aborts when the thread ends; its reason is the error. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * @param request plain data, which is copied
   * @param take gets the parts that the thread sends before its answer
   * @throws what the thread threw, the error that it was ended with, or `ThreadCrash`
   */
  async ask<A>(
    request: unknown,
    take: (part: never) => void = () => undefined,
  ): Promise<A> {
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#receive = (message) => {
        // The thread's file and its caller agree on the types.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        if ("part" in message) take(message.part as never);
        else if ("value" in message) resolve(message.value);
        else if ("error" in message) reject(toError(message.error));
        else reject(message.fault);
      };
    });
    this.#worker.ref();
    try {
      this.#worker.postMessage(request, []);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await raceWithEnd(this, () => answered)) as A;
    } finally {
      this.#receive = () => undefined;
      this.#worker.unref();
    }
  }

  /** The size of its heap; undefined when it has ended, and before Node 22.16. */
  async readHeapBytes(): Promise<number | undefined> {
    try {
      const heap = await this.#worker.getHeapStatistics?.();
      return heap?.used_heap_size;
    } catch {
      return undefined;
    }
  }

  /** Ends the thread at once. @param error rejects the request in progress and later ones */
  async end(error: PlatenError = createStopError()): Promise<void> {
    this.#end.abort(error);
    await this.#worker.terminate();
  }
}

/** Runs `work`, and rejects as soon as the thread ends. */
function raceWithEnd<T>({ ended }: Thread, work: () => Promise<T>): Promise<T> {
  return raceWithAbort(work, ended, () => ended.reason);
}

interface PoolJob {
  deadline?: Deadline | undefined;
  /** The organization whose job it is, see `FairQueue`. */
  owner?: string | undefined;
  /** What is done, in the error of the deadline: "it was computed". */
  doing: string;
  /** A thread whose last job had the same key is preferred. */
  key?: string | undefined;
}

/** Threads that start when they are needed and end when they have been idle; each works on one job at a time. */
export class ThreadPool {
  readonly #threads = new Set<Thread>();
  readonly #idle = new Map<
    Thread,
    { key?: string | undefined; timer: Timer }
  >();
  #hasStopped = false;

  constructor(
    private readonly start: () => Thread,
    private readonly slots: FairQueue,
  ) {}

  /** Jobs in threads, and jobs that wait for one. */
  get load(): { running: number; waiting: number; threads: number } {
    const { busy: running, queued: waiting } = this.slots;
    return { running, waiting, threads: this.#threads.size };
  }

  /**
   * Runs a job with a thread. The thread ends with the job when the deadline passes, and when the job fails with anything
   * but a `PlatenError`. @throws PlatenError as `FairQueue`, `unavailable` after `stop`, `ThreadCrash`, or that of the job
   */
  use<T>(job: PoolJob, work: (thread: Thread) => Promise<T>): Promise<T> {
    return this.slots.run(job, async () => {
      if (this.#hasStopped) throw createStopError();
      const thread = this.#choose(job.key);
      try {
        return await raceWithDeadline(thread, job, () =>
          raceWithEnd(thread, () => work(thread)),
        );
      } catch (error) {
        if (!(error instanceof PlatenError)) await thread.end();
        throw error;
      } finally {
        this.#rest(thread, job.key);
      }
    });
  }

  /** Ends all threads; the jobs that run or wait fail. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
  }

  #choose(key: string | undefined): Thread {
    const idle = [...this.#idle.keys()];
    const thread =
      idle.find((candidate) => this.#idle.get(candidate)?.key === key) ??
      idle[0];
    if (!thread) return this.#start();
    this.#wake(thread);
    return thread;
  }

  #start(): Thread {
    const thread = this.start();
    this.#threads.add(thread);
    thread.ended.addEventListener("abort", () => {
      this.#threads.delete(thread);
      this.#wake(thread);
    });
    return thread;
  }

  #wake(thread: Thread): void {
    this.#idle.get(thread)?.timer.cancel();
    this.#idle.delete(thread);
  }

  #rest(thread: Thread, key: string | undefined): void {
    if (thread.ended.aborted) return;
    const timer = clock.limit(IDLE_MS, () => void thread.end()).unref();
    this.#idle.set(thread, { key, timer });
  }
}

async function raceWithDeadline<T>(
  thread: Thread,
  { deadline, doing }: PoolJob,
  work: () => Promise<T>,
): Promise<T> {
  if (!deadline) return work();
  return raceWithAbort(work, deadline.signal, () => {
    const error = deadline.error(doing);
    void thread.end(error);
    return error;
  });
}

/**
 * Answers the requests of a `Thread`, in it.
 * @param answer may `send` parts of the answer before it returns the rest; `moved` buffers are not copied
 */
export function answerRequests(
  answer: (
    request: never,
    send: (part: unknown, moved: ArrayBuffer[]) => void,
  ) => unknown,
): void {
  if (!parentPort) throw new Error("this file runs as a worker thread");
  const port = parentPort;
  const post = (message: Message, moved: ArrayBuffer[] = []) =>
    port.postMessage(message, moved);
  const send = (part: unknown, moved: ArrayBuffer[]) => post({ part }, moved);
  const respond = async (request: unknown) => {
    try {
      // The thread's file and its caller agree on the type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      post({ value: await answer(request as never, send) });
    } catch (error) {
      const isOurs = error instanceof PlatenError;
      post(isOurs ? { error: getErrorParts(error) } : { fault: error });
    }
  };
  port.on("message", (request: unknown) => void respond(request));
}

/** An error loses its class between threads, so it is sent as its parts. */
export interface ErrorParts {
  code: ErrorCode;
  message: string;
  problems: readonly Problem[];
}

export function getErrorParts(error: PlatenError): ErrorParts {
  const { code, message, problems } = error;
  return { code, message, problems };
}

export function toError({ code, message, problems }: ErrorParts): PlatenError {
  return new PlatenError(code, message, { problems });
}

function createStopError(): PlatenError {
  return new PlatenError("unavailable", "The service is shutting down.");
}
