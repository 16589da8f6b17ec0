import { once } from "node:events";
import { createServer } from "node:http";

const PATIENCE_MS = 240_000;

/** A receiver of webhooks on the loopback interface, to which batches that are completed are told. */
export class CompletionReceiver {
  readonly #server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(204).end();
      this.#server.emit("completed");
    });
  });

  static async listen(): Promise<CompletionReceiver> {
    const receiver = new CompletionReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the receiver does not listen");
    return `http://127.0.0.1:${address.port}/`;
  }

  /** Resolves when the next webhook has arrived; rejects when none comes for far too long. */
  async next(): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await once(this.#server, "completed", { signal });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
