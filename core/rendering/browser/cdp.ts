import type { Readable, Writable } from "node:stream";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import { PlatenError } from "../../plugin-api/index.js";

type Commands = ProtocolMapping.Commands;
export type CdpMethod = keyof Commands;
export type CdpResult<M extends CdpMethod> = Commands[M]["returnType"];
export type CdpParams<M extends CdpMethod> = Commands[M]["paramsType"];

export interface CdpEvent {
  method: string;
  params: { sessionId?: string };
}

type CdpListener = (event: CdpEvent) => void;

interface Call {
  method: CdpMethod;
  sessionId: string | undefined;
  resolve(result: unknown): void;
  reject(error: PlatenError): void;
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: CdpEvent["params"];
  result?: unknown;
  error?: { message: string; data?: string };
}

const NUL = 0;

/**
 * Chrome DevTools Protocol over two file descriptors: JSON messages that end in a zero byte. When
 * this process dies, however it dies, the descriptors close and the browser exits.
 */
export class CdpPipe {
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string | undefined, CdpListener>();
  #pieces: Buffer[] = [];
  #lastId = 0;
  #closed: PlatenError | null = null;

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on("data", (chunk: Buffer) => this.#take(chunk));
    const lost = () => this.close("its pipe closed");
    output.once("close", lost).once("error", lost);
    input.once("error", lost);
  }

  get isClosed(): boolean {
    return this.#closed !== null;
  }

  /** @throws PlatenError `render_failed` when Chromium returns an error, `crashed` when the page or browser ends meanwhile. */
  send<M extends CdpMethod>(
    method: M,
    params: CdpParams<M>[0] | undefined,
    sessionId?: string,
  ): Promise<CdpResult<M>> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, sessionId, resolve, reject });
      const text = JSON.stringify({ id, method, params, sessionId });
      this.input.write(`${text}\0`);
    });
  }

  /** Sets the one listener of a session, or of the browser itself; null removes it. */
  listen(sessionId: string | undefined, listener: CdpListener | null): void {
    if (listener) this.#listeners.set(sessionId, listener);
    else this.#listeners.delete(sessionId);
  }

  /** Rejects all pending calls of a session, since a crashed page never responds. */
  dropSession(sessionId: string, error: PlatenError): void {
    this.#listeners.delete(sessionId);
    this.#rejectCalls(error, (call) => call.sessionId === sessionId);
  }

  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = createCrashError(reason);
    this.#rejectCalls(this.#closed, () => true);
    this.#listeners.clear();
    this.input.destroy();
  }

  #rejectCalls(error: PlatenError, isMeant: (call: Call) => boolean): void {
    for (const [id, call] of this.#calls) {
      if (!isMeant(call)) continue;
      this.#calls.delete(id);
      call.reject(error);
    }
  }

  #take(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(NUL, start);
    while (end >= 0) {
      this.#pieces.push(chunk.subarray(start, end));
      this.#deliver();
      start = end + 1;
      end = chunk.indexOf(NUL, start);
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  #deliver(): void {
    const [first] = this.#pieces;
    const whole =
      this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    const message: Message = JSON.parse(whole.toString("utf8"));
    const { id, method, params = {}, sessionId } = message;
    if (id !== undefined) this.#answer(id, message);
    else if (method !== undefined)
      this.#listeners.get(sessionId)?.({ method, params });
  }

  #answer(id: number, message: Message): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!call) return;
    if (!message.error) return call.resolve(message.result);
    const { message: text, data } = message.error;
    const cause = `${call.method}: ${text}${data ? ` (${data})` : ""}`;
    call.reject(
      new PlatenError("render_failed", "Chromium could not print this page.", {
        cause,
      }),
    );
  }
}

/** For callers waiting on a page or browser that has ended; `reason` and its cause are only logged. */
export function createCrashError(reason: string, cause?: unknown): PlatenError {
  return new PlatenError(
    "crashed",
    "The browser that prints this document ended unexpectedly. Try again; " +
      "if it happens again with the same data, make the document smaller.",
    { cause: cause === undefined ? reason : new Error(reason, { cause }) },
  );
}

type Events = ProtocolMapping.Events;

interface Waiter {
  resolve(): void;
  reject(error: PlatenError): void;
}

/** One attached page. A page that crashed or was closed stays lost. */
export class CdpSession {
  readonly #waiters = new Map<string, Waiter>();
  #lost: PlatenError | null = null;

  constructor(
    private readonly pipe: CdpPipe,
    readonly sessionId: string,
    readonly targetId: string,
  ) {
    pipe.listen(sessionId, ({ method }) => this.#hear(method));
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  send<M extends CdpMethod>(
    method: M,
    ...params: CdpParams<M>
  ): Promise<CdpResult<M>> {
    return this.pipe.send(method, params[0], this.sessionId);
  }

  /** Resolves at the next such event; one waiter for each event. @throws PlatenError when the page is lost. */
  next(event: keyof Events): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiters.set(event, { resolve, reject });
    });
  }

  /** Rejects everything that waits for this page. */
  lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = createCrashError(reason);
    for (const waiter of this.#waiters.values()) waiter.reject(this.#lost);
    this.#waiters.clear();
    this.pipe.dropSession(this.sessionId, this.#lost);
  }

  #hear(method: string): void {
    if (method === "Inspector.targetCrashed") return this.lose("it crashed");
    const waiter = this.#waiters.get(method);
    this.#waiters.delete(method);
    waiter?.resolve();
  }
}
