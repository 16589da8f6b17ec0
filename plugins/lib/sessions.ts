import { createHash } from "node:crypto";
import {
  clock,
  type Timer,
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";

// Sessions of protocols other than HTTP.

/**
 * The address of a server that nothing was sent to yet.
 * @throws PlatformError `bad_config` for a host that is not allowed, `try_later` for an unknown one.
 */
export async function resolveAddress(
  { addressOf }: Pick<PlatformContext<unknown>, "addressOf">,
  host: string,
): Promise<string> {
  try {
    return await addressOf(host);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== "unavailable")
      throw error;
    throw new PlatformError("try_later", error.message, { cause: error });
  }
}

/** Waits for a step that calls back. Rejects with the reason of a signal that is aborted first. */
export async function runStep<T = unknown>(
  signals: readonly AbortSignal[],
  step: (done: (error?: Error | null, result?: T) => void) => void,
): Promise<T> {
  const ended = new AbortController();
  try {
    return await new Promise<T>((resolve, reject) => {
      for (const signal of signals) {
        const stop = () => reject(signal.reason);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { signal: ended.signal });
      }
      step((error, result) => {
        if (error) reject(error);
        // Steps without a result have none to return.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        else resolve(result as T);
      });
    });
  } finally {
    ended.abort();
  }
}

/** Sessions without work, by the credentials that they were opened with. They are ended after a while. */
export class IdleSessions<S extends { quit(): void }> {
  readonly #sessions = new Map<S, { key: string; timer: Timer }>();

  /** @param maxCount the most with the same credentials; more are ended at once */
  constructor(
    private readonly idleMs = 5000,
    private readonly maxCount = Infinity,
  ) {}

  /** Takes one with these credentials. */
  take(credentials: object): S | undefined {
    const session = this.#list(digest(credentials)).at(-1);
    if (session) this.remove(session);
    return session;
  }

  add(credentials: object, session: S): void {
    const key = digest(credentials);
    if (this.#list(key).length >= this.maxCount) {
      session.quit();
      return;
    }
    const timer = clock
      .limit(this.idleMs, () => {
        this.remove(session);
        session.quit();
      })
      .unref();
    this.#sessions.set(session, { key, timer });
  }

  /** For one that has ended by itself. */
  remove(session: S): void {
    this.#sessions.get(session)?.timer.cancel();
    this.#sessions.delete(session);
  }

  #list(key: string): S[] {
    return [...this.#sessions.keys()].filter(
      (session) => this.#sessions.get(session)?.key === key,
    );
  }
}

/** For what contains secrets. */
export function digest(credentials: object): string {
  return createHash("sha256")
    .update(JSON.stringify(credentials))
    .digest("base64url");
}
