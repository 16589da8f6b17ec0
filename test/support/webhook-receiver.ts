import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { after, before } from "mocha";
import { Webhook } from "standardwebhooks";
import { until } from "./browser-processes.js";

/** A delivery as it arrived. */
export interface Arrived {
  path: string;
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  type: string;
  data: Record<string, unknown>;
  /** What stands beside `data`. */
  message: Record<string, unknown>;
}

export type Answer = (
  arrived: Arrived,
  response: ServerResponse,
) => void | Promise<void>;

/** A receiver of webhooks on the loopback interface, for the suite that calls this. Answers 204 unless told otherwise. */
export class WebhookReceiver {
  readonly arrived: Arrived[] = [];
  #answer: Answer = ok;
  readonly #server = createServer((request, response) => {
    void this.#receive(request, response);
  });

  answer(answer: Answer): void {
    this.#answer = answer;
  }

  forget(): void {
    this.arrived.length = 0;
    this.#answer = ok;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the receiver does not listen yet");
    return `http://127.0.0.1:${address.port}/hook`;
  }

  /** Waits until so many have arrived. */
  async waitFor(count: number): Promise<Arrived[]> {
    await until(`${count} webhooks`, () => this.arrived.length >= count);
    return this.arrived;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await text(request);
    const message = JSON.parse(body);
    const arrived = {
      path: request.url ?? "",
      id: String(request.headers["webhook-id"]),
      headers: request.headers,
      text: body,
      type: message.type,
      data: message.data,
      message,
    };
    this.arrived.push(arrived);
    await this.#answer(arrived, response);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const ok: Answer = (_arrived, response) => {
  response.writeHead(204).end();
};

/** Answers this status, with these headers and this text. */
export function answers(status: number, headers = {}, body = ""): Answer {
  return (_arrived, response) => {
    response.writeHead(status, headers).end(body);
  };
}

export function useReceiver(): WebhookReceiver {
  const receiver = new WebhookReceiver();
  before(() => receiver.listen());
  after(() => receiver.close());
  return receiver;
}

/** As a receiver would with the standard's own library. @throws when the signature is not good. */
export function verified(secret: string, { text: body, headers }: Arrived) {
  return new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  });
}
