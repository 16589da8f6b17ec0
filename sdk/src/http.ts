// Requests to the service: time-outs, retries and errors.

export interface PlatenOptions {
  /** Where the service is, such as `https://documents.example.com`. */
  baseUrl: string;
  /** A key of the organization; it never leaves for another address. */
  apiKey: string;
  /** Milliseconds that one attempt may take; of a download, until it begins. Default: 120,000. */
  timeout?: number | undefined;
  /** How often a request is sent again, if it is safe to do so. Default: 3. */
  retries?: number | undefined;
  /** Replaces the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Settings of one call. */
export interface RequestOptions {
  /** Ends the call, with the signal's reason as the error. */
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  retries?: number | undefined;
  /**
   * Identifies the piece of work: for 24 hours, the service does it once for all calls with the same key and body. Each call
   * has a key of its own by default, which its retries share.
   */
  idempotencyKey?: string | undefined;
}

/** One problem of a request, with its JSON path, such as `$.formats[0]`. */
export interface ApiProblem {
  path: string;
  message: string;
}

/** The service answered with an error. The message is the service's own. */
export class PlatenApiError extends Error {
  override readonly name: string = "PlatenApiError";
  /** The problems that the message lists with a JSON path. */
  readonly problems: readonly ApiProblem[];

  constructor(
    message: string,
    readonly status: number,
    /** Names the entries in the service's log. */
    readonly requestId: string | null,
    /** Seconds after which to try again, if the service said so. */
    readonly retryAfter: number | null,
    /** The failed document, if one was stored. */
    readonly documentId: string | null,
  ) {
    super(message);
    this.problems = findProblems(message);
  }
}

/** The service could not be reached, or did not answer in time. */
export class PlatenConnectionError extends Error {
  override readonly name: string = "PlatenConnectionError";
}

export interface ApiRequest {
  method: string;
  /** Below the base URL, or a whole URL, to which no key is sent. */
  path: string;
  query?: object | undefined;
  headers?: Record<string, string>;
  /** Makes the body of each attempt. */
  body?: (() => Content) | undefined;
  /** The body can be made only once. */
  isSentOnce?: boolean;
  /** Doing it twice is the same as doing it once. */
  isSafe: boolean;
}

export type Content =
  | string
  | Blob
  | FormData
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array>;

/** The body of a response, read or as a stream. */
type Read<T> = (response: Response) => Promise<T>;

const longestWait = 60_000;

export class Transport {
  readonly baseUrl: string;
  readonly #options: PlatenOptions;

