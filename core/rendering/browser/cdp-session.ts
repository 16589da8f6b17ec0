import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import type { PlatenError } from "../../plugin-api/index.js";
import {
  lostError,
  type CdpMethod,
  type CdpParams,
  type CdpPipe,
  type CdpResult,
} from "./cdp-pipe.js";

type Events = ProtocolMapping.Events;

interface Waiter {
  resolve(): void;
  reject(error: PlatenError): void;
}

/** One attached page. `isLost` never turns back: a page that crashed or was closed is not to be used again. */
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

  /** The next time that the event happens; one waiter for each event. @throws PlatenError when the page is lost. */
  next(event: keyof Events): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiters.set(event, { resolve, reject });
    });
  }

  /** Whatever waits for this page is rejected at once. */
  lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = lostError(reason);
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
