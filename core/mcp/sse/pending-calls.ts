import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

/** The requests of a client that are not answered yet. */
export class PendingCalls {
  readonly #ids = new Set<RequestId>();
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#ids.size;
  }

  received(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) this.#ids.add(message.id);
    else if (isCancellation(message)) this.#end(message.params.requestId);
  }

  sent(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined)
      this.#end(message.id);
  }

  /** Calls back once there are none, at once if there are none now. */
  whenNone(tell: () => void): void {
    this.#waiting.push(tell);
    this.#tell();
  }

  #end(id: RequestId): void {
    this.#ids.delete(id);
    this.#tell();
  }

  #tell(): void {
    if (this.#ids.size > 0) return;
    for (const tell of this.#waiting.splice(0)) tell();
  }
}

/** What is cancelled is not answered. */
function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  if (!("method" in message)) return false;
  const id = message.params?.["requestId"];
  return (
    message.method === "notifications/cancelled" &&
    (typeof id === "string" || typeof id === "number")
  );
}
