import type { Readable, Writable } from "node:stream";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import type { CDPSession } from "puppeteer-core/internal/api/CDPSession.js";
import type { Connection } from "puppeteer-core/internal/cdp/Connection.js";
import type { ConnectionTransport } from "puppeteer-core/internal/common/ConnectionTransport.js";
import { PlatenError } from "../../plugin-api/index.js";

type Commands = ProtocolMapping.Commands;
export type CdpMethod = keyof Commands;
export type CdpResult<M extends CdpMethod> = Commands[M]["returnType"];
export type CdpParams<M extends CdpMethod> = Commands[M]["paramsType"];

/**
 * Puppeteer's connection, loaded while the browser starts so that the service does not wait for it. `connect` would load
 * much more and watch every target, for pages that are not used here: see docs/explanation/performance.md. Commands have no time
 * limits of their own, since documents have deadlines.
 */
export async function connectToBrowser(
  transport: PipeTransport,
): Promise<Connection> {
  const { Connection } =
    await import("puppeteer-core/internal/cdp/Connection.js");
  const connection = new Connection(
    "",
    transport,
    0,
    0,
    false,
    undefined,
    () => undefined,
  );
  if (transport.isClosed) connection.dispose();
  return connection;
}

const NUL = 0;

/**
 * Messages over two file descriptors, each followed by a zero byte. When this process dies, however it dies, the
 * descriptors close and the browser exits.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  #pieces: Buffer[] = [];
  #isClosed = false;

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on("data", (chunk: Buffer) => this.#receive(chunk));
    const close = () => this.close();
    output.once("close", close).once("error", close);
    input.once("error", close);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: string): void {
    this.input.write(`${message}\0`);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.input.destroy();
    this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(NUL, start);
    while (end >= 0) {
      this.#pieces.push(chunk.subarray(start, end));
      const message = Buffer.concat(this.#pieces).toString("utf8");
      this.#pieces = [];
      this.onmessage?.(message);
      start = end + 1;
      end = chunk.indexOf(NUL, start);
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }
}

/** The session of one attached page. A page that crashed or was closed stays lost. */
export class PageSession {
  #lost: PlatenError | null = null;
  #load: { resolve(): void; reject(error: PlatenError): void } | null = null;

  private constructor(
    private readonly session: CDPSession,
    readonly targetId: string,
    readonly browserContextId: string | undefined,
  ) {}

  /** @param browserContextId the target's own browser context, if it has one */
  static async attach(
    connection: Connection,
    targetId: string,
    browserContextId?: string,
  ): Promise<PageSession> {
    const { CDPSessionEvent } =
      await import("puppeteer-core/internal/api/CDPSession.js");
    const { sessionId } = await connection.send("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const session = connection.session(sessionId);
    if (!session) throw new Error("the page ended while it was attached");
    const page = new PageSession(session, targetId, browserContextId);
    session.on("Page.loadEventFired", () => page.#load?.resolve());
    session.once("Inspector.targetCrashed", () => page.lose("it crashed"));
    session.once(CDPSessionEvent.Disconnected, () =>
      page.lose("it was detached, or its browser ended"),
    );
    return page;
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** @throws PlatenError `render_failed` when Chromium returns an error, `crashed` when the page or browser ends meanwhile. */
  async send<M extends CdpMethod>(
    method: M,
    ...[params]: CdpParams<M>
  ): Promise<CdpResult<M>> {
    if (this.#lost) throw this.#lost;
    try {
      return await this.session.send(method, params);
    } catch (error) {
      throw this.#lost ?? toRenderError(error, this.session.detached);
    }
  }

  /** Resolves when the next document is loaded; call it again only then. @throws PlatenError `crashed` when the page is lost. */
  nextLoad(): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#load = { resolve, reject };
    });
  }

  /** Rejects everything that waits for this page; a crashed page would never respond. */
  lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = createCrashError(reason);
    this.#load?.reject(this.#lost);
    if (!this.session.detached) this.session.detach().catch(() => null);
  }
}

/** @param isGone whether the page or browser has ended, so that the document may be printed on another */
export function toRenderError(cause: unknown, isGone: boolean): PlatenError {
  return isGone
    ? createCrashError("the connection closed", cause)
    : new PlatenError("render_failed", "Chromium could not print this page.", {
        cause,
      });
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
