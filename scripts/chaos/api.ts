import { setTimeout as pause } from "node:timers/promises";

export interface ApiRequest {
  method: "GET" | "POST";
  path: string;
  body?: object;
  /** For `Idempotency-Key`. */
  once?: string;
}

const timeoutMs = 15_000;
const againMs = 250;
/** How long a request is retried while the service is away. */
const retryForMs = 240_000;

/** A client that keeps on asking while the service is away, and whom only a refusal ends. */
export class Api {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** @returns the answer of a request that the service took. */
  async send(request: ApiRequest): Promise<unknown> {
    const end = Date.now() + retryForMs;
    for (;;) {
      const answer = await this.#try(request).catch(nullUnlessRejected);
      if (answer !== null) return answer.body;
      if (Date.now() > end)
        throw new Error(`no answer to ${request.method} ${request.path}`);
      await pause(againMs);
    }
  }

  /** Null: it is worth another try. */
  async #try(request: ApiRequest): Promise<{ body: unknown } | null> {
    const { method, path, body, once } = request;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        "x-api-key": this.key,
        "content-type": "application/json",
        ...(once !== undefined && { "idempotency-key": once }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.ok) return { body: JSON.parse(text) };
    if (isPassing(response.status)) return null;
    throw new RejectedError(`${method} ${path}: ${response.status} ${text}`);
  }
}

class RejectedError extends Error {}

function nullUnlessRejected(error: unknown): null {
  if (error instanceof RejectedError) throw error;
  return null;
}

/** Busy, being worked on under the same key, or broken. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 409;
}
