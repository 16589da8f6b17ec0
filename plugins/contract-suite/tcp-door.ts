import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Door, FaultPlan } from "./fault.js";
import { portOf } from "./port-of.js";
import { Tally } from "./tally.js";

/**
 * A proxy of any protocol over TCP, as databases speak: it can break and stall connections, and sees no requests. A
 * plan's fault meets connections; `reset` and `lost-reply` break, anything else stalls.
 */
export class TcpDoor implements Door {
  readonly seesRequests = false;
  readonly #tally = new Tally();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#receive(socket);
  });

  private constructor(readonly target: URL) {}

  /** @param target `tcp://host:port`. */
  static async open(target: string): Promise<TcpDoor> {
    const door = new TcpDoor(new URL(target));
    door.#server.listen(0, "127.0.0.1");
    await once(door.#server, "listening");
    return door;
  }

  get url(): string {
    return `tcp://127.0.0.1:${portOf(this.#server)}`;
  }

  get requests(): number {
    return this.#tally.count;
  }

  get mostAtOnce(): number {
    return this.#tally.mostAtOnce;
  }

  watch(plan: FaultPlan | null): void {
    this.#tally.watch(plan);
  }

  met(): Promise<void> {
    return this.#tally.met();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #receive(socket: Socket): void {
    const fault = this.#tally.enter();
    this.#keep(socket);
    socket.once("close", () => {
      this.#tally.leave();
    });
    if (fault === null) this.#carry(socket);
    else if (fault.kind === "reset" || fault.kind === "lost-reply")
      socket.resetAndDestroy();
    else socket.resume();
  }

  #carry(socket: Socket): void {
    const port = Number(this.target.port);
    const upstream = connect({ host: this.target.hostname, port });
    this.#keep(upstream);
    socket.once("close", () => upstream.destroy());
    upstream.once("close", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }

  /** A broken connection is what this proxy is for: no error of one may end the process. */
  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
