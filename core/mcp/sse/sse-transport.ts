import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { PendingCalls } from "./pending-calls.js";

interface Settings {
  /** Where the client is to send its messages. */
  endpoint: string;
  keepAliveMs: number;
}

/**
 * The older transport's stream, written by us: the library's own is given up, sends no keep-alives, reads bodies with a
 * limit of its own and comes with a web framework. Answers go out as events; messages come in by `receive`.
 */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly pending = new PendingCalls();
  #keepAlive: NodeJS.Timeout | null = null;

  constructor(
    private readonly response: ServerResponse,
    private readonly settings: Settings,
  ) {}

  /** Bytes that its client has not taken yet. */
  get backlog(): number {
    return this.response.writableLength;
  }

  async start(): Promise<void> {
    const { response } = this;
    response.once("close", () => this.#closed());
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    this.#write(`event: endpoint\ndata: ${this.settings.endpoint}\n\n`);
    this.#keepAlive = setInterval(
      () => this.#write(": keep-alive\n\n"),
      this.settings.keepAliveMs,
    ).unref();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    this.pending.sent(message);
  }

  receive(message: JSONRPCMessage): void {
    this.pending.received(message);
    this.onmessage?.(message);
  }

  async close(): Promise<void> {
    this.response.end();
    this.#closed();
  }

  #write(text: string): void {
    if (!this.response.writableEnded && !this.response.destroyed)
      this.response.write(text);
  }

  /** By either side, and once. */
  #closed(): void {
    if (this.#keepAlive === null) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = null;
    this.onclose?.();
  }
}
