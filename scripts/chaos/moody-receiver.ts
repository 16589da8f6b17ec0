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
  /** Whether it was answered so that it counts as delivered. */
  isTaken: boolean;
}

/** `steady` takes all, `moody` what it likes, and `leaving` says after a while that nobody is there any more. */
export const ENDPOINTS = ["steady", "moody", "leaving"] as const;
export type EndpointName = (typeof ENDPOINTS)[number];

type Mood = "good" | "down" | "slow" | "redirects" | "fails";
const moods = ["good", "good", "down", "slow", "redirects", "fails"] as const;

const host = "127.0.0.2";
/** Longer than the run's PLATEN_WEBHOOK_TIMEOUT. */
const slowMs = 4000;
const takenBeforeLeaving = 40;

/** Receives webhooks on the loopback interface, and keeps what arrived in its order. */
export class MoodyReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #random: SeededRandom;
  readonly #server = createServer((request, response) => {
    // A sender that hangs up, being killed, is no fault of ours.
    this.#receive(request, response).catch(() => response.destroy());
  });
  #mood: Mood = "good";
  #timer: NodeJS.Timeout | undefined;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed + 1);
  }

  async listen(): Promise<void> {
    // Another address than the service, which does not call itself.
    this.#server.listen(0, host);
    await once(this.#server, "listening");
    this.#changeMood();
  }

  urlOf(endpoint: EndpointName): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the receiver does not listen yet");
    return `http://${host}:${address.port}/${endpoint}`;
  }

  /** From now on it takes everything. */
  calmDown(): void {
    clearTimeout(this.#timer);
    this.#mood = "good";
  }

  async close(): Promise<void> {
    this.calmDown();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #changeMood(): void {
    this.#mood = this.#random.pick(moods);
    const lasts = this.#random.between(500, 3000);
    this.#timer = setTimeout(() => this.#changeMood(), lasts).unref();
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const endpoint = endpointOf(request);
    const message: Message = JSON.parse(await text(request));
    const arrival: Arrival = {
      endpoint,
      id: String(request.headers["webhook-id"]),
      type: message.type,
      batchId: message.data.batchId,
      documentId: message.data.documentId ?? null,
      isTaken: false,
    };
    this.arrivals.push(arrival);
    if (endpoint === "moody") await this.#answerAsItLikes(arrival, response);
    else if (endpoint === "leaving" && this.#hasLeft()) answer(response, 410);
    else take(arrival, response);
  }

  async #answerAsItLikes(
    arrival: Arrival,
    response: ServerResponse,
  ): Promise<void> {
    const mood = this.#mood;
    if (mood === "slow") await pause(slowMs, undefined, { ref: false });
    if (mood === "down") response.destroy();
    else if (mood === "fails") answer(response, 500);
    else if (mood === "redirects")
      answer(response, 302, { location: this.urlOf("steady") });
    else if (response.socket?.destroyed !== true) take(arrival, response);
  }

  #hasLeft(): boolean {
    const here = this.arrivals.filter(({ endpoint }) => endpoint === "leaving");
    return here.length > takenBeforeLeaving;
  }
}

interface Message {
  type: string;
  data: { batchId: string; documentId?: string };
}

function take(arrival: Arrival, response: ServerResponse): void {
  arrival.isTaken = true;
  answer(response, 204);
}

function answer(response: ServerResponse, status: number, headers = {}): void {
  response.writeHead(status, headers).end();
}

function endpointOf({ url }: IncomingMessage): EndpointName {
  const found = ENDPOINTS.find((name) => url === `/${name}`);
  if (found) return found;
  throw new Error(`nobody was told of ${String(url)}`);
}
