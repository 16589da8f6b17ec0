import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { SeededRandom } from "./seeded-random.js";

/** A message as it arrived at one of the endpoints. */
export interface Arrival {
  endpoint: EndpointName;
  id: string;
  type: string;
  batchId: string;
  documentId: string | null;
  /** Whether the response makes it count as delivered. */
  isAccepted: boolean;
}

/** `steady` accepts everything, `flaky` fails at random, and `leaving` answers 410 after a while. */
export const ENDPOINTS = ["steady", "flaky", "leaving"] as const;
export type EndpointName = (typeof ENDPOINTS)[number];

type Behavior = "good" | "down" | "slow" | "redirects" | "fails";
const behaviors = [
  "good",
  "good",
  "down",
  "slow",
  "redirects",
  "fails",
] as const;

const host = "127.0.0.2";
/** Longer than the run's PLATEN_WEBHOOK_TIMEOUT. */
const slowMs = 4000;
const acceptedBeforeLeaving = 40;

/** Receives webhooks on the loopback interface and records them in order of arrival. */
export class FlakyReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #random: SeededRandom;
  readonly #server = createServer((request, response) => {
    // The sender may have been killed.
    this.#receive(request, response).catch(() => response.destroy());
  });
  #behavior: Behavior = "good";
  #timer: NodeJS.Timeout | undefined;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed + 1);
  }

  async listen(): Promise<void> {
    // Another address than the service, which does not call itself.
    this.#server.listen(0, host);
    await once(this.#server, "listening");
    this.#changeBehavior();
  }

  getUrl(endpoint: EndpointName): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the receiver does not listen yet");
    return `http://${host}:${address.port}/${endpoint}`;
  }

  /** From now on it accepts everything. */
  acceptAll(): void {
    clearTimeout(this.#timer);
    this.#behavior = "good";
  }

  async close(): Promise<void> {
    this.acceptAll();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #changeBehavior(): void {
    this.#behavior = this.#random.pick(behaviors);
    const lasts = this.#random.between(500, 3000);
    this.#timer = setTimeout(() => this.#changeBehavior(), lasts).unref();
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const endpoint = getEndpoint(request);
    const message: Message = JSON.parse(await text(request));
    const arrival: Arrival = {
      endpoint,
      id: String(request.headers["webhook-id"]),
      type: message.type,
      batchId: message.data.batchId,
      documentId: message.data.documentId ?? null,
      isAccepted: false,
    };
    this.arrivals.push(arrival);
    if (endpoint === "flaky") await this.#answerAtRandom(arrival, response);
    else if (endpoint === "leaving" && this.#hasLeft()) answer(response, 410);
    else take(arrival, response);
  }

  async #answerAtRandom(
    arrival: Arrival,
    response: ServerResponse,
  ): Promise<void> {
    const behavior = this.#behavior;
    if (behavior === "slow") await pause(slowMs, undefined, { ref: false });
    if (behavior === "down") response.destroy();
    else if (behavior === "fails") answer(response, 500);
    else if (behavior === "redirects")
      answer(response, 302, { location: this.getUrl("steady") });
    else if (response.socket?.destroyed !== true) take(arrival, response);
  }

  #hasLeft(): boolean {
    const here = this.arrivals.filter(({ endpoint }) => endpoint === "leaving");
    return here.length > acceptedBeforeLeaving;
  }
}

interface Message {
  type: string;
  data: { batchId: string; documentId?: string };
}

function take(arrival: Arrival, response: ServerResponse): void {
  arrival.isAccepted = true;
  answer(response, 204);
}

function answer(response: ServerResponse, status: number, headers = {}): void {
  response.writeHead(status, headers).end();
}

function getEndpoint({ url }: IncomingMessage): EndpointName {
  const found = ENDPOINTS.find((name) => url === `/${name}`);
  if (found) return found;
  throw new Error(`unknown endpoint ${String(url)}`);
}