  /** @throws TypeError in a browser, and without a usable URL and key. */
  constructor(options: PlatenOptions) {
    assertServer();
    const { baseUrl, apiKey } = options;
    if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
      throw new TypeError(
        `baseUrl must be the URL of a Platen service, such as https://documents.example.com, and not ${JSON.stringify(baseUrl)}.`,
      );
    if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
      throw new TypeError(
        "apiKey must be an API key of the organization. Is the environment variable with it set?",
      );
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Sends a request until it succeeds, fails for good, or has used its attempts.
   * @throws PlatenApiError, PlatenConnectionError, or the reason of the signal
   */
  async send<T>(
    request: ApiRequest,
    read: Read<T>,
    options: RequestOptions = {},
  ): Promise<T> {
    const retries = options.retries ?? this.#options.retries ?? 3;
    for (let attempt = 0; ; attempt += 1)
      try {
        return await this.#attempt(request, read, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        const wait =
          attempt < retries ? getWait(error, request, attempt) : null;
        if (wait === null) throw error;
        await sleep(wait, options.signal);
      }
  }

  async #attempt<T>(
    request: ApiRequest,
    read: Read<T>,
    { signal, timeout = this.#options.timeout ?? 120_000 }: RequestOptions,
  ): Promise<T> {
    signal?.throwIfAborted();
    const url = this.#resolve(request);
    const isOurs = url.href.startsWith(`${this.baseUrl}/api/`);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    const send = this.#options.fetch ?? globalThis.fetch;
    try {
      const body = request.body?.();
      const response = await send(url.href, {
        method: request.method,
        headers: {
          ...request.headers,
          ...(isOurs && { "x-api-key": this.#options.apiKey }),
        },
        // The key is for this service, not for another one that it names.
        redirect: isOurs ? "manual" : "follow",
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        ...(body !== undefined && { body }),
        // Needed for streams, and missing in the types of some runtimes.
        ...(body instanceof ReadableStream && { duplex: "half" }),
      });
      if (!response.ok) throw await toError(response, url);
      return await read(response);
    } catch (error) {
      if (error instanceof PlatenApiError) throw error;
      signal?.throwIfAborted();
      const reason = late.signal.aborted
        ? `did not answer within ${timeout / 1000} s`
        : `cannot be reached (${describeCause(error)})`;
      throw new PlatenConnectionError(`${url.origin} ${reason}.`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #resolve({ path, query = {} }: ApiRequest): URL {
    const url = new URL(path.startsWith("/") ? this.baseUrl + path : path);
    for (const [name, value] of Object.entries(query))
      if (typeof value === "object" && value !== null)
        for (const [key, one] of Object.entries(value))
          url.searchParams.append(`${name}[${key}]`, String(one));
      else if (value !== undefined)
        url.searchParams.append(name, String(value));
    return url;
  }
}

/** API keys do not belong into pages, where anyone can read them; and the service allows no other origin. */
function assertServer(): void {
  const { navigator, Deno } = globalThis as {
    navigator?: { userAgent?: string };
    Deno?: unknown;
  };
  if (Deno === undefined && navigator?.userAgent?.startsWith("Mozilla/"))
    throw new TypeError(
      "@platen/client does not run in a browser, because anyone could read the API key there. Call Platen from your server.",
    );
}

/** @returns milliseconds until the next attempt, or null if there is none. */
function getWait(
  error: unknown,
  { isSafe, isSentOnce, headers }: ApiRequest,
  attempt: number,
): number | null {
  if (isSentOnce) return null;
  const backoff = Math.min(500 * 2 ** attempt, 8_000);
  const wait = backoff * (0.5 + Math.random() / 2);
  if (error instanceof PlatenConnectionError) return isSafe ? wait : null;
  if (!(error instanceof PlatenApiError)) return null;
  const { status, retryAfter } = error;
  const isPassing =
    // Nothing was done.
    status === 429 ||
    (isSafe && [502, 503, 504].includes(status)) ||
    // The first request with this key is still in progress.
    (status === 409 &&
      retryAfter !== null &&
      "idempotency-key" in (headers ?? {}));
  if (!isPassing) return null;
  const asked = (retryAfter ?? 0) * 1000;
  return asked > longestWait ? null : Math.max(asked, wait);
}

async function toError(response: Response, url: URL): Promise<PlatenApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfter = headers.get("retry-after");
  const seconds = retryAfter?.trim() ? Number(retryAfter) : NaN;
  return new PlatenApiError(
    readMessage(text) ??
      `${url.origin} answered ${status}: check that baseUrl is the address of a Platen service.`,
    status,
    headers.get("x-request-id"),
    Number.isFinite(seconds) ? seconds : null,
    headers.get("x-document-id"),
  );
}

function readMessage(text: string): string | null {
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}

function findProblems(message: string): ApiProblem[] {
  const problems = /(?:^|\s)(\$[^\s:]*): (.*?)(?=; \$|; and \d+ more|$)/g;
  return [...message.matchAll(problems)].map(([, path = "", text = ""]) => ({
    path,
    message: text,
  }));
}

/** `fetch` often says only that it failed, and the cause says why. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

/** @throws the signal's reason when it is aborted meanwhile */
export async function sleep(
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}
