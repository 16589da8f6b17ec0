import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { Door, Fault, FaultPlan } from "./fault.js";
import { portOf } from "./port-of.js";
import { Tally } from "./tally.js";

/** A proxy of HTTP that can answer, stall or break each request. Listens on the loopback interface. */
export class HttpDoor implements Door {
  readonly seesRequests = true;
  readonly #tally = new Tally();
  /**
   * It closes no connection: on a busy machine, what a plugin sends next may meet that, which no fault was planned for.
   */
  readonly #server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => {
      this.#receive(request, response);
    },
  );

  private constructor(readonly target: URL) {}

  /** @param target the server's origin; paths are carried over as they come. */
  static async open(target: string): Promise<HttpDoor> {
    const door = new HttpDoor(new URL(target));
    door.#server.listen(0, "127.0.0.1");
    await once(door.#server, "listening");
    return door;
  }

  get url(): string {
    const path = this.target.pathname.replace(/\/$/, "");
    return `http://127.0.0.1:${portOf(this.#server)}${path}`;
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
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const fault = this.#tally.enter();
    response.once("close", () => {
      this.#tally.leave();
    });
    if (fault === null) this.#carry(request, response, false);
    else this.#suffer(fault, request, response);
  }

  #suffer(
    fault: Fault,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (fault.kind === "reset") request.socket.resetAndDestroy();
    else if (fault.kind === "lost-reply") this.#carry(request, response, true);
    else {
      request.resume();
      if (fault.kind === "reply")
        request.once("end", () => {
          response.writeHead(fault.status, fault.headers).end(fault.body);
        });
    }
  }

  #carry(
    request: IncomingMessage,
    response: ServerResponse,
    isLost: boolean,
  ): void {
    const send = this.target.protocol === "https:" ? requestHttps : requestHttp;
    const upstream = send(new URL(request.url ?? "/", this.target), {
      agent: false,
      method: request.method,
      headers: { ...request.headers, host: this.target.host },
    });
    upstream.once("response", (reply) => {
      if (isLost) {
        reply.resume();
        reply.once("end", () => request.socket.resetAndDestroy());
      } else {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      }
    });
    upstream.once("error", () => request.socket.destroy());
    request.pipe(upstream);
  }
}
